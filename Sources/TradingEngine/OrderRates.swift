import Model
import Primitives

/// How many orders a strategy may send before its entries are stopped.
package struct OrderRateLimits: Hashable, Sendable {
    /// Within a minute of the clock; positive.
    package let perMinute: Int
    /// Within a day of the market's; positive.
    package let perDay: Int
    /// How many messages its orders may take on a day for each that was executed, and one; positive, `nil` for any number.
    /// See `OrderRates.messagesMin`.
    package var efficiencyMax: Int?

    /// Limits for each strategy.
    package init(perMinute: Int, perDay: Int, efficiencyMax: Int? = nil) {
        self.perMinute = perMinute
        self.perDay = perDay
        self.efficiencyMax = efficiencyMax
    }
}

/// How many orders each strategy has sent within the present minute and the present day, and how many messages they took
/// for how many that were executed.
///
/// All orders count, exits and protection too; only entries are kept back. Messages are counted where a broker counts
/// them. Interactive Brokers' Order Efficiency Ratio is (submissions + revisions + cancellations) / (executed orders + 1).
struct OrderRates: Sendable {
    private let limits: OrderRateLimits?
    /// By strategy.
    private var counts: [Count]

    /// What a strategy has sent.
    private struct Count: Hashable, Sendable {
        /// The minute of the newest order, counted from 1970.
        var minute = Int64.min
        /// How many in it.
        var inMinute = 0
        /// The day of the newest order.
        var day = Int32.min
        /// How many in it.
        var inDay = 0
        /// How many orders, changes and cancels in it; none without a broker.
        var messages = 0
        /// How many of its orders had their first execution in it.
        var executed = 0

        /// True where messages or executed orders are counted.
        var hasMessages: Bool { messages > 0 || executed > 0 }

        /// Takes in that it is another day.
        mutating func begin(_ day: Day?) {
            guard let day, self.day != day.number else { return }
            self.day = day.number
            inDay = 0
            messages = 0
            executed = 0
        }
    }

    /// A limit that is reached.
    struct Breach: Hashable, Sendable {
        /// How many were sent.
        let count: Int
        /// How many may be.
        let limit: Int
        /// How many of the orders were executed, where the limit depends on them.
        var executed: Int?
    }

    /// From how many messages on of a day their ratio to executed orders counts.
    static let messagesMin = 100

    /// No orders yet.
    init(_ limits: OrderRateLimits?, strategyCount: Int) {
        self.limits = limits
        counts = Array(repeating: Count(), count: strategyCount)
    }

    /// True if orders are counted.
    var isOn: Bool { limits != nil }

    /// The limit that another entry of a strategy would break; `nil` where it would break none.
    ///
    /// - Parameter others: how many orders are sent before it that are not counted yet.
    func breach(
        of strategy: StrategyID, at now: Timestamp, on day: Day?, behind others: Int = 0
    ) -> Breach? {
        guard let limits else { return nil }
        let count = counts[Int(strategy.index)]
        let inMinute = (count.minute == now.minute ? count.inMinute : 0) + others
        if inMinute >= limits.perMinute {
            return Breach(count: inMinute, limit: limits.perMinute)
        }
        guard count.day == day?.number else {
            return others >= limits.perDay ? Breach(count: others, limit: limits.perDay) : nil
        }
        let inDay = count.inDay + others
        if inDay >= limits.perDay { return Breach(count: inDay, limit: limits.perDay) }
        return inefficiency(of: count, limits, behind: others)
    }

    /// The breach that another order's message would be: more of them than may be for the orders that were executed.
    private func inefficiency(
        of count: Count, _ limits: OrderRateLimits, behind others: Int
    ) -> Breach? {
        guard count.messages > 0, let ratio = limits.efficiencyMax else { return nil }
        let messages = count.messages + others
        let (allowed, overflows) = (count.executed + 1).multipliedReportingOverflow(by: ratio)
        guard messages >= Self.messagesMin, !overflows, messages >= allowed else { return nil }
        return Breach(count: messages, limit: allowed, executed: count.executed)
    }

    /// Takes in that a strategy has sent an order.
    mutating func count(_ strategy: StrategyID, at now: Timestamp, on day: Day?) {
        guard isOn else { return }
        let index = Int(strategy.index)
        let minute = now.minute
        if counts[index].minute != minute {
            counts[index].minute = minute
            counts[index].inMinute = 0
        }
        counts[index].begin(day)
        counts[index].inMinute += 1
        counts[index].inDay += 1
    }

    /// Takes in that a message about an order of a strategy goes to the broker: an order, a change or a cancel.
    mutating func countMessage(of strategy: StrategyID, on day: Day?) {
        guard isOn else { return }
        counts[Int(strategy.index)].begin(day)
        counts[Int(strategy.index)].messages += 1
    }

    /// Takes in that an order of a strategy had its first execution.
    mutating func countExecuted(of strategy: StrategyID, on day: Day?) {
        guard isOn else { return }
        counts[Int(strategy.index)].begin(day)
        counts[Int(strategy.index)].executed += 1
    }

    /// How many messages a strategy's orders have taken on a day, and how many of them have an execution.
    func messages(of strategy: StrategyID, on day: Day?) -> (messages: Int, executed: Int) {
        let count = counts[Int(strategy.index)]
        return count.day == day?.number ? (count.messages, count.executed) : (0, 0)
    }

    /// Takes the counts into a digest; nothing where none are kept.
    func hash(into hasher: inout StateHasher) {
        guard isOn else { return }
        for count in counts where count != Count() {
            hasher.combine(count.inMinute)
            hasher.combine(count.inDay)
            guard count.hasMessages else { continue }
            hasher.combine(count.messages)
            hasher.combine(count.executed)
        }
    }

    // MARK: Records

    /// Writes what a strategy has sent.
    func write(to writer: inout RecordWriter, of strategy: StrategyID) {
        let count = counts[Int(strategy.index)]
        guard count != Count() else { return }
        writer.item(.instance) { item in
            item.write(strategy)
            item.write(StrategyInstance.countsFollow)
            item.write(count.minute)
            item.write(count.inMinute)
            item.write(count.day)
            item.write(count.inDay)
        }
        guard count.hasMessages else { return }
        writer.item(.instance) { item in
            item.write(strategy)
            item.write(StrategyInstance.messagesFollow)
            item.write(count.messages)
            item.write(count.executed)
        }
    }

    /// Reads messages back, behind the strategy and the word that they follow.
    mutating func readMessages(
        _ reader: inout RecordReader, of strategy: StrategyID
    ) throws(RecordError) {
        let index = Int(strategy.index)
        counts[index].messages = try reader.count()
        counts[index].executed = try reader.count()
    }

    /// Reads it back, behind the strategy and the word that counts follow.
    mutating func read(
        _ reader: inout RecordReader, of strategy: StrategyID
    ) throws(RecordError) {
        let index = Int(strategy.index)
        counts[index].minute = try reader.word()
        counts[index].inMinute = try reader.count()
        counts[index].day = try reader.int32()
        counts[index].inDay = try reader.count()
    }
}

extension StrategyInstance {
    /// What stands for the number of a row where counts of orders follow.
    static var countsFollow: Int64 { .min }

    /// What stands for it where counts of messages follow: behind the other counts, whose day is theirs.
    static var messagesFollow: Int64 { .min + 1 }
}

extension Timestamp {
    /// The minute of the clock, counted from 1970.
    fileprivate var minute: Int64 { nanoseconds / 60_000_000_000 }
}
