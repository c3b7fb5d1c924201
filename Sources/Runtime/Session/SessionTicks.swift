import Configuration
import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue
import TradingEngine

/// The quotes and trades that a session's strategies see, beside its bars.
///
/// What came between two turns of the loop is events together, in the order in which it came, with the end of their
/// slice behind them; of an instrument's quotes between which nothing else came only the newest is one. A quote that may
/// be old is taken back by one without bid and ask: when the link or a farm is lost, a stream is silent, its data are
/// delayed or its prices are doubted, and at the close.
struct SessionTicks: Sendable {
    /// What is asked for.
    struct Plan: Sendable {
        /// The run's instruments, in their order.
        let instruments: [InstrumentID]
        /// The instruments whose quotes are asked for.
        var quotes: [InstrumentID] = []
        /// The instruments whose trades are asked for.
        var trades: [InstrumentID] = []
        /// Which time belongs to which session.
        let calendar: SessionCalendar
        /// The instruments of which strategies have seen a quote that they still know.
        var known: Set<InstrumentID> = []
        /// How many times as long streams may be silent.
        var patience: Int64 = 1

        /// True if nothing is asked for.
        var isEmpty: Bool { quotes.isEmpty && trades.isEmpty }
    }

    private let plan: Plan
    private var streams: TickStreams
    /// True once the streams were asked for in this connection.
    private var areAsked = false
    /// What ends streams that the broker has lost: one that was under way meanwhile may live.
    private var ends: [ClientMessage] = []
    private var quotes: DataMonitor
    private var trades: DataMonitor
    private var prices: PriceMonitor
    /// The newest quote of each instrument that is no event yet.
    private var changed: [Quote?]
    /// Their instruments, in the order in which they changed first.
    private var changes: [InstrumentID] = []
    /// What strategies have been shown, by instrument.
    private var shown: [Quote?]
    private var pending: [Event.Kind] = []
    private var isOpen = false
    private var isNew = true

    /// How long a stream may be silent though its instrument trades, by its bars.
    static let tradingSilence = Duration.seconds(30)
    /// How far the streams of one instrument may be behind each other.
    static let flightMax = Duration.seconds(5)
    /// How long quotes may be silent where nothing tells that their instrument trades.
    static let quietSilence = Duration.minutes(5)

    /// No streams yet.
    init(_ plan: Plan, _ streams: TickStreams) {
        self.plan = plan
        self.streams = streams
        quotes = DataMonitor(
            plan.quotes, of: plan.instruments.count, plan.calendar, patience: plan.patience)
        trades = DataMonitor(
            plan.trades, of: plan.instruments.count, plan.calendar, patience: plan.patience)
        prices = PriceMonitor(plan.instruments)
        changed = plan.instruments.map { _ in nil }
        // What strategies know from before is taken back first.
        shown = plan.instruments.map {
            plan.known.contains($0)
                ? Quote(instrument: $0, at: .distantPast, bid: .zero, ask: .zero) : nil
        }
    }

    // MARK: Messages

    /// Takes in an event of the session.
    ///
    /// - Returns: requests that are over.
    mutating func take(_ event: SessionEvent, at now: Timestamp) -> [RequestID] {
        guard !plan.isEmpty else { return [] }
        switch event {
        case .resubscribe(.ofNewConnection), .resubscribe(.all), .disconnected:
            areAsked = false
            takeBackAll(at: now)
            let isSameConnection = event == .resubscribe(.all)
            ends = isSameConnection ? ends + streams.ends : []
            return streams.forget()
        case .link(.upstreamLost, _), .link(.dataDegraded, _):
            loseAll(at: now)
            return []
        default: break
        }
        let (update, finished) = streams.take(event, at: now)
        switch update {
        case .quote(let quote): take(quote, at: now)
        case .trade(let trade): take(trade, at: now)
        case .sign(let instrument, .quotes): quotes.received(instrument, at: now)
        case .sign(let instrument, .trades): trades.received(instrument, at: now)
        case .refused(let instrument, .quotes, let code):
            lose(instrument, at: now)
            quotes.lacks(instrument, code: code, at: now)
        case .refused(let instrument, .trades, let code):
            trades.lacks(instrument, code: code, at: now)
        case nil: break
        }
        return finished.map { [$0] } ?? []
    }

