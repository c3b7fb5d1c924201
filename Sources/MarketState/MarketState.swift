public import Model
public import Primitives

/// What is known of every instrument's market now.
public struct MarketState: ~Copyable {
    /// The run's instruments; an `InstrumentID` is an index into it.
    public let instruments: [Instrument]
    /// The last price of each instrument's newest complete bar, or of its newest trade if that came
    /// later.
    @usableFromInline var prices: FixedArray<Price?>
    @usableFromInline var quotes: FixedArray<Quote?>
    @usableFromInline var trades: FixedArray<Trade?>

    /// Nothing known yet about `instruments`.
    public init(instruments: [Instrument]) {
        self.instruments = instruments
        prices = FixedArray(repeating: nil, count: instruments.count)
        quotes = FixedArray(repeating: nil, count: instruments.count)
        trades = FixedArray(repeating: nil, count: instruments.count)
    }

    /// The newest price of an instrument that was paid, if there was one: of a bar or a trade, and of
    /// quotes only where the run says that nobody trades.
    @inlinable
    public func latestPrice(of instrument: InstrumentID) -> Price? { prices[instrument] }

    /// The newest quote of an instrument, if there was one: the last that arrived.
    public func latestQuote(of instrument: InstrumentID) -> Quote? { quotes[instrument] }

    /// The newest trade in an instrument, if there was one: the last that arrived.
    public func latestTrade(of instrument: InstrumentID) -> Trade? { trades[instrument] }

    /// How old what is known of an instrument is: the time since its newest quote or trade, by the
    /// exchange's clock. So delayed data is old when it arrives.
    ///
    /// - Returns: never negative, though the exchange's clock may be ahead of ours; `nil` while
    ///   there was neither. Bars do not count: they show how they end only when they are over.
    public func age(of instrument: InstrumentID, at time: Timestamp) -> Duration? {
        let times = (quotes[instrument]?.at, trades[instrument]?.at)
        guard let last = times.0.map({ max($0, times.1 ?? $0) }) ?? times.1 else { return nil }
        return max(time - last, .zero)
    }

    /// Takes in a complete bar.
    @inlinable
    package mutating func record(_ bar: Bar) { prices[bar.instrument] = bar.close }

    /// Takes in what an instrument is worth that is quoted and never traded.
    package mutating func record(price: Price, of instrument: InstrumentID) {
        prices[instrument] = price
    }

    /// Takes in the price that a bar before a split is worth behind it.
    package mutating func record(adjusted price: Price, of instrument: InstrumentID) {
        prices[instrument] = price
    }

    /// Takes in a quote. It changes no price: nobody paid it yet.
    @inlinable
    package mutating func record(_ quote: Quote) { quotes[quote.instrument] = quote }

    /// Takes in a trade; its price is the instrument's newest.
    @inlinable
    package mutating func record(_ trade: Trade) {
        trades[trade.instrument] = trade
        prices[trade.instrument] = trade.price
    }

    /// What is known of one instrument.
    package struct Quotation: Sendable, BitwiseCopyable {
        fileprivate let price: Price?
        fileprivate let quote: Quote?
        fileprivate let trade: Trade?
    }

    /// What is known of an instrument now.
    package func quotation(of instrument: InstrumentID) -> Quotation {
        Quotation(
            price: prices[instrument], quote: quotes[instrument], trade: trades[instrument])
    }

    /// Takes an instrument back to what was known of it.
    package mutating func restore(_ quotation: Quotation, of instrument: InstrumentID) {
        prices[instrument] = quotation.price
        quotes[instrument] = quotation.quote
        trades[instrument] = quotation.trade
    }

    /// Takes the state into a digest.
    package func hash(into hasher: inout StateHasher) {
        for index in 0..<prices.count {
            hash(prices[index]?.units, into: &hasher)
            hash(quotes[index], into: &hasher)
            hash(trades[index], into: &hasher)
        }
    }

    private func hash(_ quote: Quote?, into hasher: inout StateHasher) {
        hasher.combine(quote != nil)
        guard let quote else { return }
        hasher.combine(quote.at)
        hash(quote.bid?.units, into: &hasher)
        hash(quote.ask?.units, into: &hasher)
        hash(quote.bidSize?.units, into: &hasher)
        hash(quote.askSize?.units, into: &hasher)
    }

    private func hash(_ trade: Trade?, into hasher: inout StateHasher) {
        hasher.combine(trade != nil)
        guard let trade else { return }
        hasher.combine(trade.at)
        hasher.combine(trade.price)
        hasher.combine(trade.size)
    }

    private func hash(_ units: Int64?, into hasher: inout StateHasher) {
        hasher.combine(units != nil)
        hasher.combine(units ?? 0)
    }
}

/// What is known of markets as records: the topic `market`.
extension MarketState {
    /// Writes a record for each instrument of which anything is known.
    package func write(to writer: inout RecordWriter) {
        for index in 0..<prices.count {
            let (price, quote, trade) = (prices[index], quotes[index], trades[index])
            guard price != nil || quote != nil || trade != nil else { continue }
            writer.item(.market) { writer in
                writer.write(InstrumentID(index: index))
                writer.write(optional: price)
                writer.write(optional: quote)
                writer.write(optional: trade)
            }
        }
    }

    /// Takes in what is known of one instrument.
    package mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        guard reader.topic == .market else { throw reader.damage }
        let instrument = try reader.instrument()
        let price = try reader.optional(Price.self)
        let quote = try reader.optional(Quote.self)
        let trade = try reader.optional(Trade.self)
        try reader.finish()
        guard Int(instrument.index) < prices.count, quote?.instrument ?? instrument == instrument,
            trade?.instrument ?? instrument == instrument
        else { throw reader.damage }
        restore(Quotation(price: price, quote: quote, trade: trade), of: instrument)
    }
}
