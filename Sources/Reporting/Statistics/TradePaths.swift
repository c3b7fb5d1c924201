import Accounting
import Model
package import Primitives

/// What happened to a round trip on its way.
package struct TradePath: Hashable, Sendable {
    /// Maximum adverse excursion: the lowest gross profit it showed, realised and open together;
    /// at most zero, where it began. `nil` beyond what `Money` can hold.
    package let lowest: Money?
    /// Maximum favourable excursion: the highest gross profit it showed; at least zero. `nil` beyond
    /// what `Money` can hold.
    package let highest: Money?
    /// What its fills cost against their reference prices: positive was paid, negative gained;
    /// `nil` when a fill has none.
    package let slippage: Money?
}

/// The paths of a run's round trips.
///
/// Between two fills, the whole bars count: all that was held is valued at their lows and highs.
/// Each fill's own price counts too. A bar within which an order filled counts for what was held
/// before it, up to the fill's price where a stop or limit reduced the position, and not for what
/// was held after: the order of prices within a bar is not known.
///
/// A fill's reference price is the limit of a limit order, the trigger of a stop order, and for a
/// market order the open of the bar that begins when it fills.
package struct TradePaths: Sendable {
    /// A path for each of `RoundTrips.closed` of the same fills.
    package private(set) var closed: [TradePath] = []

    /// What is held in every strategy and instrument, strategies in rows.
    private var slots: [OpenPath?] = []

    /// The paths of a run's trades.
    package init(of record: RunRecord, in prices: some PriceHistory) {
        var prices = prices
        var splits = PendingSplits(record.actions)
        for fill in record.fills where fill.execution.quantity > .zero {
            while let split = splits.next(by: fill.execution.time) {
                take(split, record.instruments, &prices)
            }
            let instrument = fill.execution.instrument
            let slot =
                Int(fill.strategy.index) * record.instruments.count + Int(instrument.index)
            let type = record.orderType(of: fill.order)
            let finished = book(PathFill(execution: fill.execution, type: type), slot, &prices)
            guard let finished else { continue }
            let multiplier = record.instruments[Int(instrument.index)].multiplier
            closed.append(TradePath(of: finished, multiplier: multiplier))
        }
        while let split = splits.next(by: .distantFuture) {
            take(split, record.instruments, &prices)
        }
    }

    /// Exchanges what is held of an instrument for the shares behind a split.
    private mutating func take(
        _ split: PendingSplits.Split, _ instruments: [Instrument], _ prices: inout some PriceHistory
    ) {
        let first = Int(split.booked.action.instrument.index)
        for slot in stride(from: first, to: slots.count, by: instruments.count) {
            guard var path = slots[slot] else { continue }
            path.exchange(split, in: &prices)
            slots[slot] = path
            guard path.held == .zero else { continue }
            closed.append(TradePath(of: path, multiplier: instruments[first].multiplier))
            slots[slot] = nil
        }
    }

    /// Books a fill and returns the trade that it ended, if it did.
    private mutating func book(
        _ fill: PathFill, _ slot: Int, _ prices: inout some PriceHistory
    ) -> OpenPath? {
        var fill = fill
        while slots.count <= slot { slots.append(nil) }
        guard var path = slots[slot] else {
            fill.refer(to: &prices)
            slots[slot] = OpenPath(opening: fill, quantity: fill.execution.quantity)
            return nil
        }
        if let range = path.range(until: fill, in: &prices) {
            path.note(range.low)
            path.note(range.high)
        }
        // Asked for here, it is where the range ended: elsewhere, it has to be looked for.
        fill.refer(to: &prices)
        let remainder = path.take(fill)
        guard path.held == .zero else {
            slots[slot] = path
            return nil
        }
        slots[slot] = remainder > .zero ? OpenPath(opening: fill, quantity: remainder) : nil
        return path
    }
}

extension TradePath {
    fileprivate init(of path: OpenPath, multiplier: Int64) {
        lowest = (path.lowest * multiplier).roundedIfRepresentable()
        highest = (path.highest * multiplier).roundedIfRepresentable()
        slippage = path.slippage.flatMap { ($0 * multiplier).roundedIfRepresentable() }
    }
}

/// A fill with what is known about its order.
private struct PathFill {
    let execution: Execution
    let type: OrderType?
    /// What the order meant to trade at; `nil` until `refer`, and where nobody knows.
    private var reference: Price?

    init(execution: Execution, type: OrderType?) {
        self.execution = execution
        self.type = type
    }