    private mutating func take(_ quote: Quote, at now: Timestamp) {
        quotes.received(quote.instrument, at: now)
        guard isOpen else { return }
        change(prices.admitted(quote, at: now))
    }

    private mutating func take(_ trade: Trade, at now: Timestamp) {
        trades.received(trade.instrument, at: now)
        guard isOpen, prices.admits(trade, at: now) else { return }
        // What came before it is shown before it.
        if changed[Int(trade.instrument.index)] != nil {
            changes.removeAll { $0 == trade.instrument }
            show(trade.instrument)
        }
        pending.append(.trade(trade))
    }

    private mutating func change(_ quote: Quote) {
        let index = Int(quote.instrument.index)
        if changed[index] == nil { changes.append(quote.instrument) }
        changed[index] = quote
    }

    /// Prices that may be old by now are not known any more.
    private mutating func lose(_ instrument: InstrumentID, at now: Timestamp) {
        streams.forgetPrices(of: instrument)
        takeBack(instrument, at: now)
    }

    private mutating func loseAll(at now: Timestamp) {
        for instrument in plan.quotes { lose(instrument, at: now) }
    }

    private mutating func takeBack(_ instrument: InstrumentID, at now: Timestamp) {
        let index = Int(instrument.index)
        guard changed[index] != nil || shown[index]?.hasPrices == true else { return }
        change(Quote(instrument: instrument, at: now, bid: nil, ask: nil))
    }

    private mutating func takeBackAll(at now: Timestamp) {
        for instrument in plan.instruments { takeBack(instrument, at: now) }
    }

    // MARK: Time

    /// Asks for streams, and anew for those that are silent or doubted. To be called once bars come as they close.
    ///
    /// - Parameters:
    ///   - newestTrade: tells when an instrument has traded by its bars; `nil` where that is not known.
    ///   - isQueued: tells whether a request waits to leave still.
    mutating func review(
        at now: Timestamp, newestTrade: (InstrumentID) -> Timestamp?,
        _ isQueued: (RequestID) -> Bool
    ) -> [ClientMessage] {
        guard !plan.isEmpty else { return [] }
        guard areAsked else {
            areAsked = true
            quotes.began(at: now)
            trades.began(at: now)
            defer { ends.removeAll() }
            return ends + plan.quotes.compactMap { streams.subscribe($0, .quotes) }
                + plan.trades.compactMap { streams.subscribe($0, .trades) }
        }
        func isTrading(_ instrument: InstrumentID, _ newest: Timestamp) -> Bool {
            guard now - newest > Self.tradingSilence.times(plan.patience) else { return false }
            return newestTrade(instrument).map { $0 > newest + Self.flightMax } ?? false
        }
        var messages: [ClientMessage] = []
        let silent = quotes.takeSilent(at: now) { instrument, newest in
            isTrading(instrument, newest) || now - newest > Self.quietSilence.times(plan.patience)
        }
        for instrument in silent {
            lose(instrument, at: now)
            messages += streams.renew(instrument, .quotes, isQueued)
        }
        for instrument in trades.takeSilent(at: now, isTrading) {
            messages += streams.renew(instrument, .trades, isQueued)
        }
        for instrument in prices.takeRenewals(at: now) {
            if plan.quotes.contains(instrument) {
                messages += streams.renew(instrument, .quotes, isQueued)
            }
            if plan.trades.contains(instrument) {
                messages += streams.renew(instrument, .trades, isQueued)
            }
        }
        return messages
    }

    /// Takes in that time has passed: outside regular hours nothing is shown.
    mutating func advance(to now: Timestamp) {
        if isNew {
            isNew = false
            takeBackAll(at: now)
        }
        guard !plan.isEmpty else { return }
        let isOpen = plan.calendar.session(containing: now) != nil
        guard isOpen != self.isOpen else { return }
        self.isOpen = isOpen
        prices.forget()
        if !isOpen { takeBackAll(at: now) }
    }

