import Model
import Risk

extension RiskGate {
    /// The verdict of a gate that is asked once.
    func review(on request: OrderRequest, given facts: RiskFacts) -> Review {
        var gate = self
        return gate.review(request, given: facts)
    }
}