    /// Looks up the reference price: the order's own, or else the one its bar began with.
    mutating func refer(to prices: inout some PriceHistory) {
        reference =
            type?.reference ?? prices.open(of: execution.instrument, at: execution.time)
    }

    /// What a share cost more, or brought less, than the reference price.
    var slippage: Price? {
        guard let reference else { return nil }
        switch execution.side {
        case .buy: return execution.price - reference
        case .sell: return reference - execution.price
        }
    }

    /// `range` of the bar in which it filled, as far as it was seen before: a stop ends a move
    /// against the position, a limit one in its favour.
    func seenBefore(_ range: PriceRange) -> PriceRange {
        var seen = range
        switch (type, execution.side) {
        case (.stop, .sell), (.trailingStop, .sell), (.limit, .buy):
            seen.low = max(range.low, execution.price)
        case (.stop, .buy), (.trailingStop, .buy), (.limit, .sell):
            seen.high = min(range.high, execution.price)
        case (.market, _), (.stopLimit, _), (.marketOnOpen, _), (.limitOnOpen, _),
            (.marketOnClose, _), (.limitOnClose, _), (nil, _):
            break
        }
        return seen
    }
}

/// A trade on its way. Amounts are those of one share a contract.
private struct OpenPath {
    let instrument: InstrumentID
    let side: Side
    private(set) var held: Quantity
    private(set) var lowest = ExactMoney.zero
    private(set) var highest = ExactMoney.zero
    private(set) var slippage: ExactMoney?
    /// What fills have brought in, less what they have paid out.
    private var cash: ExactMoney
    private var since: Timestamp

    init(opening fill: PathFill, quantity: Quantity) {
        let execution = fill.execution
        instrument = execution.instrument
        side = execution.side
        held = quantity
        cash = -(execution.price * execution.side.signed(quantity))
        since = execution.time
        slippage = fill.slippage.map { $0 * quantity }
    }

    /// The prices of whole bars since the fill before, as far as they were seen before `fill`.
    func range(until fill: PathFill, in prices: inout some PriceHistory) -> PriceRange? {
        let time = fill.execution.time
        guard time > since, let all = prices.range(of: instrument, from: since, to: time) else {
            return nil
        }
        let seen = fill.execution.side == side ? all : fill.seenBefore(all)
        guard seen != all else { return all }
        // Only the bar that ends with the fill is cut, not those before.
        let timestamp = Timestamp(nanoseconds: time.nanoseconds - 1)
        guard let before = prices.range(of: instrument, from: since, to: timestamp) else {
            return seen
        }
        return PriceRange(low: min(before.low, seen.low), high: max(before.high, seen.high))
    }

    /// Values the old shares at the prices up to a split, and exchanges them; fractions of a share are
    /// paid in cash.
    mutating func exchange(_ split: PendingSplits.Split, in prices: inout some PriceHistory) {
        guard let exchanged = split.ratio.exchanged(side.signed(held)) else { return }
        let opening = split.booked.action.exOpening
        if opening > since {
            if let before = prices.range(of: instrument, from: since, to: opening) {
                note(before.low)
                note(before.high)
            }
            since = opening
        }
        // What fractions are paid for.
        if let price = split.booked.price { note(price) }
        cash += split.booked.worth(ofRemainder: exchanged.remainder, after: split.ratio)
        held = exchanged.whole.magnitude
    }

    /// Values what is held at `price`.
    mutating func note(_ price: Price) {
        let gross = cash + price * side.signed(held)
        lowest = min(lowest, gross)
        highest = max(highest, gross)
    }

    /// Books a fill and returns how much of it is behind the end of the trade.
    mutating func take(_ fill: PathFill) -> Quantity {
        let execution = fill.execution
        note(execution.price)
        let isEntry = execution.side == side
        let part = isEntry ? execution.quantity : min(held, execution.quantity)
        cash += -(execution.price * execution.side.signed(part))
        held = isEntry ? held + part : held - part
        since = execution.time
        if let total = slippage, let share = fill.slippage {
            slippage = total + share * part
        } else {
            slippage = nil
        }
        return execution.quantity - part
    }
}

extension OrderType {
    /// The price an order of this type is measured by, whatever the market does.
    fileprivate var reference: Price? { limitPrice ?? stopPrice }
}

extension RunRecord {
    /// How an order found its price; `nil` for one that is not of this run.
    fileprivate func orderType(of order: OrderID) -> OrderType? {
        let index = Int(order.number) - 1
        guard orders.indices.contains(index), orders[index].ticket.id == order else { return nil }
        return orders[index].ticket.request.type
    }
}
