/// The listing's contracts besides US stocks and funds. Numbers of 0 are not known.
enum ListedOthers {
    /// Twins abroad of stocks of the listing, which make a symbol without a currency ambiguous: symbol,
    /// number, exchange, currency, price in that currency.
    static let twins = """
        AAPL|38708077|MEXI|MXN|4600
        AAPL|0|EBS|CHF|197
        MSFT|0|MEXI|MXN|8400
        IBM|0|MEXI|MXN|4400
        IBM|0|EBS|CHF|189
        SPY|237937002|ASX|AUD|860
        SPY|0|MEXI|MXN|11400
        QQQ|0|MEXI|MXN|9700
        C|0|MEXI|MXN|1240
        T|0|MEXI|MXN|420
        """

    /// Contracts that are listed abroad alone: symbol, number, exchange, currency, name, price. A fund has several in
    /// dollars, which makes its symbol ambiguous in that currency, too.
    static let abroad = """
        NESN|0|EBS|CHF|NESTLE SA|98
        CSPX|0|EBS|USD|ISHARES CORE S&P 500 UCITS|540
        CSPX|0|LSEETF|USD|ISHARES CORE S&P 500 UCITS|540
        """

    /// The wall clock of exchanges abroad: exchange, zone, open, close.
    static let venues = """
        MEXI|America/Mexico_City|830|1500
        EBS|Europe/Zurich|900|1730
        ASX|Australia/NSW|1000|1600
        LSEETF|Europe/London|800|1630
        """

    /// Indices: symbol, number, exchange, name, level, volatility in percent a year; of one that comes back to
    /// its level, what it stays above, and in how many sessions half of a deviation is gone.
    static let indices = """
        SPX|416904|CBOE|S&P 500 Stock Index|5700|16
        NDX|416843|NASDAQ|NASDAQ 100 Stock Index|19900|20
        RUT|416888|RUSSELL|Russell 2000 Stock Index|2210|22
        VIX|13455763|CBOE|CBOE Volatility Index|17|90|8|30
        """

    /// Currency pairs: symbol, number, currency, name, price, volatility in percent a year.
    static let forex = """
        EUR|12087792|USD|European Monetary Union Euro|1.1|7
        GBP|12087797|USD|British pound|1.3|8
        AUD|14433401|USD|Australian dollar|0.67|10
        NZD|0|USD|New Zealand dollar|0.61|10
        USD|15016059|JPY|United States dollar|148|10
        USD|15016062|CAD|United States dollar|1.36|6
        USD|12087820|CHF|United States dollar|0.86|8
        EUR|12087807|GBP|European Monetary Union Euro|0.84|5
        EUR|14321016|JPY|European Monetary Union Euro|162|10
        EUR|12087817|CHF|European Monetary Union Euro|0.94|5
        USD|0|MXN|United States dollar|19.5|13
        """

    /// Futures: symbol, exchange, name, multiplier, market rule, months, price, volatility in percent a year,
    /// contracts traded on a usual day, rule of the last day (see `FutureExpiry`).
    static let futures = """
        ES|CME|E-mini S&P 500|50|67|3,6,9,12|5700|16|1500000|thirdFriday
        NQ|CME|E-mini NASDAQ 100|20|67|3,6,9,12|19900|20|600000|thirdFriday
        CL|NYMEX|Light Sweet Crude Oil|1000|32|1,2,3,4,5,6,7,8,9,10,11,12|72|32|300000|beforeThe25th
        GC|COMEX|Gold|100|12|2,4,6,8,10,12|2650|15|200000|thirdLastDay
        """

    /// What options are listed on, and their market rules.
    static let optioned = """
        AAPL|110
        SPY|110
        """
}
