import ConformanceSuite
import GatewaySimulator
import MarketSimulation
import MarketState
import Model
import Primitives
import Simulation
import TWSProtocol
import Testing

/// The conformance cases at the gateway simulator, through its messages.
@Suite struct GatewayConformanceTests {
    /// A night is 250,000 steps of a gateway: those cases are played one way round.
    @Test(arguments: ConformanceCase.all.filter { !$0.isMirrored || !$0.lastsOvernight })
    func holdsThroughMessages(_ one: ConformanceCase) throws {
        let differences = one.play(on: try GatewayUnderTest(one))
        #expect(differences == [])
    }
}

/// A gateway that replays a case's market, and a client, in the words of the cases.
private final class GatewayUnderTest: ConformanceVenue {
    private let rig: GatewayRig
    private let client: ScriptedClient

    private static let contracts = GatewayContractDatabase(
        symbols: ["AAPL"], firstPrices: [:],
        on: ConformanceSchedule.session?.day ?? Day(number: 0))

    init(_ one: ConformanceCase) throws {
        var data = ReplayData()
        try data.add(ticks: Self.ticks(of: one), of: "AAPL")
        var settings = SimulatedGatewaySettings(start: ConformanceSchedule.start - .seconds(5))
        settings.market = .replay(data)
        settings.rules.limitFill = one.limitFill
        rig = GatewayRig(Gateway(settings: settings, contracts: Self.contracts))
        client = rig.begin(as: 1)
        client.take()
    }

    /// What the market shows: trades, or quotes that are gone soon, where stops go by quotes.
    private static func ticks(of one: ConformanceCase) -> [MarketEvent] {
        let goesByQuotes: Bool
        switch one.trigger {
        case .bidAsk, .doubleBidAsk, .midpoint: goesByQuotes = true
        case nil, .last, .doubleLast, .lastOrBidAsk: goesByQuotes = false
        }
        var ticks: [MarketEvent] = []
        for minute in ConformanceSchedule(one.steps).steps.compactMap(\.minute) {
            let time = minute.start + .seconds(30)
            let id = InstrumentID(index: 0)
            if goesByQuotes {
                let quote = Quote(
                    instrument: id, at: time, bid: minute.to, ask: minute.to,
                    bidSize: minute.size, askSize: minute.size)
                ticks.append(.quote(quote))
                let nothing = Quote(instrument: id, at: time + .seconds(5), bid: nil, ask: nil)
                ticks.append(.quote(nothing))
            } else {
                ticks.append(
                    .trade(
                        Trade(instrument: id, at: time, price: minute.to, size: minute.size)))
            }
            guard minute.isLast else { continue }
            ticks.append(
                .trade(
                    Trade(
                        instrument: id, at: minute.end + .seconds(1), price: minute.to,
                        size: minute.size)))
        }
        return ticks
    }

    // MARK: What happens

    func place(_ order: ConformanceOrder, as number: Int, at time: Timestamp) {
        pass(to: time)
        client.send(
            .placeOrder(
                PlaceOrder(APIOrderID(rawValue: Int32(number)), .stock("AAPL"), order.wire)))
        pass(to: rig.now + .milliseconds(500))
    }

    func modify(_ number: Int, to order: ConformanceOrder, at time: Timestamp) {
        place(order, as: number, at: time)
    }

    func cancel(_ number: Int, at time: Timestamp) {
        pass(to: time)
        var request = CancelOrder()
        request.orderId = APIOrderID(rawValue: Int32(number))
        client.send(.cancelOrder(request))
        pass(to: rig.now + .milliseconds(500))
    }

    func trade(_ minute: ConformanceMinute) {
        pass(to: minute.isLast ? minute.end + .seconds(2) : minute.end)
    }

    func pass(to time: Timestamp) {
        guard time > rig.now else { return }
        rig.pass(time - rig.now, step: .hours(1))
    }

    // MARK: What follows

