// The ticks by name, in the order of their numbers.

extension TickType {
    /// Size of the best bid.
    public static let bidSize = TickType(code: 0)
    /// Best bid.
    public static let bid = TickType(code: 1)
    /// Best ask.
    public static let ask = TickType(code: 2)
    /// Size of the best ask.
    public static let askSize = TickType(code: 3)
    /// Last trade's price.
    public static let last = TickType(code: 4)
    /// Last trade's size.
    public static let lastSize = TickType(code: 5)
    /// The day's high.
    public static let high = TickType(code: 6)
    /// The day's low.
    public static let low = TickType(code: 7)
    /// The day's volume.
    public static let volume = TickType(code: 8)
    /// The previous session's close.
    public static let close = TickType(code: 9)
    /// Computed from an option's bid.
    public static let bidOptionComputation = TickType(code: 10)
    /// Computed from an option's ask.
    public static let askOptionComputation = TickType(code: 11)
    /// Computed from an option's last price.
    public static let lastOptionComputation = TickType(code: 12)
    /// Computed by the broker's model of an option.
    public static let modelOption = TickType(code: 13)
    /// The day's first price.
    public static let open = TickType(code: 14)
    /// Low of 13 weeks.
    public static let low13Weeks = TickType(code: 15)
    /// High of 13 weeks.
    public static let high13Weeks = TickType(code: 16)
    /// Low of 26 weeks.
    public static let low26Weeks = TickType(code: 17)
    /// High of 26 weeks.
    public static let high26Weeks = TickType(code: 18)
    /// Low of 52 weeks.
    public static let low52Weeks = TickType(code: 19)
    /// High of 52 weeks.
    public static let high52Weeks = TickType(code: 20)
    /// Average daily volume of 90 days.
    public static let averageVolume = TickType(code: 21)
    /// Open interest.
    public static let openInterest = TickType(code: 22)
    /// Volatility of the last 30 days.
    public static let optionHistoricalVolatility = TickType(code: 23)
    /// Volatility that option prices imply.
    public static let optionImpliedVolatility = TickType(code: 24)
    /// Exchanges of an option's bid.
    public static let optionBidExchange = TickType(code: 25)
    /// Exchanges of an option's ask.
    public static let optionAskExchange = TickType(code: 26)
    /// Open interest of calls.
    public static let optionCallOpenInterest = TickType(code: 27)
    /// Open interest of puts.
    public static let optionPutOpenInterest = TickType(code: 28)
    /// Volume of calls.
    public static let optionCallVolume = TickType(code: 29)
    /// Volume of puts.
    public static let optionPutVolume = TickType(code: 30)
    /// Points by which an index future exceeds its index.
    public static let indexFuturePremium = TickType(code: 31)
    /// Exchanges of the best bid.
    public static let bidExchange = TickType(code: 32)
    /// Exchanges of the best ask.
    public static let askExchange = TickType(code: 33)
    /// Units an auction would trade now.
    public static let auctionVolume = TickType(code: 34)
    /// Price an auction would have now.
    public static let auctionPrice = TickType(code: 35)
    /// Units an auction would leave over now.
    public static let auctionImbalance = TickType(code: 36)
    /// The broker's price for margins.
    public static let markPrice = TickType(code: 37)
    /// EFP at the bid.
    public static let bidEFPComputation = TickType(code: 38)
    /// EFP at the ask.
    public static let askEFPComputation = TickType(code: 39)
    /// EFP at the last price.
    public static let lastEFPComputation = TickType(code: 40)
    /// EFP at the open.
    public static let openEFPComputation = TickType(code: 41)
    /// EFP at the high.
    public static let highEFPComputation = TickType(code: 42)
    /// EFP at the low.
    public static let lowEFPComputation = TickType(code: 43)
    /// EFP at the close.
    public static let closeEFPComputation = TickType(code: 44)
    /// The last trade's time, in seconds since 1970 UTC.
    public static let lastTimestamp = TickType(code: 45)
    /// Above 2.5: 1000 shares at least can be borrowed. Above 1.5: they have to be located. Less: none.
    public static let shortable = TickType(code: 46)
    /// Not in use.
    public static let notUsed = TickType(code: 47)
    /// `price;size;milliseconds;volume;average price;single trade` of a trade that counts.
    public static let realTimeVolume = TickType(code: 48)
    /// -1 unknown, 0 trading, 1 halted, 2 halted for volatility.
    public static let halted = TickType(code: 49)
    /// A bond's yield at the bid.
    public static let bidYield = TickType(code: 50)
    /// A bond's yield at the ask.
    public static let askYield = TickType(code: 51)
    /// A bond's yield at the last price.
    public static let lastYield = TickType(code: 52)
    /// Computed from what the user entered.
    public static let customOptionComputation = TickType(code: 53)
    /// The day's trades.
    public static let tradeCount = TickType(code: 54)
    /// Trades a minute.
    public static let tradeRate = TickType(code: 55)
    /// Volume a minute.
    public static let volumeRate = TickType(code: 56)
    /// The last trade's price in regular hours.
    public static let lastRegularHoursTrade = TickType(code: 57)
    /// Volatility of the last 30 days, as of now.
    public static let realTimeHistoricalVolatility = TickType(code: 58)
    /// Dividends: past twelve months, next twelve months, next date, next amount.
    public static let ibDividends = TickType(code: 59)
    /// A bond's factor of what is still owed.
    public static let bondFactorMultiplier = TickType(code: 60)
    /// Imbalance that the exchange has published.
    public static let regulatoryImbalance = TickType(code: 61)
    /// A headline.
    public static let newsTick = TickType(code: 62)
    /// Volume of three minutes.
    public static let shortTermVolume3Minutes = TickType(code: 63)
    /// Volume of five minutes.
    public static let shortTermVolume5Minutes = TickType(code: 64)
    /// Volume of ten minutes.
    public static let shortTermVolume10Minutes = TickType(code: 65)
    /// Best bid, delayed.
    public static let delayedBid = TickType(code: 66)
    /// Best ask, delayed.
    public static let delayedAsk = TickType(code: 67)
    /// Last trade's price, delayed.
    public static let delayedLast = TickType(code: 68)
    /// Size of the best bid, delayed.
    public static let delayedBidSize = TickType(code: 69)
    /// Size of the best ask, delayed.
    public static let delayedAskSize = TickType(code: 70)
    /// Last trade's size, delayed.
    public static let delayedLastSize = TickType(code: 71)
    /// The day's high, delayed.
    public static let delayedHigh = TickType(code: 72)
    /// The day's low, delayed.
    public static let delayedLow = TickType(code: 73)
    /// The day's volume, delayed.
    public static let delayedVolume = TickType(code: 74)
    /// The previous session's close, with delayed data.
    public static let delayedClose = TickType(code: 75)
    /// The day's first price, delayed.
    public static let delayedOpen = TickType(code: 76)
    /// As `realTimeVolume`, without trades that are not reported.
    public static let realTimeTradeVolume = TickType(code: 77)
    /// The price the broker marks at.
    public static let creditmanMarkPrice = TickType(code: 78)
    /// The same, changed slowly.
    public static let creditmanSlowMarkPrice = TickType(code: 79)
    /// Computed from an option's delayed bid.
    public static let delayedBidOption = TickType(code: 80)
    /// Computed from an option's delayed ask.
    public static let delayedAskOption = TickType(code: 81)
    /// Computed from an option's delayed last price.
    public static let delayedLastOption = TickType(code: 82)
    /// Computed by the broker's model, delayed.
    public static let delayedModelOption = TickType(code: 83)
    /// Exchange of the last trade.
    public static let lastExchange = TickType(code: 84)
    /// The last trade's time by the exchange.
    public static let lastRegulatoryTime = TickType(code: 85)
    /// Open interest of futures.
    public static let futuresOpenInterest = TickType(code: 86)
    /// Average volume of options.
    public static let averageOptionVolume = TickType(code: 87)
    /// The last trade's time, delayed.
    public static let delayedLastTimestamp = TickType(code: 88)
    /// Shares that can be borrowed.
    public static let shortableShares = TickType(code: 89)
    /// As `halted`, delayed.
    public static let delayedHalted = TickType(code: 90)
    /// Prices of mutual funds.
    public static let reuters2MutualFunds = TickType(code: 91)
    /// A fund's net asset value at the close.
    public static let etfNAVClose = TickType(code: 92)
    /// A fund's net asset value at the close before.
    public static let etfNAVPriorClose = TickType(code: 93)
    /// A fund's net asset value at the bid.
    public static let etfNAVBid = TickType(code: 94)
    /// A fund's net asset value at the ask.
    public static let etfNAVAsk = TickType(code: 95)
    /// A fund's net asset value, last.
    public static let etfNAVLast = TickType(code: 96)
    /// A fund's net asset value, last before it froze.
    public static let etfFrozenNAVLast = TickType(code: 97)
    /// A fund's highest net asset value.
    public static let etfNAVHigh = TickType(code: 98)
    /// A fund's lowest net asset value.
    public static let etfNAVLow = TickType(code: 99)
    /// Opinions counted in social media.
    public static let socialMarketAnalytics = TickType(code: 100)
    /// Middle of a new issue's price range (server version 172).
    public static let estimatedIPOMidpoint = TickType(code: 101)
    /// A new issue's final price (server version 172).
    public static let finalIPOLast = TickType(code: 102)
    /// A bond's yield at the bid, delayed.
    public static let delayedYieldBid = TickType(code: 103)
    /// A bond's yield at the ask, delayed.
    public static let delayedYieldAsk = TickType(code: 104)
    /// Best bid of odd lots.
    public static let oddLotBid = TickType(code: 105)
    /// Best ask of odd lots.
    public static let oddLotAsk = TickType(code: 106)
    /// Size of the best bid of odd lots.
    public static let oddLotBidSize = TickType(code: 107)
    /// Size of the best ask of odd lots.
    public static let oddLotAskSize = TickType(code: 108)
    /// Exchanges of the best bid of odd lots.
    public static let oddLotBidExchange = TickType(code: 109)
    /// Exchanges of the best ask of odd lots.
    public static let oddLotAskExchange = TickType(code: 110)
}
