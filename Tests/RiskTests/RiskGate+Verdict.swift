import Model
import Risk

extension RiskGate {
    /// The verdict of a gate that is asked once.
    func verdict(on request: OrderRequest, given facts: RiskFacts) -> Verdict {
        var gate = self
        return gate.review(request, given: facts)
    }
}