    func takeOutcomes() -> [ConformanceCase.Outcome] {
        client.take().compactMap { message in
            switch message {
            case .execDetails(let fill):
                let shares = fill.shares.quantity ?? .zero
                let price = fill.price.price ?? .zero
                return .fill(
                    Int(fill.orderId.rawValue), shares.units / Quantity.unitsPerOne,
                    at: price.units / (Price.unitsPerOne / 100))
            case .error(let error): return outcome(of: error)
            default: return nil
            }
        }
    }

    private func outcome(of error: ErrorMessage) -> ConformanceCase.Outcome? {
        let number = Int(error.id ?? -1)
        switch error.errorCode {
        case 202:
            if error.errorString.hasSuffix("Expired") { return .expired(number) }
            return error.errorString.hasSuffix("Linked") ? .linked(number) : .cancelled(number)
        // Hours, presets and attributes that make no difference, and farms.
        case 399, 2109, 2104, 2106, 2158: return nil
        default:
            Issue.record("order \(number) led to \(error.errorCode): \(error.errorString)")
            return nil
        }
    }
}

extension ConformanceOrder {
    /// The order as clients send it.
    fileprivate var wire: Order {
        var order = Order()
        order.action = isPurchase ? .buy : .sell
        order.totalQuantity = DecimalValue(shares)
        order.outsideRth = isOutside
        order.parentId = parent.map { APIOrderID(rawValue: Int32($0)) } ?? 0
        if let group {
            order.ocaGroup = "group \(group)"
            order.ocaType =
                switch rule {
                case .cancelWithBlock: .cancelWithBlock
                case .reduceWithBlock: .reduceWithBlock
                case .reduceWithoutBlock: .reduceWithoutBlock
                }
        }
        order.triggerMethod =
            switch trigger {
            case nil: .standard
            case .last: .last
            case .doubleLast: .doubleLast
            case .bidAsk: .bidAsk
            case .doubleBidAsk: .doubleBidAsk
            case .lastOrBidAsk: .lastOrBidAsk
            case .midpoint: .midpoint
            }
        setTime(of: &order)
        setPrices(of: &order)
        return order
    }

    private func setTime(of order: inout Order) {
        switch time {
        case .day: order.tif = .day
        case .goodTillCancelled: order.tif = .goodTillCancelled
        case .goodTill(let minutes):
            order.tif = .goodTillDate
            order.goodTillDate = WireTime(text: "20240102 15:4\(minutes):00 US/Eastern")
        case .immediateOrCancel: order.tif = .immediateOrCancel
        case .fillOrKill: order.tif = .fillOrKill
        case .allOrNone:
            order.tif = .day
            order.allOrNone = true
        }
    }

    private func setPrices(of order: inout Order) {
        func set(_ type: WireOrderType, limit: Int64? = nil, aux: Int64? = nil) {
            order.orderType = type
            order.lmtPrice = limit.map { DecimalValue(Price(cents: $0)) }
            order.auxPrice = aux.map { DecimalValue(Price(cents: $0)) }
        }
        switch kind {
        case .market: set(.market)
        case .marketToLimit: set(.marketToLimit)
        case .limit(let price): set(.limit, limit: price)
        case .stop(let price): set(.stop, aux: price)
        case .stopLimit(let stop, let limit): set(.stopLimit, limit: limit, aux: stop)
        case .touch(let price): set(.marketIfTouched, aux: price)
        case .touchLimit(let price, let limit): set(.limitIfTouched, limit: limit, aux: price)
        case .trail(let amount): set(.trailingStop, aux: amount)
        case .trailFrom(let amount, let start):
            set(.trailingStop, aux: amount)
            order.trailStopPrice = DecimalValue(Price(cents: start))
        case .trailLimit(let amount, let start, let offset):
            set(.trailingStopLimit, aux: amount)
            order.trailStopPrice = DecimalValue(Price(cents: start))
            order.adjusted.lmtPriceOffset = DecimalValue(Price(cents: offset))
        case .marketOnOpen:
            set(.market)
            order.tif = .atTheOpening
        case .limitOnOpen(let price):
            set(.limit, limit: price)
            order.tif = .atTheOpening
        case .marketOnClose: set(.marketOnClose)
        case .limitOnClose(let price): set(.limitOnClose, limit: price)
        }
    }
}
