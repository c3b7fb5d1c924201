import MarketSimulation
import Primitives
import TWSProtocol
import Testing

@testable import GatewaySimulator

/// What a client asks of data, in short.
extension ScriptedClient {
    /// Subscribes to ticks, or asks for a snapshot.
    func subscribe(
        _ id: RequestID, _ contract: Contract, generics: String = "", snapshot: Bool = false
    ) {
        var request = ReqMktData()
        request.reqId = id
        request.contract = contract
        request.genericTickList = generics
        request.snapshot = snapshot
        send(.reqMktData(request))
    }

    /// Ends a subscription to ticks.
    func unwatch(_ id: RequestID) {
        var request = CancelMktData()
        request.reqId = id
        send(.cancelMktData(request))
    }

    /// Chooses what subscriptions may be served with.
    func allow(_ mode: MarketDataMode) {
        var request = ReqMarketDataType()
        request.marketDataType = mode
        send(.reqMarketDataType(request))
    }

    /// Subscribes to an order book.
    func subscribeOrderBook(
        _ id: RequestID, _ contract: Contract, rows: Int32, isSmart: Bool = true
    ) {
        var request = ReqMktDepth()
        request.reqId = id
        request.contract = contract
        request.numRows = rows
        request.isSmartDepth = isSmart
        send(.reqMktDepth(request))
    }

    /// Subscribes to every tick.
    func subscribeEveryTick(
        _ id: RequestID, _ contract: Contract, _ kind: TickByTickKind, past: Int32 = 0
    ) {
        var request = ReqTickByTickData()
        request.reqId = id
        request.contract = contract
        request.tickType = kind
        request.numberOfTicks = past
        send(.reqTickByTickData(request))
    }

    /// Subscribes to five-second bars.
    func subscribeBars(
        _ id: RequestID, _ contract: Contract, _ kind: WhatToShow = .trades, useRTH: Bool = false
    ) {
        var request = ReqRealTimeBars()
        request.reqId = id
        request.contract = contract
        request.whatToShow = kind
        request.useRTH = useRTH
        send(.reqRealTimeBars(request))
    }

    /// Asks for bars of the past.
    func askBars(
        _ id: RequestID, _ duration: HistoryDuration, _ size: WireBarSize,
        _ kind: WhatToShow = .trades, of contract: Contract = .stock("AAPL"),
        _ change: (inout ReqHistoricalData) -> Void = { _ in }
    ) {
        var request = ReqHistoricalData()
        request.reqId = id
        request.contract = contract
        request.durationStr = duration
        request.barSizeSetting = size
        request.whatToShow = kind
        change(&request)
        send(.reqHistoricalData(request))
    }

    /// The bars a request was answered with; `nil` where it was not.
    func bars(_ id: RequestID) -> [HistoricalBar]? {
        for case .historicalData(let answer) in messages where answer.reqId == id {
            return answer.bars
        }
        return nil
    }

    /// The codes told about a request, in order.
    func codes(about id: RequestID) -> [Int32] {
        messages.compactMap {
            guard case .error(let error) = $0, error.id == id.rawValue else { return nil }
            return error.errorCode
        }
    }

    /// The text of the last code that was told.
    var lastText: String? {
        messages.compactMap { message -> String? in
            guard case .error(let error) = message else { return nil }
            return error.errorString
        }.last
    }

    /// The ticks told about a request, each as its kind's name, in order.
    func ticks(_ id: RequestID) -> [String] {
        messages.compactMap { message in
            switch message {
            case .tickReqParams(let tick) where tick.reqId == id: "parameters"
            case .marketDataType(let tick) where tick.reqId == id:
                "type \(tick.marketDataType.code)"
            case .tickPrice(let tick) where tick.reqId == id: tick.tickType.description
            case .tickSize(let tick) where tick.reqId == id: tick.tickType.description
            case .tickString(let tick) where tick.reqId == id: tick.tickType.description
            case .tickGeneric(let tick) where tick.reqId == id: tick.tickType.description
            case .tickOptionComputation(let tick) where tick.reqId == id: tick.tickType.description
            case .tickSnapshotEnd(let tick) where tick.reqId == id: "end"
            default: nil
            }
        }
    }

    /// The prices told of a kind, in order.
    func prices(_ id: RequestID, _ type: TickType) -> [DecimalValue] {
        messages.compactMap {
            guard case .tickPrice(let tick) = $0, tick.reqId == id, tick.tickType == type else {
                return nil
            }
            return tick.price
        }
    }
}

extension GatewayRig {
    /// A session that has begun, with what it was told taken.
    func dataClient(version: Int = ServerVersion.newest.number) -> ScriptedClient {
        let client = begin(as: 1, version: version)
        client.take()
        return client
    }
}

extension GatewayRig {
    /// Breaks a farm or makes it well again.
    func setFarm(_ service: FarmService, isUp: Bool) {
        let state = isUp ? "ok" : "broken"
        _ = gateway.control(
            #"{"do":"farm","service":"\#(service.rawValue)","state":"\#(state)"}"#)
        deliver()
    }
}

extension Contract {
    /// An instrument by its kind, symbol and exchange.
    static func of(
        _ kind: SecurityType, _ symbol: String, _ exchange: String, _ currency: String = "USD"
    ) -> Contract {
        var contract = Contract()
        contract.secType = kind
        contract.symbol = symbol
        contract.exchange = exchange
        contract.currency = currency
        return contract
    }
}

extension GatewayRig {
    /// Whether the market tells the gateway of an instrument as time passes.
    func follows(_ id: InstrumentID) -> Bool {
        var market = gateway.market
        var events: [MarketEvent] = []
        market.advance(to: market.now + .seconds(30), into: &events)
        return events.contains { $0.instrument == id }
    }
}
