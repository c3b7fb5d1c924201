import TWSProtocol
import Testing

/// Layouts change where the protocol's history says so, and nowhere else: a field put behind a gate at the
/// wrong version shifts everything after it.
@Suite struct LayoutGateTests {
    /// Versions at which a plain message of the kind is laid out anew (table of the protocol's versions).
    private static let gatewayGates: [GatewayMessageKind: [Int]] = [
        .error: [166, 194],
        .openOrder: [158, 160, 162, 170, 177, 183, 184, 185, 189, 193, 195, 198, 199],
        .completedOrder: [170, 177, 183, 184, 198],
        .execDetails: [178, 198],
        .contractData: [163, 164, 182, 186],
        .bondContractData: [164, 188],
        .historicalData: [196],
    ]

    private static let clientGates: [ClientMessageKind: [Int]] = [
        .placeOrder: [
            158, 160, 162, 166, 169, 177, 183, 184, 187, 189, 190, 192, 199,
        ],
        .cancelOrder: [169, 187, 190, 192],
        .reqGlobalCancel: [192],
        .reqExecutions: [200],
        .reqContractDetails: [176],
        .reqWshEventData: [171, 173],
        .exerciseOptions: [180, 183, 184],
    ]

    @Test(arguments: GatewayMessageKind.allCases)
    func gatewayMessagesChangeWhereTheProtocolDid(kind: GatewayMessageKind) throws {
        let changes = try changes(from: kind.firstVersion) { version in
            var walker = LabelWalker(version: version)
            let message = GatewayMessage(kind, from: &walker)
            var bytes: [UInt8] = []
            try TextCodec(version: version).encode(message, into: &bytes)
            return (walker.records, bytes)
        }
        #expect(changes == Self.gatewayGates[kind] ?? [])
    }

    @Test(arguments: ClientMessageKind.allCases)
    func clientMessagesChangeWhereTheProtocolDid(kind: ClientMessageKind) throws {
        let changes = try changes(from: kind.firstVersion) { version in
            var walker = LabelWalker(version: version)
            let message = ClientMessage(kind, from: &walker)
            var bytes: [UInt8] = []
            try TextCodec(version: version).encode(message, into: &bytes)
            return (walker.records, bytes)
        }
        #expect(changes == Self.clientGates[kind] ?? [])
    }

    private func changes(
        from first: Int, _ layout: (ServerVersion) throws -> ([[String]], [UInt8])
    ) throws -> [Int] {
        var changes: [Int] = []
        var before: (names: [[String]], fields: Int)?
        for version in ServerVersion.all where version.number >= first {
            let (names, bytes) = try layout(version)
            let fields = bytes.dropFirst(4).count { $0 == 0 }
            if let before, before.names != names || before.fields != fields {
                changes.append(version.number)
            }
            before = (names, fields)
        }
        return changes
    }
}
