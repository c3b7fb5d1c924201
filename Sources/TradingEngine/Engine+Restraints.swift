import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// What keeps a strategy, or the engine itself, from asking a broker for the same thing without end.
extension Engine {
    // MARK: Refusals

    /// Counts a refusal of an entry by the broker: several within a minute stop the strategy's entries.
    mutating func countRejection(of id: OrderID, _ output: inout EngineOutput) {
        // A gateway that takes no orders refuses whatever is sent.
        guard let request = orders.request(of: id), request.purpose == .entry,
            permissions.mayLeave(.entry), !permissions.isStopped(request.strategy),
            broker.rejections.add(request.strategy, at: now)
        else { return }
        stopEntries(of: request.strategy, because: .rejections, &output)
    }

    /// Stops a strategy's entries until the user lets them go on; exits and protection stay.
    mutating func stopEntries(
        of strategy: StrategyID, because cause: StopCause, _ output: inout EngineOutput,
        _ figures: Figures = Figures()
    ) {
        permissions.setStopped(strategy, true)
        decide(.strategyStopped(cause), about: Decision.Subject(strategy: strategy), &output) {
            figures
        }
        cancelEntries(within: .strategy(strategy), &output)
    }

    // MARK: Time

    /// A strategy took longer for a call than it may: its entries are stopped. Where it is not known whose call it was,
    /// as the program was ended in the middle of it, all entries are halted until the user has looked.
    mutating func callTookTooLong(_ report: ConditionReport, _ output: inout EngineOutput) {
        guard report.isPresent else { return }
        let figures = Figures(.count(.value, Int(report.value)))
        guard let strategy = report.strategy else {
            return halt(for: .programHung, into: &output, figures)
        }
        guard isKnown(strategy), !permissions.isStopped(strategy) else { return }
        stopEntries(of: strategy, because: .overBudget, &output, figures)
    }

    /// The same from a record, of which nothing is decided again.
    mutating func rebuildCallThatTookTooLong(_ report: ConditionReport) {
        guard report.isPresent else { return }
        guard let strategy = report.strategy else { return gate.halt(for: .programHung) }
        if isKnown(strategy) { permissions.setStopped(strategy, true) }
    }

    // MARK: Cancels

    /// Waits for the answer to a cancel.
    mutating func awaitCancel(of id: OrderID, _ output: inout EngineOutput) {
        if let wake = broker.cancels.sent(id, at: now) { checkCancels(at: wake, &output) }
    }

    /// The answers to cancels are overdue: they are sent again, and then it is a matter for the user.
    mutating func reviewCancels(_ output: inout EngineOutput) {
        var outlooks: [OrderID: AwaitedCancels.Outlook] = [:]
        for id in orders.allLive where orders.isCancelRequested(id) {
            outlooks[id] = cancelOutlook
        }
        let (steps, wake) = broker.cancels.review(at: now) { outlooks[$0] ?? .over }
        for step in steps {
            switch step {
            case .sendAgain(let id):
                output.commands.append(.cancel(id))
                countMessage(about: id)
            case .giveUp(let id):
                guard let request = orders.request(of: id) else { continue }
                decide(.cancelUnanswered, about: Decision.Subject(id, request), &output)
                // It may have been carried out in silence: what the broker's lists say holds.
                inquire(about: id, &output)
            }
        }
        if let wake { checkCancels(at: wake, &output) }
    }

    /// Whether a cancel can be answered now: exchanges answer in their sessions.
    var cancelOutlook: AwaitedCancels.Outlook {
        // What is asked for still is sent again when the link is ready.
        guard permissions.mayLeave(.exit) else { return .over }
        return sessionOpening.map { .waiting(until: $0) } ?? .open
    }

    private func checkCancels(at time: Timestamp, _ output: inout EngineOutput) {
        output.commands.append(
            .setTimer(TimerID(engine: EngineTimer.cancellation.rawValue), at: time))
    }
}
