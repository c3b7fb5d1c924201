package import Model
package import Primitives
import TWSClient
package import TWSProtocol

/// The broker's market data for the instruments of a run: the requests that ask for them, and the bars in the answers.
package struct MarketDataFeed: Sendable {
    private let contracts: ContractIndex
    private let codes: CodePolicy
    private var clock = GatewayClock(zone: nil)
    private var nextRequest = GatewayVenue.firstDataRequest
    /// What each open request asks for.
    private var open: [RequestID: Question] = [:]

    private struct Question: Sendable {
        let instrument: InstrumentID
        var content: Content
    }

    private enum Content: Sendable {
        /// Bars of five seconds as they close.
        case fiveSecondBars
        /// Bars of the past, as far as they came.
        case history(barSize: Duration, bars: [Bar])
    }

    /// What a message brings.
    package enum Update: Sendable {
        /// A bar of five seconds is complete.
        case fiveSecondBar(Bar)
        /// Nothing traded in five seconds, up to that time.
        case nothingTraded(InstrumentID, until: Timestamp)
        /// Bars of the past, oldest first.
        case history(InstrumentID, [Bar])
        /// Bars of the past were refused.
        case historyRefused(InstrumentID, Refusal)
        /// Bars of five seconds do not come, or no more.
        case fiveSecondBarsRefused(InstrumentID, Refusal)
    }

    /// Why data do not come, in the gateway's words.
    package struct Refusal: Hashable, Sendable {
        /// The code.
        package let code: Int
        /// The text.
        package let text: String
        /// What an owner should do.
        package let advice: String
        /// True where asking once more later may help.
        package let mayPass: Bool
    }

    /// A feed without requests.
    package init(_ contracts: [TradedContract], codes: CodePolicy = .standard) {
        self.contracts = ContractIndex(contracts)
        self.codes = codes
    }

    // MARK: Asking

    /// The request for an instrument's bars of five seconds; `nil` for one without a contract.
    package mutating func subscribe(_ instrument: InstrumentID, outsideRTH: Bool) -> (
        RequestID, ClientMessage
    )? {
        guard let contract = contracts.contract(of: instrument) else { return nil }
        var message = ReqRealTimeBars()
        message.reqId = makeRequest(Question(instrument: instrument, content: .fiveSecondBars))
        message.contract = contract
        message.whatToShow = .trades
        message.useRTH = !outsideRTH
        return (message.reqId, .reqRealTimeBars(message))
    }

    /// The request for an instrument's bars of the past up to now; `nil` for one without a contract and for a size
    /// that the gateway does not have. Bars of a day begin at midnight UTC of their day: hours are a calendar's.
    ///
    /// - Parameter duration: how far back.
    package mutating func history(
        of instrument: InstrumentID, barSize: Duration, _ duration: HistoryDuration,
        outsideRTH: Bool
    ) -> (RequestID, ClientMessage)? {
        guard let contract = contracts.contract(of: instrument), let size = WireBarSize(barSize)
        else { return nil }
        var message = ReqHistoricalData()
        message.reqId = makeRequest(
            Question(instrument: instrument, content: .history(barSize: barSize, bars: [])))
        message.contract = contract
        message.barSizeSetting = size
        message.durationStr = duration
        message.useRTH = !outsideRTH
        message.whatToShow = .trades
        message.formatDate = .epoch
        return (message.reqId, .reqHistoricalData(message))
    }

    /// The open requests for an instrument's bars of five seconds.
    private func streams(of instrument: InstrumentID) -> [RequestID] {
        open.filter { _, question in
            guard case .fiveSecondBars = question.content else { return false }
            return question.instrument == instrument
        }.keys.sorted()
    }

    /// The requests that end an instrument's bars of five seconds, if there are any, and ask for them anew; none while the
    /// one before waits to leave: its turn would be lost.
    package mutating func renew(
        _ instrument: InstrumentID, outsideRTH: Bool, _ isQueued: (RequestID) -> Bool
    ) -> [ClientMessage] {
        let former = streams(of: instrument)
        guard !former.contains(where: isQueued) else { return [] }
        var messages = PlantedBug.subscriptionDoubled.isPlanted ? [] : former.map(Self.end)
        for request in former { open[request] = nil }
        if let (_, message) = subscribe(instrument, outsideRTH: outsideRTH) {
            messages.append(message)
        }
        return messages
    }

    /// The requests that end all bars of five seconds: one that was under way while the broker lost the others may live.
    package var ends: [ClientMessage] {
        open.filter { _, question in
            if case .fiveSecondBars = question.content { true } else { false }
        }.keys.sorted().map(Self.end)
    }

    private static func end(of request: RequestID) -> ClientMessage {
        var end = CancelRealTimeBars()
        end.reqId = request
        return .cancelRealTimeBars(end)
    }

    /// Gives up a request, if it is open: its answer counts for nothing.
    package mutating func abandon(_ request: RequestID) -> Bool {
        open.removeValue(forKey: request) != nil
    }

    /// Gives up the requests for an instrument's past bars: their answers count for nothing.
    package mutating func abandonHistory(of instrument: InstrumentID) -> [RequestID] {
        let given = open.filter { request, question in
            guard question.instrument == instrument, case .history = question.content else {
                return false
            }
            return true
        }.keys.sorted()
        for request in given { open[request] = nil }
        return given
    }

    /// Forgets all requests: they were of another connection, or the broker has lost them.
    ///
    /// - Returns: those that were open.
    @discardableResult
    package mutating func forget() -> [RequestID] {
        defer { open.removeAll() }
        return open.keys.sorted()
    }

    private mutating func makeRequest(_ question: Question) -> RequestID {
        defer { nextRequest += 1 }
        let request = RequestID(rawValue: nextRequest)
        open[request] = question
        return request
    }

    // MARK: Answers

    /// Takes in an event of the session.
    ///
    /// - Returns: what it brings, and the request that is over with it.
    package mutating func take(_ event: SessionEvent) -> (update: Update?, finished: RequestID?) {
        switch event {
        case .agreed(let agreement, _):
            clock = GatewayClock(connectionTime: agreement.connectionTime)
            open.removeAll()
            return (nil, nil)
        case .message(let message, _): return take(message)
        case .rejected, .link, .asked, .answered, .resubscribe, .syncStalled, .silence, .unsent,
            .disconnected:
            return (nil, nil)
        }
    }

    private mutating func take(_ message: GatewayMessage) -> (Update?, RequestID?) {
        switch message {
        case .realTimeBar(let message): return (take(message), nil)
        case .historicalData(let message): return take(message)
        case .historicalDataEnd(let message): return finishHistory(message.reqId)
        case .error(let message): return take(message)
        default: return (nil, nil)
        }
    }

    private func take(_ message: RealTimeBar) -> Update? {
        guard let question = open[message.reqId], case .fiveSecondBars = question.content,
            let start = WireTime.epoch(message.time).timestamp
        else { return nil }
        let bar = bar(
            of: question.instrument, start, .seconds(5),
            (message.open, message.high, message.low, message.close), message.volume)
        return bar.map { .fiveSecondBar($0) }
            ?? .nothingTraded(question.instrument, until: start + .seconds(5))
    }

    private mutating func take(_ message: HistoricalData) -> (Update?, RequestID?) {
        guard let question = open[message.reqId],
            case .history(let barSize, var bars) = question.content
        else { return (nil, nil) }
        for one in message.bars {
            guard let start = start(of: one.date) else { continue }
            let bar = bar(
                of: question.instrument, start, barSize, (one.open, one.high, one.low, one.close),
                one.volume)
            if let bar { bars.append(bar) }
        }
        open[message.reqId]?.content = .history(barSize: barSize, bars: bars)
        // Newer versions send an end of its own.
        return message.end == .none ? (nil, nil) : finishHistory(message.reqId)
    }

    /// The start of a bar: midnight UTC of its day where the gateway names only that.
    private func start(of time: WireTime) -> Timestamp? {
        if case .day(let day) = time { return Timestamp(day: day) }
        return clock.timestamp(of: time)
    }

    private mutating func finishHistory(_ request: RequestID) -> (Update?, RequestID?) {
        guard let question = open[request], case .history(_, let bars) = question.content else {
            return (nil, nil)
        }
        open[request] = nil
        return (.history(question.instrument, bars), request)
    }

    private mutating func take(_ message: ErrorMessage) -> (Update?, RequestID?) {
        guard let id = message.id, let question = open[RequestID(rawValue: id)] else {
            return (nil, nil)
        }
        let code = Int(message.errorCode)
        let reading = codes.reading(of: code, text: message.errorString, after: .begin)
        switch reading.effect {
        case .none, .subscriptionStays, .delayedFollows: return (nil, nil)
        default: break
        }
        let refusal = Refusal(
            code: code, text: message.errorString, advice: reading.advice,
            mayPass: reading.effect == .backOff || reading.cause == .noService)
        let request = RequestID(rawValue: id)
        open[request] = nil
        switch question.content {
        case .fiveSecondBars:
            return (.fiveSecondBarsRefused(question.instrument, refusal), request)
        case .history: return (.historyRefused(question.instrument, refusal), request)
        }
    }

    /// A bar in exact numbers; `nil` for one that makes no sense or in which nothing traded.
    private func bar(
        of instrument: InstrumentID, _ start: Timestamp, _ barSize: Duration,
        _ prices: (
            open: DecimalValue, high: DecimalValue, low: DecimalValue, close: DecimalValue
        ), _ volume: DecimalValue?
    ) -> Bar? {
        guard let open = prices.open.roundedPrice, let high = prices.high.roundedPrice,
            let low = prices.low.roundedPrice, let close = prices.close.roundedPrice,
            let volume = volume?.roundedUnits(digits: Quantity.digits).map(Quantity.init(units:)),
            volume > .zero, volume <= .magnitudeMax, low > .zero, low <= min(open, close),
            high >= max(open, close)
        else { return nil }
        return Bar(
            instrument: instrument, start: start, barSize: barSize, open: open, high: high,
            low: low, close: close, volume: volume)
    }
}

extension WireBarSize {
    /// The gateway's bars of a length; `nil` where it has none.
    fileprivate init?(_ barSize: Duration) {
        let seconds = barSize.nanoseconds / 1_000_000_000
        let known = WireBarSize.known.first { $0.seconds.map(Int64.init) == seconds }
        guard let known, Duration.seconds(seconds) == barSize else { return nil }
        self = known
    }
}
