package import Primitives

/// What lies between the gateway and its clients' sockets: every byte of both directions passes here, and
/// can be stalled, delayed, cut into pieces or lost with its connection. No IO, no clock; seeded.
///
/// Without faults bytes pass as they come.
package struct LinkFaults: Sendable {
    /// A frame at the end of its way.
    package struct Arrival: Hashable, Sendable {
        /// Whose connection.
        package let connection: ConnectionID
        /// Which way.
        package let direction: LinkDirection
        /// What.
        package let frame: ConnectionFrame

        /// An arrival.
        package init(connection: ConnectionID, direction: LinkDirection, frame: ConnectionFrame) {
            self.connection = connection
            self.direction = direction
            self.frame = frame
        }
    }

    /// What connections yet to come suffer.
    private var defaultTerms: [LinkDirection: ConnectionTerms] = [:]
    private var queues: [ConnectionID: [LinkDirection: ConnectionQueue]] = [:]
    private var random: SeededGenerator
    /// Connections on whose wires something waits.
    private var waiting: Set<ConnectionID> = []

    /// Links without faults; delays will be drawn from `seed`.
    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Whether every byte passes as it comes, now and on connections to come.
    package var isFree: Bool {
        defaultTerms.values.allSatisfy(\.isFree)
            && queues.values.allSatisfy { pair in
                pair.values.allSatisfy { $0.terms.isFree && $0.isEmpty && $0.cut == nil }
            }
    }

    // MARK: Connections

    /// A connection came to be.
    package mutating func opened(_ id: ConnectionID) {
        var pair: [LinkDirection: ConnectionQueue] = [:]
        for direction in LinkDirection.allCases {
            pair[direction] = ConnectionQueue(terms: defaultTerms[direction] ?? ConnectionTerms())
        }
        queues[id] = pair
    }

    /// A connection is no more; what waited on it is lost.
    package mutating func closed(_ id: ConnectionID) {
        queues[id] = nil
        waiting.remove(id)
    }

    /// A frame enters a connection.
    ///
    /// - Parameter arrivals: what comes out at once.
    package mutating func push(
        _ frame: ConnectionFrame, _ direction: LinkDirection, on id: ConnectionID,
        at now: Timestamp,
        into arrivals: inout [Arrival]
    ) {
        guard queues[id] != nil else { return }
        queues[id]?[direction]?.push(frame, at: now, &random)
        pass(direction, of: id, at: now, into: &arrivals)
    }

    /// Hands over what is due by `now` in some directions: by connection, to the gateway first.
    package mutating func pass(
        _ directions: [LinkDirection] = LinkDirection.allCases, at now: Timestamp,
        into arrivals: inout [Arrival]
    ) {
        guard !waiting.isEmpty else { return }
        for id in waiting.sorted() {
            for direction in directions {
                pass(direction, of: id, at: now, into: &arrivals)
            }
        }
    }

    // MARK: Faults

    /// Changes what connections suffer.
    ///
    /// - Parameters:
    ///   - ids: which of those there are.
    ///   - lasts: connections yet to come as well.
    package mutating func change(
        _ directions: [LinkDirection], of ids: [ConnectionID], lasts: Bool,
        _ change: (inout ConnectionTerms) -> Void
    ) {
        for direction in directions {
            for id in ids {
                guard var terms = queues[id]?[direction]?.terms else { continue }
                change(&terms)
                queues[id]?[direction]?.terms = terms
            }
            if lasts { change(&defaultTerms[direction, default: ConnectionTerms()]) }
        }
    }

    /// Breaks a connection after so many more bytes in one direction.
    package mutating func cut(
        _ id: ConnectionID, _ direction: LinkDirection, after bytes: Int, by end: ConnectionFrame
    ) {
        queues[id]?[direction]?.cut = (max(1, bytes), end)
    }

    /// Ends all that is suffered; what is held passes.
    package mutating func heal() {
        defaultTerms = [:]
        for id in queues.keys.sorted() {
            for direction in LinkDirection.allCases {
                queues[id]?[direction]?.heal()
            }
        }
    }

    private mutating func pass(
        _ direction: LinkDirection, of id: ConnectionID, at now: Timestamp,
        into arrivals: inout [Arrival]
    ) {
        queues[id]?[direction]?.pass(at: now) {
            arrivals.append(Arrival(connection: id, direction: direction, frame: $0))
        }
        let isEmpty = queues[id]?.values.allSatisfy(\.isEmpty) ?? true
        if isEmpty { waiting.remove(id) } else { waiting.insert(id) }
    }
}
