import Model
import Primitives

/// How many orders a strategy may send before its entries are stopped.
package struct OrderRateLimits: Hashable, Sendable {
    /// Within a minute of the clock; positive.
    package let perMinute: Int
    /// Within a day of the market's; positive.
    package let perDay: Int

    /// Limits for each strategy.
    package init(perMinute: Int, perDay: Int) {
        self.perMinute = perMinute
        self.perDay = perDay
    }
}

/// How many orders each strategy has sent within the present minute and the present day.
///
/// All orders count, exits and protection too; only entries are kept back.
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
    }

    /// A limit that is reached.
    struct Breach: Hashable, Sendable {
        /// How many were sent.
        let count: Int
        /// How many may be.
        let limit: Int
    }

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
        let inDay = (count.day == day?.number ? count.inDay : 0) + others
        return inDay >= limits.perDay ? Breach(count: inDay, limit: limits.perDay) : nil
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
        if let day, counts[index].day != day.number {
            counts[index].day = day.number
            counts[index].inDay = 0
        }
        counts[index].inMinute += 1
        counts[index].inDay += 1
    }

    /// Takes the counts into a digest; nothing where none are kept.
    func hash(into hasher: inout StateHasher) {
        guard isOn else { return }
        for count in counts where count != Count() {
            hasher.combine(count.inMinute)
            hasher.combine(count.inDay)
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
}

extension Timestamp {
    /// The minute of the clock, counted from 1970.
    fileprivate var minute: Int64 { nanoseconds / 60_000_000_000 }
}
