/// The prices an instrument may have: steps by price level, from its market rule.
///
/// All arithmetic is decimal and exact. A price that is on a step stays as it is.
public struct PriceLadder: Hashable, Sendable {
    /// Steps, lowest prices first; never empty.
    private let rows: [Row]

    private struct Row: Hashable {
        /// The lowest price of the level; `nil`: there is none below which prices end.
        let edge: DecimalValue?
        let step: DecimalValue
    }

    /// The rows of a market rule, lowest prices first. Prices are above 0 and not below the first row.
    ///
    /// - Throws: when there are no rows, a step is not above 0, or edges do not rise from 0 or more.
    public init(_ rule: [PriceIncrement]) throws(PriceLadderError) {
        guard let first = rule.first else { throw .noRows }
        guard first.lowEdge >= .zero else { throw .edge(first.lowEdge) }
        for (row, next) in zip(rule, rule.dropFirst()) where row.lowEdge >= next.lowEdge {
            throw .edge(next.lowEdge)
        }
        for row in rule {
            guard row.lowEdge.isFinite else { throw .edge(row.lowEdge) }
            try Self.check(step: row.increment)
        }
        rows = rule.map { Row(edge: $0.lowEdge, step: $0.increment) }
    }

    /// One step for all prices above 0: instruments whose market rule is not known, by their `minTick`.
    ///
    /// - Throws: when the step is not above 0.
    public init(step: DecimalValue) throws(PriceLadderError) {
        try Self.check(step: step)
        rows = [Row(edge: .zero, step: step)]
    }

    private init(unbounded step: DecimalValue) { rows = [Row(edge: nil, step: step)] }

    /// One step for all prices, 0 and negative ones too: combinations.
    ///
    /// - Throws: when the step is not above 0.
    public static func spread(step: DecimalValue) throws(PriceLadderError) -> PriceLadder {
        try check(step: step)
        return PriceLadder(unbounded: step)
    }

    private static func check(step: DecimalValue) throws(PriceLadderError) {
        guard step.isFinite, step > .zero else { throw .step(step) }
    }

    /// The highest price of the ladder that is not above `price`; `nil` when there is none.
    public func roundedDown(_ price: DecimalValue) -> DecimalValue? {
        guard price.isFinite, var index = row(of: price) else { return nil }
        var result = price.roundedDown(toMultipleOf: rows[index].step)
        // No step of this level at or below the price: the highest of a level below it.
        while let edge = rows[index].edge, let found = result, found < edge {
            guard index > 0 else { return nil }
            index -= 1
            result = edge.multipleBelow(of: rows[index].step)
        }
        return result.flatMap(asPrice)
    }

    /// The lowest price of the ladder that is not below `price`; `nil` when there is none.
    public func roundedUp(_ price: DecimalValue) -> DecimalValue? {
        guard price.isFinite, var index = row(of: price) else { return nil }
        var result = price.roundedUp(toMultipleOf: rows[index].step)
        // What is reached belongs to a level above: its lowest step.
        while index + 1 < rows.count, let edge = rows[index + 1].edge, let found = result,
            found >= edge
        {
            index += 1
            result = edge.roundedUp(toMultipleOf: rows[index].step)
        }
        return result.flatMap(asPrice)
    }

    /// The step at `price`, or the coarsest one without a price or below the first level.
    public func step(at price: DecimalValue?) -> DecimalValue {
        let coarsest = rows.reduce(rows[0].step) { max($0, $1.step) }
        guard let price, let index = row(of: price) else { return coarsest }
        return rows[index].step
    }

    /// The level of a price; `nil` below the first, and for 0 where prices are above it: what was no
    /// price must not become the lowest there is.
    private func row(of price: DecimalValue) -> Int? {
        guard rows[0].edge == nil || price > .zero else { return nil }
        return rows.lastIndex { row in row.edge.map { $0 <= price } ?? true }
    }

    /// Only ladders without a lowest edge have prices of 0 and less.
    private func asPrice(_ value: DecimalValue) -> DecimalValue? {
        rows[0].edge == nil || value > .zero ? value : nil
    }
}

/// Why rows make no ladder.
public enum PriceLadderError: Error, Hashable, Sendable {
    /// There are none.
    case noRows
    /// A step is not above 0.
    case step(DecimalValue)
    /// A level begins below 0 or not above the one before it.
    case edge(DecimalValue)
}

extension PriceLadderError: CustomStringConvertible {
    /// What is wrong with the rows.
    public var description: String {
        switch self {
        case .noRows: "the market rule has no rows: ask for it again, or use minTick"
        case .step(let step): "the step \(step) of the market rule is not above 0"
        case .edge(let edge): "the level from \(edge) of the market rule is out of order"
        }
    }
}
