package import ConformanceSuite
package import MarketSimulation
import MarketState
import Model
import Primitives
import Simulation
package import TWSProtocol

/// The conformance cases in the words of the wire.
extension ConformanceCase {
    /// What the market shows: trades, or quotes that are gone soon, where stops go by quotes.
    package var ticks: [MarketEvent] {
        let goesByQuotes: Bool
        switch trigger {
        case .bidAsk, .doubleBidAsk, .midpoint: goesByQuotes = true
        case nil, .last, .doubleLast, .lastOrBidAsk: goesByQuotes = false
        }
        var ticks: [MarketEvent] = []
        for minute in ConformanceSchedule(steps).steps.compactMap(\.minute) {
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
}

extension GatewayMessage {
    /// What it reports of an order; `nil` for what cases do not look at.
    package var conformanceOutcome: ConformanceCase.Outcome? {
        switch self {
        case .execDetails(let fill):
            let shares = fill.shares.quantity ?? .zero
            let price = fill.price.price ?? .zero
            return .fill(
                Int(fill.orderId.rawValue), shares.units / Quantity.unitsPerOne,
                at: price.units / (Price.unitsPerOne / 100))
        case .error(let error):
            guard error.errorCode == 202 else { return nil }
            let number = Int(error.id ?? -1)
            if error.errorString.hasSuffix("Expired") { return .expired(number) }
            return error.errorString.hasSuffix("Linked") ? .linked(number) : .cancelled(number)
        default: return nil
        }
    }

    /// A code that no case leads to, with its text; `nil` for the others.
    package var unexpectedCode: String? {
        guard case .error(let error) = self else { return nil }
        switch error.errorCode {
        // An order's end; hours, presets and attributes that make no difference, and farms.
        case 202, 399, 2109, 2104, 2106, 2158: return nil
        default:
            return "order \(error.id ?? -1) led to \(error.errorCode): \(error.errorString)"
        }
    }
}

extension ConformanceOrder {
    /// The order as clients send it.
    package var wire: Order {
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
