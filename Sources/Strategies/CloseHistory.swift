import Model
import Primitives

/// The closes of each instrument's last `lookback` + 1 bars, and when its newest bar began.
///
/// All of it lies in one array, so that a bar asks once whether somebody else holds it.
struct CloseHistory: Codable, Sendable {
    /// A head, then a block an instrument.
    private var cells: [Int64]

    // Places in the head.
    private static var stride: Int { 0 }
    private static var newest: Int { 1 }
    private static var previous: Int { 2 }
    private static var head: Int { 3 }
    // Places in an instrument's block, before the `lookback` + 1 closes of its ring.
    private static var next: Int { 0 }
    private static var missing: Int { 1 }
    private static var start: Int { 2 }
    private static var ring: Int { 3 }

    /// A history of `count` instruments before their first bars.
    ///
    /// - Parameter lookback: how many bars back a return reaches; positive.
    init(lookback: Int, count: Int) {
        precondition(lookback > 0, "a return takes time")
        let stride = Self.ring + lookback + 1
        cells = Array(repeating: 0, count: Self.head + count * stride)
        cells[Self.stride] = Int64(stride)
        cells[Self.newest] = Timestamp.distantPast.nanoseconds
        cells[Self.previous] = Timestamp.distantPast.nanoseconds
        for index in 0..<count {
            let block = Self.head + index * stride
            cells[block + Self.missing] = Int64(lookback + 1)
            cells[block + Self.start] = Timestamp.distantPast.nanoseconds
        }
    }

    /// How many bars back a return reaches.
    var lookback: Int { Int(cells[Self.stride]) - Self.ring - 1 }

    /// When the newest bar of any instrument began.
    var newestStart: Timestamp { Timestamp(nanoseconds: cells[Self.newest]) }

    /// When the newest bar began of those that began before `newestStart`.
    var previousStart: Timestamp { Timestamp(nanoseconds: cells[Self.previous]) }

    /// Takes in an instrument's next bar.
    @inline(__always)
    mutating func record(_ bar: Bar) {
        // One question whether somebody else holds the array, not one a write.
        cells.withUnsafeMutableBufferPointer { cells in
            Self.record(bar, in: cells, Int(truncatingIfNeeded: cells[Self.stride]))
        }
    }

    /// Takes in a bar. Nothing here overflows or leaves the block: the place in the ring is below its
    /// length, nobody else writes it.
    @inline(__always)
    private static func record(
        _ bar: Bar, in cells: UnsafeMutableBufferPointer<Int64>, _ stride: Int
    ) {
        // An index that overflows here is no instrument either.
        let block = Self.head &+ Int(bar.instrument.index) &* stride
        precondition(block >= Self.head && block <= cells.count &- stride, "no such instrument")
        let start = bar.start.nanoseconds
        if start > cells[Self.newest] {
            cells[Self.previous] = cells[Self.newest]
            cells[Self.newest] = start
        }
        cells[block &+ Self.start] = start
        let index = Int(truncatingIfNeeded: cells[block &+ Self.next])
        cells[block &+ Self.ring &+ index] = bar.close.units
        let isLast = index &+ Self.ring &+ 1 == stride
        cells[block &+ Self.next] = isLast ? 0 : Int64(index &+ 1)
        let missing = cells[block &+ Self.missing]
        if missing > 0 { cells[block &+ Self.missing] = missing &- 1 }
    }

    /// The change of an instrument's closes over `lookback` bars as a part of the former: 0.02 is
    /// two percent.
    ///
    /// - Returns: `nil` until there are `lookback` + 1 bars, and when the former close is not positive.
    func lookbackReturn(of instrument: InstrumentID) -> Double? {
        let block = block(of: instrument)
        guard cells[block + Self.missing] == 0 else { return nil }
        // The oldest close is where the next one goes; the newest is before it.
        let next = Int(cells[block + Self.next])
        let former = cells[block + Self.ring + next]
        let latest = cells[block + Self.ring + (next > 0 ? next - 1 : lookback)]
        guard former > 0 else { return nil }
        return Double(latest - former) / Double(former)
    }

    /// When an instrument's newest bar began; `Timestamp.distantPast` before the first.
    func newestStart(of instrument: InstrumentID) -> Timestamp {
        Timestamp(nanoseconds: cells[block(of: instrument) + Self.start])
    }

    private func block(of instrument: InstrumentID) -> Int {
        Self.head + Int(instrument.index) * Int(cells[Self.stride])
    }
}

extension CloseHistory {
    /// A saved history. Throws when it is none: `record` relies on all places in `cells`, unchecked.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        cells = try container.decode([Int64].self, forKey: .cells)
        guard isSound else {
            throw DecodingError.dataCorruptedError(
                forKey: .cells, in: container, debugDescription: "no history of closes")
        }
    }

    /// True when every place is one that `init(lookback:count:)` and `record` could have left there.
    private var isSound: Bool {
        guard cells.count >= Self.head, let stride = Int(exactly: cells[Self.stride]),
            stride >= Self.ring + 2, (cells.count - Self.head) % stride == 0
        else { return false }
        let closes = Int64(stride - Self.ring)
        return Swift.stride(from: Self.head, to: cells.count, by: stride).allSatisfy { block in
            (0..<closes).contains(cells[block + Self.next])
                && (0...closes).contains(cells[block + Self.missing])
        }
    }
}
