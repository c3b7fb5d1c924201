import TWSProtocol
import Testing

/// What a builder makes arrives at the gateway and comes back as it was, at every version.
@Suite struct OrderDraftWireTests {
    /// From the client to the gateway, and from there back in an open order.
    private func comeBack(_ request: PlaceOrder, at version: ServerVersion) throws -> OpenOrder {
        let sent = try request.text(at: version, from: .client)
        let (arrived, remainder) = try sent.withUnsafeBufferPointer {
            try PlaceOrder.read($0, at: version)
        }
        #expect(arrived == request && remainder == 0)
        let answer = try OpenOrder(of: arrived).text(at: version, from: .gateway)
        let (open, leftover) = try answer.withUnsafeBufferPointer {
            try OpenOrder.read($0, at: version)
        }
        #expect(leftover == 0)
        return open
    }

    @Test func everyOrderComesBackAsItWasSent() throws {
        for version in ServerVersion.all {
            for sample in try DraftSamples.all() {
                let request = try sample.request()
                do {
                    let open = try comeBack(request, at: version)
                    #expect(version.number >= sample.needs, "\(sample.name) at \(version)")
                    #expect(open.orderId == 7 && open.contract == request.contract)
                    #expect(open.order == request.order, "\(sample.name) at \(version)")
                    #expect(open.combo == request.combo)
                } catch let refusal as EncodingRefusal {
                    guard case .notCarried(let field, let needs, version) = refusal else {
                        Issue.record("\(sample.name) at \(version): \(refusal)")
                        continue
                    }
                    #expect(needs == sample.needs && version.number < needs, "\(sample.name)")
                    #expect(["minTradeQty", "competeAgainstBestOffset"].contains(field))
                }
            }
        }
    }

    /// All but `transmit`, which gateways keep to themselves.
    @Test func bracketsComeBackAsTheyWereSent() throws {
        let draft = BracketDraft(
            .limit(187.25, for: .day),
            BracketExits(
                stop: .trailing(Trail(by: .percent(5), from: 180)), target: 200,
                for: .goodTillCancelled))
        let block = try #require(OrderIDBlock(first: 20, count: 3))
        for version in ServerVersion.all {
            for request in try draft.requests(block, for: Drafts.buy(), in: Drafts.stock()) {
                var open = try comeBack(request, at: version)
                #expect(open.order.transmit)
                open.order.transmit = request.order.transmit
                #expect(open.order == request.order && open.orderId == request.orderId)
            }
        }
    }

    /// Attributes that builders do not set, each at every version: they come back, or the client's
    /// message is refused with their name at the versions that do not carry them.
    @Test func laterAttributesComeBackOrAreRefusedByName() throws {
        typealias Change = (name: String, needs: Int, set: (inout Order) -> Void)
        let changes: [Change] = [
            ("duration", 158, { $0.duration = 30 }), ("postToAts", 160, { $0.postToAts = 2 }),
            ("autoCancelParent", 162, { $0.autoCancelParent = true }),
            ("customerAccount", 183, { $0.customerAccount = "C1" }),
            ("professionalCustomer", 184, { $0.professionalCustomer = true }),
            ("includeOvernight", 189, { $0.includeOvernight = true }),
            ("imbalanceOnly", 199, { $0.imbalanceOnly = true }),
        ]
        for version in ServerVersion.all {
            for change in changes {
                var request = PlaceOrderTests.plain
                change.set(&request.order)
                if version.number >= change.needs {
                    #expect(try comeBack(request, at: version).order == request.order)
                } else {
                    #expect(
                        throws: EncodingRefusal.notCarried(
                            field: change.name, needs: change.needs, version: version)
                    ) { try request.text(at: version, from: .client) }
                }
            }
        }
    }
}
