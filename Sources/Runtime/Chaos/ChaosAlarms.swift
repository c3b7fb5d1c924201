import Model
import Primitives

/// What the user of a session was notified of.
final class ChaosAlarms {
    /// The instruments with positions that are without a stop now.
    private(set) var bare: Set<InstrumentID> = []
    /// The instruments whose data are missing now.
    private(set) var dataless: Set<InstrumentID> = []
    /// The orders of which nothing says what became of them.
    private(set) var unresolved: Set<OrderID> = []
    /// The orders that were at the broker though they had ended.
    private(set) var returned: Set<OrderID> = []
    /// For which causes entries in an instrument were latched at any time.
    private(set) var latches: [InstrumentID: Set<LatchCause>] = [:]
    /// All alarms that the user has to look at at once.
    private(set) var critical: [Decision] = []

    /// Takes in what the session has decided.
    func take(_ batch: RecordBatch) {
        for decision in batch.decisions ?? [] {
            if decision.kind.severity == .critical { critical.append(decision) }
            if let order = decision.subject.order { take(decision.kind, about: order) }
            if let instrument = decision.subject.instrument { take(decision.kind, in: instrument) }
        }
    }

    private func take(_ kind: Decision.Kind, about order: OrderID) {
        switch kind {
        case .finding(.unresolved): unresolved.insert(order)
        case .finding(.adopted), .finding(.liveAgain), .finding(.resubmitted):
            returned.insert(order)
        default: break
        }
    }

    private func take(_ kind: Decision.Kind, in instrument: InstrumentID) {
        switch kind {
        case .protectionMissing: bare.insert(instrument)
        case .protectionRestored: bare.remove(instrument)
        case .conditionBegan(.dataMissing): dataless.insert(instrument)
        case .conditionEnded(.dataMissing): dataless.remove(instrument)
        case .latched(let cause): latches[instrument, default: []].insert(cause)
        default: break
        }
    }
}