    /// Takes in what strategies are shown of bars: a second source of prices.
    mutating func confirm(_ events: [Event.Kind]) {
        guard !plan.isEmpty else { return }
        for event in events {
            switch event {
            case .bar(let bar) where bar.barSize < plan.calendar.sessionLength,
                .history(let bar) where bar.barSize < plan.calendar.sessionLength:
                prices.confirm([bar])
            default: break
            }
        }
    }

    // MARK: Events

    /// Takes what strategies are to be shown, and the end of its slice.
    mutating func takeEvents() -> [Event.Kind] {
        guard !changes.isEmpty || !pending.isEmpty else { return [] }
        for instrument in changes { show(instrument) }
        changes.removeAll(keepingCapacity: true)
        guard !pending.isEmpty else { return [] }
        defer { pending.removeAll(keepingCapacity: true) }
        return pending + [.sliceClosed]
    }

    private mutating func show(_ instrument: InstrumentID) {
        let index = Int(instrument.index)
        guard let quote = changed[index] else { return }
        changed[index] = nil
        if let former = shown[index], former.isSame(as: quote) { return }
        if shown[index] == nil, !quote.hasPrices { return }
        shown[index] = quote
        pending.append(.quote(quote))
    }

    /// What began and ended with quotes.
    mutating func takeQuoteReports() -> [ConditionReport] { quotes.takeReports() }

    /// What began and ended with trades.
    mutating func takeTradeReports() -> [ConditionReport] { trades.takeReports() }

    /// What began and ended with the prices of either.
    mutating func takePriceReports() -> [ConditionReport] { prices.takeReports() }

    /// The instruments whose prices have jumped and are not confirmed.
    var doubted: [InstrumentID] { prices.doubtedInstruments }

    /// When something came of an instrument's quotes; `nil` where none are asked for.
    func newestQuote(of instrument: InstrumentID) -> Timestamp? {
        plan.quotes.contains(instrument) ? quotes.newest(of: instrument) : nil
    }

    /// When something came of an instrument's trades; `nil` where none are asked for.
    func newestTrade(of instrument: InstrumentID) -> Timestamp? {
        plan.trades.contains(instrument) ? trades.newest(of: instrument) : nil
    }
}

extension SessionTicks.Plan {
    /// The ticks that a configuration asks for.
    ///
    /// - Parameters:
    ///   - bars: the bars of the session, of the same instruments.
    ///   - listeners: what strategies act on.
    init(
        _ bars: SessionBars.Plan, _ settings: TradingSettings,
        _ listeners: EngineSetup.TickListeners
    ) {
        func chosen(_ choice: TickChoice, _ auto: [InstrumentID]) -> [InstrumentID] {
            switch choice {
            case .auto: bars.traded.filter { auto.contains($0) }
            case .on: bars.traded
            case .off: []
            }
        }
        self.init(instruments: bars.instruments, calendar: bars.calendar)
        patience = bars.patience
        quotes = chosen(settings.quotes, listeners.quotes)
        trades = chosen(settings.trades, listeners.trades)
    }

    /// Why the login cannot have all of these streams beside those of bars, in a sentence; `nil` if it can.
    ///
    /// - Parameters:
    ///   - lines: its market data lines.
    ///   - barStreams: how many streams of bars there are.
    func shortfall(lines: Int, barStreams: Int) -> String? {
        let required = quotes.count + barStreams
        if required > lines, !quotes.isEmpty {
            return
                "Quotes of \(quotes.count) symbols and \(barStreams) streams of bars need \(required) market "
                + "data lines, and ibkr.market_data_lines is \(lines): set it to what the login has, or "
                + "trading.quotes: off."
        }
        let most = max(1, lines / 20)
        guard trades.count > most else { return nil }
        return
            "Trades of \(trades.count) symbols are wanted, and the broker publishes every trade of "
            + "\(most) at a time with ibkr.market_data_lines: \(lines). Set it to what the login has, name "
            + "fewer symbols in strategies.*.symbols, or set trading.trades: off."
    }
}

extension Quote {
    /// True if it has a bid or an ask.
    fileprivate var hasPrices: Bool { bid != nil || ask != nil }

    /// True if another says the same, whenever that was.
    fileprivate func isSame(as other: Quote) -> Bool {
        bid == other.bid && ask == other.ask && bidSize == other.bidSize
            && askSize == other.askSize
    }
}
