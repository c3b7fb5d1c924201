import Model
import Orders
import Primitives

/// A stop and a target as orders, on ticks.
///
/// A stop is rounded towards the entry, so that it loses no more than was asked for, a target away from
/// it.
struct ProtectionPrices: Equatable, Sendable, BitwiseCopyable {
    /// A stop or a trailing stop.
    private(set) var stop: OrderType?
    /// A limit.
    private(set) var target: OrderType?

    /// Prices as they are; none, if nothing is set.
    init(stop: OrderType? = nil, target: OrderType? = nil) {
        self.stop = stop
        self.target = target
    }

    /// What prices are worked out from.
    struct Basis {
        /// Which way the position is or will be opened.
        let side: Side
        /// The price that distances count from.
        let reference: Price
        /// The steps of the instrument's prices.
        let ticks: TickSize
        /// Whether an entry is to be sent: then a stop has to be behind the reference and a target ahead.
        let isEntering: Bool
    }

    /// Works out the prices; `nil` where one of them would be no price, or an average true range is not
    /// known.
    ///
    /// - Parameter range: the average true range of a length, as traded.
    init?(_ rule: Protection, _ basis: Basis, range: (Int) -> Price?) {
        guard basis.reference > .zero, basis.reference <= .magnitudeMax else { return nil }
        if let requested = rule.stop {
            guard let type = basis.stop(requested, range) else { return nil }
            stop = type
        }
        if let requested = rule.target {
            guard let type = basis.target(requested, range) else { return nil }
            target = type
        }
    }

    /// The order type of a leg.
    subscript(leg: ProtectionPlan.Leg) -> OrderType? {
        switch leg {
        case .stop: stop
        case .target: target
        }
    }

    /// The same prices for split shares; `nil` beyond what is a price.
    func adjusted(by ratio: SplitRatio, _ ticks: TickSize, _ side: Side) -> ProtectionPrices? {
        var prices = self
        if let stop {
            guard
                let adjusted = stop.adjusted(
                    by: ratio, ticks, for: side.opposite, .protection)
            else { return nil }
            prices.stop = adjusted
        }
        if let target {
            guard
                let adjusted = target.adjusted(
                    by: ratio, ticks, for: side.opposite, .protection)
            else { return nil }
            prices.target = adjusted
        }
        return prices
    }

    /// Takes the prices into a digest.
    func hash(into hasher: inout StateHasher) {
        for type in [stop, target] {
            hasher.combine(type != nil)
            type?.combine(into: &hasher)
        }
    }
}

extension ProtectionPrices.Basis {
    fileprivate func stop(_ stop: Protection.Stop, _ range: (Int) -> Price?) -> OrderType? {
        switch stop {
        case .price(let price): return fixedStop(price, isNear: isEntering)
        case .away(let distance):
            guard let distance = price(of: distance, range) else { return nil }
            let away = side == .buy ? reference - distance : reference + distance
            return fixedStop(away, isNear: true)
        case .trailing(.percent(let percent)):
            guard percent > .zero, percent < .hundred else { return nil }
            return .trailingStop(.percent(percent))
        case .trailing(let distance):
            guard let distance = price(of: distance, range), distance < reference else {
                return nil
            }
            let step = ticks.step(at: reference)
            return .trailingStop(.amount(max(distance.roundedDown(to: step), step)))
        }
    }

    /// A stop at a price, on a tick.
    ///
    /// - Parameter isNear: whether it has to be behind the reference; then it is at least a tick behind.
    private func fixedStop(_ price: Price, isNear: Bool) -> OrderType? {
        guard price > .zero, price <= .magnitudeMax,
            !isNear || (side == .buy ? price < reference : price > reference)
        else { return nil }
        var stop = price.asLimit(on: ticks, for: side.opposite)
        if isNear {
            let step = ticks.step(at: reference)
            stop =
                side == .buy
                ? min(stop, ticks.roundedDown(reference - step))
                : max(stop, ticks.roundedUp(reference + step))
        }
        return stop > .zero ? .stop(stop) : nil
    }

    fileprivate func target(_ target: Protection.Target, _ range: (Int) -> Price?) -> OrderType? {
        let requested: Price
        switch target {
        case .price(let price): requested = price
        case .away(let distance):
            guard let distance = price(of: distance, range) else { return nil }
            requested = side == .buy ? reference + distance : reference - distance
        }
        let isAhead = side == .buy ? requested > reference : requested < reference
        guard requested > .zero, requested <= .magnitudeMax, isAhead || !isEntering else {
            return nil
        }
        let limit = requested.asLimit(on: ticks, for: side.opposite)
        return limit > .zero ? .limit(limit) : nil
    }

    /// A distance as a price; `nil` where it is none.
    private func price(
        of distance: Protection.Distance, _ range: (Int) -> Price?
    ) -> Price? {
        let price: Price? =
            switch distance {
            case .amount(let amount): amount
            case .percent(let percent): percent.of(reference)
            case .range(let requested): range(requested.length).flatMap { requested.price(at: $0) }
            }
        guard let price, price > .zero, price <= .magnitudeMax else { return nil }
        return price
    }
}

// MARK: - Records

extension ProtectionPrices: RecordValue {
    /// Writes the prices that there are.
    func write(to writer: inout RecordWriter) {
        writer.write(optional: stop) { $0.write($1) }
        writer.write(optional: target) { $0.write($1) }
    }

    /// The prices as they were written.
    init(from reader: inout RecordReader) throws(RecordError) {
        stop = try reader.optional { (reader) throws(RecordError) in
            try reader.value(OrderType.self)
        }
        target = try reader.optional { (reader) throws(RecordError) in
            try reader.value(OrderType.self)
        }
    }
}
