package import Primitives

/// A way bytes travel between a client and the gateway.
package enum LinkDirection: String, CaseIterable, Sendable {
    /// From the client to the gateway.
    case toGateway = "in"
    /// From the gateway to the client.
    case toClient = "out"
}

/// What travels on a connection.
package enum Parcel: Hashable, Sendable {
    /// Bytes, in any pieces.
    case bytes([UInt8])
    /// The end of the connection, in order.
    case close
    /// The end of the connection by a reset.
    case reset
    /// The client has ended the connection.
    case gone
}

/// What one direction of a connection suffers.
package struct LaneTerms: Hashable, Sendable {
    /// Until when nothing passes; what comes is held.
    package var stalledUntil = Timestamp.distantPast
    /// How long bytes take, drawn for each piece; order is kept.
    package var delay: ClosedRange<Duration>?
    /// At most so many bytes in one piece.
    package var pieceMax: Int?
    /// The time between two pieces.
    package var pieceInterval: Duration = .zero

    /// Nothing.
    package init() {}

    /// Whether bytes pass as they come.
    package var isFree: Bool { self == LaneTerms() }
}

/// One direction of one connection: bytes that wait for their time, in wire order.
struct Lane: Sendable {
    /// More bytes than these are not held: the connection breaks, as a gateway's does whose client
    /// does not read.
    static let heldMax = 64 << 20

    /// What it suffers.
    var terms = LaneTerms()
    /// After so many more bytes the connection breaks that way.
    var cut: (left: Int, end: Parcel)?
    /// Bytes held.
    private(set) var held = 0

    private var queue: [(due: Timestamp, parcel: Parcel)] = []
    private var first = 0
    private var lastDue = Timestamp.distantPast
    private var nextSlot = Timestamp.distantPast
    private var isEnded = false

    /// A lane with those terms.
    init(terms: LaneTerms) { self.terms = terms }

    /// Whether nothing waits.
    var isEmpty: Bool { first == queue.count }

    /// When something passes next; `nil` when nothing waits.
    var nextDue: Timestamp? {
        isEmpty ? nil : max(queue[first].due, nextSlot, terms.stalledUntil)
    }

    /// Suffers nothing more: what is held comes as soon as it can.
    mutating func heal() {
        terms = LaneTerms()
        cut = nil
        lastDue = .distantPast
        nextSlot = .distantPast
        for place in first..<queue.count { queue[place].due = .distantPast }
    }

    /// Takes a parcel.
    mutating func push(_ parcel: Parcel, at now: Timestamp, _ random: inout SeededGenerator) {
        guard !isEnded else { return }
        if case .bytes(let bytes) = parcel {
            guard !bytes.isEmpty else { return }
            held += bytes.count
            guard held <= Self.heldMax else { return overflow(at: now) }
        }
        let delay = terms.delay.map { random.duration(in: $0) } ?? .zero
        lastDue = max(lastDue, now.advanced(by: delay))
        queue.append((lastDue, parcel))
    }

    /// Hands over what passes until `now`, in order.
    mutating func pass(at now: Timestamp, _ body: (Parcel) -> Void) {
        while let due = nextDue, due <= now, !isEnded {
            switch queue[first].parcel {
            case .bytes(let bytes): pass(bytes, at: due, body)
            case .close, .reset, .gone:
                let parcel = queue[first].parcel
                end()
                body(parcel)
            }
        }
        if isEmpty {
            queue.removeAll(keepingCapacity: true)
            first = 0
        }
    }

    private mutating func pass(_ bytes: [UInt8], at due: Timestamp, _ body: (Parcel) -> Void) {
        var count = min(bytes.count, max(1, terms.pieceMax ?? bytes.count))
        if let cut { count = min(count, cut.left) }
        if count > 0 {
            held -= count
            body(.bytes(count == bytes.count ? bytes : Array(bytes[..<count])))
        }
        if count == bytes.count {
            first += 1
        } else {
            queue[first].parcel = .bytes(Array(bytes[count...]))
        }
        if terms.pieceMax != nil { nextSlot = due.advanced(by: terms.pieceInterval) }
        guard let left = cut?.left, let end = cut?.end else { return }
        cut?.left = left - count
        if left == count {
            self.end()
            body(end)
        }
    }

    private mutating func end() {
        isEnded = true
        queue.removeAll()
        first = 0
        held = 0
    }

    private mutating func overflow(at now: Timestamp) {
        end()
        isEnded = false
        terms = LaneTerms()
        queue.append((now, .reset))
    }
}

extension SeededGenerator {
    /// A length of time within `range`, to the nanosecond.
    mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        let shortest = range.lowerBound.nanoseconds
        let spread = range.upperBound.nanoseconds.subtractingReportingOverflow(shortest)
        guard spread.partialValue > 0, !spread.overflow else { return range.lowerBound }
        let drawn = next() % (UInt64(spread.partialValue) + 1)
        return Duration(nanoseconds: shortest + Int64(drawn))
    }

    /// Whether something with that share happens, `share` of 0 to 1.
    mutating func happens(_ share: Double) -> Bool { share >= 1 || nextUniform() < share }
}

extension Timestamp {
    /// A later instant, not beyond the last one there is.
    func advanced(by time: Duration) -> Timestamp {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(time.nanoseconds)
        return overflow ? .distantFuture : Timestamp(nanoseconds: sum)
    }
}
