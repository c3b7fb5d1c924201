import Model
package import Primitives

/// How many messages a run's orders took, as Interactive Brokers counts them: the Order Efficiency
/// Ratio of a session is (submissions + revisions + cancellations) / (executed orders + 1).
///
/// Revisions and cancellations are those asked for; an executed order is one with an execution in the
/// session.
package struct OrderEfficiency: Hashable, Sendable {
    /// The highest ratio of a session.
    package let ratio: Double
    /// The session that had it; the first of several.
    package let day: Day

    /// The ratio of a run; `nil` without orders or without sessions.
    package init?(of record: RunRecord) {
        let ends = record.sessionEnds
        guard !record.orders.isEmpty, !ends.isEmpty else { return nil }
        var tally = MessageTally(sessionEnds: ends.map(\.at))
        for order in record.orders {
            tally.count(messageAt: order.submitted)
            guard case .cancelled(.requested) = order.state, let finished = order.finishedAt else {
                continue
            }
            tally.count(messageAt: finished)
        }
        for revision in record.revisions { tally.count(messageAt: revision.at) }
        // How many sessions had begun when each order executed last; fills come in order of time.
        var executed = [Int32](repeating: 0, count: record.orders.count)
        for fill in record.fills {
            let order = Int(fill.order.number) - 1
            guard executed.indices.contains(order) else { continue }
            let session = tally.session(at: fill.execution.time)
            guard executed[order] != session + 1 else { continue }
            executed[order] = Int32(session + 1)
            tally.count(executionIn: session)
        }
        var highest = (ratio: 0.0, session: 0)
        for session in ends.indices where tally.ratio(of: session) > highest.ratio {
            highest = (tally.ratio(of: session), session)
        }
        ratio = highest.ratio
        day = ends[highest.session].day
    }
}

/// Messages and executed orders by session.
private struct MessageTally {
    private let ends: [Timestamp]
    private var messages: [Int]
    private var executions: [Int]
    /// The session of the newest question: the next one is mostly about the same.
    private var newest = 0

    init(sessionEnds ends: [Timestamp]) {
        self.ends = ends
        messages = Array(repeating: 0, count: ends.count)
        executions = messages
    }

    mutating func count(messageAt time: Timestamp) { messages[session(at: time)] += 1 }

    mutating func count(executionIn session: Int) { executions[session] += 1 }

    func ratio(of session: Int) -> Double {
        Double(messages[session]) / Double(executions[session] + 1)
    }

    /// The first session that ends at `time` or later; the last one for what comes behind it.
    mutating func session(at time: Timestamp) -> Int {
        let isNewest = time <= ends[newest] && (newest == 0 || time > ends[newest - 1])
        guard !isNewest else { return newest }
        var range = ends.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                ends[middle] < time
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        newest = min(range.lowerBound, ends.count - 1)
        return newest
    }
}
