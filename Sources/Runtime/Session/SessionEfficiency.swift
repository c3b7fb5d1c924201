import MarketState
import Model
import Primitives

/// How many messages the orders of a session day took, as Interactive Brokers counts them for its Order Efficiency Ratio:
/// (submissions + revisions + cancellations) / (executed orders + 1). Counted since the start of the program.
struct SessionEfficiency: Sendable {
    /// The day that is counted; `nil` before the first order.
    private var day: Day?
    /// Submissions, revisions and cancellations of the day.
    private(set) var messages = 0
    /// The orders of the day with an execution, by the broker's names.
    private var executed: Set<BrokerOrderID> = []

    /// The day's ratio; `nil` without an order.
    var ratio: Double? {
        messages == 0 ? nil : Double(messages) / Double(executed.count + 1)
    }

    /// Takes in what happened and what was ordered.
    mutating func take(_ batch: RecordBatch, in calendar: SessionCalendar) {
        for event in batch.events {
            guard case .brokerOrder(let report) = event.kind, case .executed = report.fact,
                let order = report.key.order, report.key.reference != nil
            else { continue }
            begin(calendar.day(of: event.at))
            executed.insert(order)
        }
        let count = batch.commands.count { $0.command.isMessage }
        guard count > 0, let now = batch.events.last?.at else { return }
        begin(calendar.day(of: now))
        messages += count
    }

    private mutating func begin(_ day: Day) {
        guard day != self.day else { return }
        self.day = day
        messages = 0
        executed.removeAll()
    }
}

extension Command {
    /// True for an order, its change and its end.
    fileprivate var isMessage: Bool {
        switch self {
        case .submit, .modify, .cancel, .probe: true
        case .query, .setTimer: false
        }
    }
}
