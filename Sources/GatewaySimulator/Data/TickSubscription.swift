import MarketSimulation
import Model
import Primitives
import TWSProtocol

/// A client's subscription to the ticks of one instrument, or its request for one set of them.
struct TickSubscription: Sendable {
    /// Whose it is.
    let client: Client
    /// What it shows.
    let listed: ListedContract
    /// What it wants beside the usual ticks.
    let generics: GenericTicks
    /// What the client allowed when it asked.
    let allowed: MarketDataMode
    /// When a snapshot ends at the latest; `nil` for a subscription.
    let endsBy: Timestamp?
    /// Whether it was cut off without a word.
    var isDead = false
    /// The mode of its data that the client was notified of.
    private(set) var mode: MarketDataMode?

    private let venues: QuoteVenues
    private var writer: TickWriter
    private let request: RequestID

    /// A subscription that has published nothing yet.
    init(
        _ request: ReqMktData, _ generics: GenericTicks, of listed: ListedContract,
        _ venues: QuoteVenues, for client: Client, allowed: MarketDataMode, endsBy: Timestamp?
    ) {
        self.client = client
        self.listed = listed
        self.venues = venues
        self.generics = generics
        self.allowed = allowed
        self.endsBy = endsBy
        self.request = request.reqId
        writer = TickWriter(request: request.reqId)
    }

    /// What its data are where the login may see `access`; `nil` where it gets none.
    func mode(with access: DataAccess, isOpen: Bool) -> MarketDataMode? {
        switch access {
        case .live:
            let takesFrozen = allowed == .frozen || allowed == .delayedFrozen
            return !isOpen && takesFrozen ? .frozen : .live
        case .delayed, .unsubscribed, .programSubscriptionMissing:
            guard allowed == .delayed || allowed == .delayedFrozen else { return nil }
            return !isOpen && allowed == .delayedFrozen ? .delayedFrozen : .delayed
        case .competingSession: return nil
        }
    }

    /// What belongs to the subscription before its first tick.
    private var beginning: GatewayMessage {
        var parameters = TickReqParams()
        parameters.reqId = request
        parameters.minTick = DecimalValue(listed.instrument.tickSize.smallest)
        parameters.bboExchange = venues.code
        parameters.snapshotPermissions = listed.contract.secType == .stock ? 3 : 1
        return .tickReqParams(parameters)
    }

    /// Publishes what is new in a view.
    mutating func show(_ view: TickView, as mode: MarketDataMode) -> [GatewayMessage] {
        var messages = self.mode == nil ? [beginning] : []
        if mode != self.mode {
            let wasDelayed = writer.isDelayed
            writer.isDelayed = mode == .delayed || mode == .delayedFrozen
            if wasDelayed != writer.isDelayed { writer.forget() }
            self.mode = mode
            var type = MarketDataType()
            type.reqId = request
            type.marketDataType = mode
            messages.append(.marketDataType(type))
        }
        if generics.hasUsual { showUsual(view, as: mode) }
        showFurther(view)
        messages += writer.take()
        return messages
    }

    /// Whether all a snapshot waits for was published.
    var isComplete: Bool {
        let required: [TickType] =
            switch listed.contract.secType {
            case .index: [.last, .high, .low, .close, .open]
            case .forex: [.bid, .ask, .high, .low, .close]
            default: [.bid, .ask, .last, .volume, .high, .low, .close, .open]
            }
        return required.allSatisfy { writer.wasPublished($0) }
    }

    private mutating func showUsual(_ view: TickView, as mode: MarketDataMode) {
        let snapshot = view.snapshot
        let kind = listed.contract.secType
        if kind != .forex, kind != .index {
            writer.number(.halted, snapshot.isHalted ? 1 : 0)
        }
        if kind != .index { showQuote(view, as: mode) }
        if kind != .forex { showLast(snapshot) }
        writer.price(.high, snapshot.high.map { DecimalValue($0) })
        writer.price(.low, snapshot.low.map { DecimalValue($0) })
        if kind != .forex, kind != .index { writer.size(.volume, shown(snapshot.volume)) }
        writer.price(.close, snapshot.previousClose.map { DecimalValue($0) })
        if kind != .forex { writer.price(.open, snapshot.open.map { DecimalValue($0) }) }
        if let option = view.option { showOption(option, snapshot, isOpen: view.isOpen) }
    }

    /// Live data of a closed market have no quote: prices of -1 and sizes of 0 show it.
    private mutating func showQuote(_ view: TickView, as mode: MarketDataMode) {
        let snapshot = view.snapshot
        let isShown = view.isOpen || mode == .frozen || mode == .delayedFrozen
        func side(_ price: Price?, _ size: Quantity) -> (DecimalValue, DecimalValue) {
            guard isShown, let price else { return (-1, 0) }
            return (DecimalValue(price), shown(size))
        }
        let attributes: Int32 = mode == .live ? 1 : 0
        let (bid, bidSize) = side(snapshot.bid, snapshot.bidSize)
        writer.pair(.bid, bid, bidSize, attributes: bid == -1 ? 0 : attributes)
        let (ask, askSize) = side(snapshot.ask, snapshot.askSize)
        writer.pair(.ask, ask, askSize, attributes: ask == -1 ? 0 : attributes)
        guard !venues.names.isEmpty, mode == .live || mode == .frozen else { return }
        writer.text(.bidExchange, bid == -1 ? "" : venues.letter(at: snapshot.bid))
        writer.text(.askExchange, ask == -1 ? "" : venues.letter(at: snapshot.ask))
    }

