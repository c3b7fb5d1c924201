import MarketState
import Model
import Orders
import Primitives
import Signals

/// Commissions that a broker has not reported: pending until they come, and a matter for the user when they stay away.
extension Engine {
    /// Waits for the commission of an execution that was booked just now.
    mutating func awaitCharge(_ output: inout EngineOutput) {
        lookAtCharges(at: now + AwaitedCharges.time, &output)
    }

    /// Waits for the commissions of executions that were booked when the state was saved.
    mutating func resumeCharges(_ output: inout EngineOutput) {
        guard !unchargedExecutions.isEmpty else { return }
        awaitCharge(&output)
    }

    /// Looks at the executions that lack a commission: those that have lacked it for ten minutes are asked for again, and
    /// behind the close of the day's session all are listed.
    mutating func reviewCharges(_ output: inout EngineOutput) {
        let day = context.calendar.day(of: now)
        let close = context.calendar.session(on: day)?.close
        let (review, wake) = broker.charges.review(
            unchargedExecutions, at: now, on: day, close: close)
        report(review.overdue, because: "no commission after ten minutes", &output)
        report(review.atClose, because: "no commission at the close", &output)
        if let wake { setChargeTimer(at: wake, &output) }
    }

    private var unchargedExecutions: [OrderLedger.OwnExecution] {
        orders.unchargedExecutions(since: now - AwaitedCharges.horizon)
    }

    private mutating func report(
        _ executions: [OrderLedger.OwnExecution], because reason: StaticString,
        _ output: inout EngineOutput
    ) {
        guard let first = executions.first else { return }
        let isOne = executions.allSatisfy { $0.order == first.order }
        let subject =
            isOne
            ? Decision.Subject(instrument: first.execution.instrument, order: first.order)
            : Decision.Subject()
        decide(
            .commissionMissing, about: subject, because: context.number(of: reason), &output
        ) { Figures(.count(.count, executions.count)) }
        if permissions.link == .ready { output.commands.append(.query(.executions)) }
    }

    private mutating func lookAtCharges(at time: Timestamp, _ output: inout EngineOutput) {
        if broker.charges.look(at: time) { setChargeTimer(at: time, &output) }
    }

    private mutating func setChargeTimer(at time: Timestamp, _ output: inout EngineOutput) {
        output.commands.append(
            .setTimer(TimerID(engine: EngineTimer.charges.rawValue), at: time))
    }
}
