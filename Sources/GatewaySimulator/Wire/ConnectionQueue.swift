package import Primitives

/// A way bytes travel between a client and the gateway.
package enum LinkDirection: String, CaseIterable, Sendable {
    /// From the client to the gateway.
    case toGateway = "in"
    /// From the gateway to the client.
    case toClient = "out"
}

/// What travels on a connection.
package enum ConnectionFrame: Hashable, Sendable {
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
package struct ConnectionTerms: Hashable, Sendable {
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
    package var isFree: Bool { self == ConnectionTerms() }
}

/// One direction of one connection: bytes that wait for their time, in wire order.
struct ConnectionQueue: Sendable {
    /// More bytes than these are not held: the connection breaks, as a gateway's does whose client
    /// does not read.
    static let queuedBytesMax = 64 << 20

    /// What it suffers.
    var terms = ConnectionTerms()
    /// After so many more bytes the connection breaks that way.
    var cut: (remaining: Int, end: ConnectionFrame)?
    /// Bytes held.
    private(set) var queuedBytes = 0

    private var queue: [(due: Timestamp, frame: ConnectionFrame)] = []
    private var first = 0
    private var lastDue = Timestamp.distantPast
    private var nextSlot = Timestamp.distantPast
    private var isClosed = false

    /// A queue with those terms.
    init(terms: ConnectionTerms) { self.terms = terms }

    /// Whether nothing waits.
    var isEmpty: Bool { first == queue.count }

    /// When something passes next; `nil` when nothing waits.
    var nextDue: Timestamp? {
        isEmpty ? nil : max(queue[first].due, nextSlot, terms.stalledUntil)
    }

    /// Suffers nothing more: what is held comes as soon as it can.
    mutating func heal() {
        terms = ConnectionTerms()
        cut = nil
        lastDue = .distantPast
        nextSlot = .distantPast
        for index in first..<queue.count { queue[index].due = .distantPast }
    }

    /// Takes a frame.
    mutating func push(_ frame: ConnectionFrame, at now: Timestamp, _ random: inout SeededGenerator)
    {
        guard !isClosed else { return }
        if case .bytes(let bytes) = frame {
            guard !bytes.isEmpty else { return }
            queuedBytes += bytes.count
            guard queuedBytes <= Self.queuedBytesMax else { return overflow(at: now) }
        }
        let delay = terms.delay.map { random.duration(in: $0) } ?? .zero
        lastDue = max(lastDue, now.advanced(by: delay))
        queue.append((lastDue, frame))
    }

    /// Hands over what passes until `now`, in order.
    mutating func pass(at now: Timestamp, _ body: (ConnectionFrame) -> Void) {
        while let due = nextDue, due <= now, !isClosed {
            switch queue[first].frame {
            case .bytes(let bytes): pass(bytes, at: due, body)
            case .close, .reset, .gone:
                let frame = queue[first].frame
                end()
                body(frame)
            }
        }
        if isEmpty {
            queue.removeAll(keepingCapacity: true)
            first = 0
        }
    }

    private mutating func pass(
        _ bytes: [UInt8], at due: Timestamp, _ body: (ConnectionFrame) -> Void
    ) {
        var count = min(bytes.count, max(1, terms.pieceMax ?? bytes.count))
        if let cut { count = min(count, cut.remaining) }
        if count > 0 {
            queuedBytes -= count
            body(.bytes(count == bytes.count ? bytes : Array(bytes[..<count])))
        }
        if count == bytes.count {
            first += 1
        } else {
            queue[first].frame = .bytes(Array(bytes[count...]))
        }
        if terms.pieceMax != nil { nextSlot = due.advanced(by: terms.pieceInterval) }
        guard let remaining = cut?.remaining, let end = cut?.end else { return }
        cut?.remaining = remaining - count
        if remaining == count {
            self.end()
            body(end)
        }
    }

    private mutating func end() {
        isClosed = true
        queue.removeAll()
        first = 0
        queuedBytes = 0
    }

    private mutating func overflow(at now: Timestamp) {
        end()
        isClosed = false
        terms = ConnectionTerms()
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
    /// A later time, not beyond the last one there is.
    func advanced(by time: Duration) -> Timestamp {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(time.nanoseconds)
        return overflow ? .distantFuture : Timestamp(nanoseconds: sum)
    }
}