    private mutating func showLast(_ snapshot: MarketSnapshot) {
        guard let last = snapshot.last else { return }
        writer.pair(.last, DecimalValue(last), shown(snapshot.lastSize))
        if !venues.names.isEmpty, !writer.isDelayed {
            writer.text(.lastExchange, venues.letter(at: last))
        }
        if let time = snapshot.lastTime {
            writer.text(.lastTimestamp, String(time.wholeSeconds))
        }
    }

    /// A size as the client's version has it: in lots of a hundred shares before server version 159.
    private func shown(_ size: Quantity) -> DecimalValue {
        guard client.version.number < 159, listed.contract.secType == .stock else {
            return DecimalValue(size)
        }
        return DecimalValue(size.units / (100 * Quantity.unitsPerOne))
    }
}

extension TickSubscription {
    private mutating func showFurther(_ view: TickView) {
        let snapshot = view.snapshot
        if generics.includes(221, 220, 232), let mark = snapshot.mark {
            writer.price(.markPrice, DecimalValue(mark))
        }
        if generics.includes(233) { showVolumeText(.realTimeVolume, snapshot) }
        if generics.includes(375) { showVolumeText(.realTimeTradeVolume, snapshot) }
        if generics.includes(236) {
            // Above 2.5: at least a thousand shares can be borrowed.
            writer.number(.shortable, 3)
            writer.size(.shortableShares, DecimalValue(listed.shortableShares))
        }
        if generics.includes(456, 59) { writer.text(.ibDividends, ",,,") }
        if let figures = view.figures { show(figures) }
    }

    /// The last trade, the day's volume and its average price: `price;size;milliseconds;volume;average;single`.
    private mutating func showVolumeText(_ type: TickType, _ snapshot: MarketSnapshot) {
        guard let last = snapshot.last, let time = snapshot.lastTime else { return }
        let average = snapshot.vwap.map { DecimalValue($0).description } ?? ""
        let milliseconds = time.nanoseconds / 1_000_000
        writer.text(
            type,
            "\(DecimalValue(last));\(shown(snapshot.lastSize));\(milliseconds);"
                + "\(shown(snapshot.volume));\(average);true")
    }

    private mutating func show(_ figures: TickFigures) {
        if generics.includes(104) {
            writer.number(.optionHistoricalVolatility, ratio(figures.historicalVolatility))
        }
        if generics.includes(106) {
            writer.number(.optionImpliedVolatility, ratio(figures.impliedVolatility))
        }
        if generics.includes(411) {
            writer.number(.realTimeHistoricalVolatility, ratio(figures.historicalVolatility))
        }
        if generics.includes(165) {
            let kinds: [(low: TickType, high: TickType)] = [
                (.low13Weeks, .high13Weeks), (.low26Weeks, .high26Weeks),
                (.low52Weeks, .high52Weeks),
            ]
            for (kind, range) in zip(kinds, figures.ranges) {
                writer.price(kind.low, DecimalValue(range.low))
                writer.price(kind.high, DecimalValue(range.high))
            }
            writer.size(.averageVolume, figures.averageVolume.map { shown($0) })
        }
        if generics.includes(293) {
            writer.number(.tradeCount, figures.tradeCount.map { DecimalValue($0) })
        }
        if generics.includes(294) {
            writer.number(.tradeRate, figures.tradesPerMinute.map { DecimalValue($0) })
        }
        if generics.includes(295) {
            writer.number(.volumeRate, figures.volumePerMinute.map { shown($0) })
        }
        if generics.includes(318) {
            writer.price(.lastRegularHoursTrade, figures.lastRegularHours.map { DecimalValue($0) })
        }
        if generics.includes(595) {
            let kinds: [TickType] = [
                .shortTermVolume3Minutes, .shortTermVolume5Minutes, .shortTermVolume10Minutes,
            ]
            for (kind, volume) in zip(kinds, figures.recentVolumes) {
                writer.size(kind, shown(volume))
            }
        }
    }

    private func ratio(_ value: Double?) -> DecimalValue? { value.flatMap { DecimalValue($0) } }

    /// An option's numbers from its bid, its ask, its last price and by the model.
    private mutating func showOption(
        _ option: OptionView, _ snapshot: MarketSnapshot, isOpen: Bool
    ) {
        let bases: [(TickType, Price?, Double?)] = [
            (.bidOptionComputation, isOpen ? snapshot.bid : nil, option.bidVolatility),
            (.askOptionComputation, isOpen ? snapshot.ask : nil, option.askVolatility),
            (.lastOptionComputation, snapshot.last, option.lastVolatility),
        ]
        for (type, price, volatility) in bases {
            guard let price, let volatility else { continue }
            var model = option.model
            model.volatility = volatility
            writer.computation(
                option.message(type, volatility, model.greeks, price: DecimalValue(price)))
        }
        let value = DecimalValue(option.greeks.value) ?? .zero
        writer.computation(
            option.message(.modelOption, option.volatility, option.greeks, price: value))
    }
}

extension OptionView {
    /// The numbers as a message has them, but for its request.
    fileprivate func message(
        _ type: TickType, _ volatility: Double, _ greeks: BlackScholes.Greeks, price: DecimalValue
    ) -> TickOptionComputation {
        var message = TickOptionComputation()
        message.tickType = type
        message.tickAttrib = 1
        message.impliedVol = DecimalValue(volatility)
        message.delta = DecimalValue(greeks.delta)
        message.optPrice = price
        message.pvDividend = .zero
        message.gamma = DecimalValue(greeks.gamma)
        message.vega = DecimalValue(greeks.vega)
        message.theta = DecimalValue(greeks.theta)
        message.undPrice = DecimalValue(underlying)
        return message
    }
}
