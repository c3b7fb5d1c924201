import Testing

/// What must not compile: an order without the gate's approval. Runs the compiler on a few lines against the
/// modules these tests were built with.
@Suite struct ApprovalTests {
    private static let lawful = """
        import Model
        import Orders
        import Risk

        func send(
            _ request: OrderRequest, _ facts: RiskFacts, _ gate: inout RiskGate,
            _ orders: inout OrderLedger
        ) -> Command? {
            guard case .approved(let approved) = gate.review(request, given: facts) else { return nil }
            return orders.submit(approved, at: .distantPast)
        }

        """

    @Test func approvedOrderCompiles() throws {
        let result = try Compiler.check(Self.lawful)
        #expect(result.isAccepted, "\(result.messages)")
    }

    @Test func approvalCannotBeMadeElsewhere() throws {
        let forged =
            Self.lawful + "func forge(_ request: OrderRequest) -> Approved { Approved(request) }\n"
        let result = try Compiler.check(forged)
        #expect(!result.isAccepted)
        #expect(result.messages.contains("inaccessible due to 'internal' protection level"))
    }

    @Test func requestCannotBeSubmittedWithoutApproval() throws {
        let direct =
            Self.lawful
            + "func force(_ request: OrderRequest, _ orders: inout OrderLedger) -> Command { orders.submit(request, at: .distantPast) }\n"
        let result = try Compiler.check(direct)
        #expect(!result.isAccepted)
        #expect(
            result.messages.contains(
                "cannot convert value of type 'OrderRequest' to expected argument type 'Approved'"))
    }
}
