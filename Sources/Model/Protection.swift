public import Primitives

/// What rests at the venue to close a position for as long as it is held: a stop, a target, or both.
///
/// One pair for the whole position of a strategy in an instrument. What one of them fills, the other
/// loses. Prices are fixed when the entry is sent: distances count from its own price, or from the
/// newest one where it has none.
public struct Protection: Hashable, Codable, Sendable, BitwiseCopyable {
    /// Where a loss ends.
    public let stop: Stop?
    /// Where a gain is taken.
    public let target: Target?

    /// Where a loss ends.
    public enum Stop: Hashable, Codable, Sendable, BitwiseCopyable {
        /// At a price.
        case price(Price)
        /// So far from the entry.
        case away(Distance)
        /// So far behind the best price since it began to work; it never goes back.
        case trailing(Distance)
    }

    /// Where a gain is taken.
    public enum Target: Hashable, Codable, Sendable, BitwiseCopyable {
        /// At a price.
        case price(Price)
        /// So far from the entry.
        case away(Distance)
    }

    /// How far a price is from another.
    public enum Distance: Hashable, Codable, Sendable, BitwiseCopyable {
        /// An amount a share; positive.
        case amount(Price)
        /// A part of the other price; positive.
        case percent(Percent)
        /// A multiple of the average true range.
        case range(RangeDistance)
    }

    /// A stop, and perhaps a target.
    public init(stop: Stop, target: Target? = nil) {
        self.stop = stop
        self.target = target
    }

    /// A target alone.
    public init(target: Target) {
        stop = nil
        self.target = target
    }
}

/// So many times the average true range of so many bars.
public struct RangeDistance: Hashable, Codable, Sendable, BitwiseCopyable {
    /// The bars of the average; positive.
    public let length: Int
    /// How many times the range; 100 percent is once.
    public let times: Percent

    /// A distance.
    public init(length: Int, times: Percent) {
        self.length = length
        self.times = times
    }

    /// The distance as a price, rounded down; `nil` when it is nothing.
    public func price(at range: Price) -> Price? { times.of(range) }
}

extension Protection {
    /// The lengths of the average true ranges that its distances count in.
    package var rangeLengths: [Int] {
        let distances = [stop?.distance, target?.distance]
        return distances.compactMap { distance in
            guard case .range(let range) = distance else { return nil }
            return range.length
        }
    }

    /// The same with each of its prices and amounts replaced.
    package func mapPrices(_ replacement: (Price) -> Price) -> Protection {
        Protection(
            stop: stop.map { stop in
                switch stop {
                case .price(let price): .price(replacement(price))
                case .away(let distance): .away(distance.mapPrices(replacement))
                case .trailing(let distance): .trailing(distance.mapPrices(replacement))
                }
            },
            target: target.map { target in
                switch target {
                case .price(let price): .price(replacement(price))
                case .away(let distance): .away(distance.mapPrices(replacement))
                }
            })
    }

    private init(stop: Stop?, target: Target?) {
        self.stop = stop
        self.target = target
    }
}

extension Protection {
    /// A saved protection. Throws when it is neither a stop nor a target.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        stop = try container.decodeIfPresent(Stop.self, forKey: .stop)
        target = try container.decodeIfPresent(Target.self, forKey: .target)
        guard stop != nil || target != nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .stop, in: container, debugDescription: "neither a stop nor a target")
        }
    }
}

extension Protection.Stop {
    /// How far it is, unless it is a price.
    fileprivate var distance: Protection.Distance? {
        switch self {
        case .price: nil
        case .away(let distance), .trailing(let distance): distance
        }
    }
}

extension Protection.Target {
    /// How far it is, unless it is a price.
    fileprivate var distance: Protection.Distance? {
        switch self {
        case .price: nil
        case .away(let distance): distance
        }
    }
}

extension Protection.Distance {
    fileprivate func mapPrices(_ replacement: (Price) -> Price) -> Protection.Distance {
        switch self {
        case .amount(let amount): .amount(replacement(amount))
        case .percent, .range: self
        }
    }
}

extension Percent {
    /// This share of a positive price, rounded down; `nil` when it is nothing or cannot be represented.
    package func of(_ price: Price) -> Price? {
        let units = Int128(price.units) * Int128(units) / Int128(Percent.hundred.units)
        guard units > 0 else { return nil }
        return Int64(exactly: units).map(Price.init(units:))
    }
}
