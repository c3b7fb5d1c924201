import Model
import Primitives

/// What the user of a session was notified of, and nothing has ended since.
final class ChaosAlarms {
    /// The instruments with positions without a stop.
    private(set) var bare: Set<InstrumentID> = []
    /// The orders of which nothing says what became of them.
    private(set) var unresolved: Set<OrderID> = []

    /// Takes in what the session has decided.
    func take(_ batch: RecordBatch) {
        for decision in batch.decisions ?? [] {
            if decision.kind == .finding(.unresolved), let order = decision.subject.order {
                unresolved.insert(order)
            }
            guard let instrument = decision.subject.instrument else { continue }
            if decision.kind == .protectionMissing { bare.insert(instrument) }
            if decision.kind == .protectionRestored { bare.remove(instrument) }
        }
    }
}
