package import Model
package import Primitives

/// Cash of executions that are done and not yet settled: what falls due on which day.
///
/// One entry a day, however many executions: with a cycle of T+5 at most seven or so.
package struct SettlementQueue: Equatable, Sendable {
    /// What falls due, by day, earliest first.
    package private(set) var due: [Due] = []
    /// The last day whose cash has moved; `nil` before the first.
    package private(set) var settledThrough: Day?

    /// What falls due on one day.
    package struct Due: Equatable, Sendable, BitwiseCopyable {
        /// The settlement day.
        package let day: Day
        /// What purchases will take, positive.
        package fileprivate(set) var payments = ExactMoney.zero
        /// What sales will bring.
        package fileprivate(set) var proceeds = ExactMoney.zero

        /// What settled cash will change by.
        package var net: ExactMoney { proceeds - payments }
    }

    /// What purchases will take, all days together.
    package var payments: ExactMoney { due.reduce(.zero) { $0 + $1.payments } }
    /// What sales will bring, all days together.
    package var proceeds: ExactMoney { due.reduce(.zero) { $0 + $1.proceeds } }

    /// Whether cash of that day waits; on no stated day it is settled at once.
    func holds(_ day: Day?) -> Bool {
        guard let day else { return false }
        return settledThrough.map { day > $0 } ?? true
    }

    /// Queues what an execution moves, or takes it back out.
    ///
    /// - Parameters:
    ///   - cash: received; negative for paid.
    ///   - day: one that `holds`.
    mutating func move(_ cash: ExactMoney, on day: Day, takingBack: Bool) {
        let index = due.firstIndex { $0.day >= day } ?? due.endIndex
        if index == due.endIndex || due[index].day != day {
            due.insert(Due(day: day), at: index)
        }
        let signed = takingBack ? -cash : cash
        // By the sign of the execution itself: what is taken back leaves the side it came to.
        if cash < .zero { due[index].payments -= signed } else { due[index].proceeds += signed }
        if due[index].payments == .zero, due[index].proceeds == .zero { due.remove(at: index) }
    }

    /// Takes out what is due up to a day, that day included; an earlier day than before does nothing.
    ///
    /// - Returns: what settled cash changes by.
    mutating func settle(through day: Day) -> ExactMoney {
        guard holds(day) else { return .zero }
        settledThrough = day
        let count = due.prefix { $0.day <= day }.count
        let moved = due[..<count].reduce(ExactMoney.zero) { $0 + $1.net }
        due.removeFirst(count)
        return moved
    }

    /// Whether days rise, none is past, and none holds nothing.
    var isSound: Bool {
        let days = due.map(\.day)
        return zip(days, days.dropFirst()).allSatisfy { $0 < $1 } && days.allSatisfy(holds)
            && due.allSatisfy { $0.payments != .zero || $0.proceeds != .zero }
    }

    /// Takes the queue into a digest.
    func hash(into hasher: inout StateHasher) {
        hasher.combine(settledThrough?.number ?? .min)
        for entry in due {
            hasher.combine(entry.day.number)
            hasher.combine(entry.payments)
            hasher.combine(entry.proceeds)
        }
    }
}

extension SettlementQueue {
    /// Writes what falls due, a record a day.
    func write(to writer: inout RecordWriter) {
        for entry in due { writer.item(.unsettled) { $0.write(entry) } }
    }

    /// Takes in what falls due on a later day than before.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        let entry = try reader.value(Due.self)
        guard due.last.map({ $0.day < entry.day }) ?? true else { throw reader.damage }
        due.append(entry)
    }

    /// Takes in how far cash has settled.
    mutating func read(settledThrough day: Day?) { settledThrough = day }
}

extension SettlementQueue.Due: RecordValue {
    /// Writes the day and both amounts.
    package func write(to writer: inout RecordWriter) {
        writer.write(day)
        writer.write(payments)
        writer.write(proceeds)
    }

    /// What falls due, as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        day = try reader.day()
        payments = try reader.exactMoney()
        proceeds = try reader.exactMoney()
    }
}
