import TWSProtocol
import Testing

@Suite struct CodesTableTests {
    /// The broker's codes as its description and live sessions have them.
    private static let expected: [(CodeKind, [Int])] = [
        (
            .information,
            [
                300, 310, 365, 366, 501, 2104, 2106, 2158, 2107, 2108, 2159, 2119, 2152, 2188,
                10185,
            ]
        ),
        (
            .warning,
            [
                100, 165, 316, 317, 399, 404, 478, 492, 481, 505, 2100, 2102, 2109, 2137, 2148,
                2168, 2169, 10089, 10091, 10090, 10167, 10311, 10329, 10349,
            ]
        ),
        (
            .reject,
            [
                101, 102, 103, 104, 105, 106, 107, 109, 163, 164, 382, 383, 110, 111, 113, 116,
                387, 412, 135, 10147, 136, 161, 10148, 154, 162, 166, 200, 201, 202, 203, 303,
                309, 319, 320, 321, 322, 323, 327, 329, 354, 385, 386, 392, 400, 439, 440, 441,
                442, 443, 411, 413, 414, 420, 421, 422, 430, 434, 435, 436, 503, 504, 508, 579,
                585, 588, 593, 2101, 10006, 10168, 10182, 10186, 10187, 10189, 10190, 10198,
                10225, 10242, 10243, 10247, 10248, 10249, 10250, 10251, 10252, 10268, 10269,
                10270, 10285, 10289, 10290, 10293, 10299, 10314, 10318, 10324, 10325, 10326,
                10327,
            ]
        ),
        (.fatal, [326, 357, 506, 507, 1300]),
        (.connectivity, [502, 1100, 1101, 1102, 2103, 2105, 2157, 2110, 10197]),
    ]

    @Test func everyCodeHasItsClass() {
        for (kind, codes) in Self.expected {
            for code in codes {
                #expect(CodePolicy.standard.reading(of: code).kind == kind, "\(code)")
            }
        }
        for code in 508...593 {
            #expect(CodePolicy.standard.reading(of: code).kind == .reject, "\(code)")
        }
        #expect(Set(Self.expected.flatMap(\.1)).count == 151)
    }

    @Test func noCodeHasTwoRowsAndEachGivesAdvice() {
        var seen: Set<Int> = []
        for row in CodePolicy.rows {
            for code in row.codes {
                #expect(seen.insert(code).inserted, "\(code)")
            }
            #expect(row.advice.hasSuffix("."))
            #expect(row.kind != .unknown)
        }
    }

    @Test func onlyTheLinkHasCodesOfTheLink() {
        for row in CodePolicy.rows where row.kind == .connectivity {
            #expect([.session, .farm, .call].contains(row.scope))
        }
    }

    /// The service each code is about, and how it is.
    @Test(arguments: [
        (2103, FarmKind.marketData, FarmState.broken), (2104, .marketData, .ok),
        (2108, .marketData, .inactive), (2119, .marketData, .connecting),
        (2105, .history, .broken), (2106, .history, .ok), (2107, .history, .inactive),
        (2157, .securityDefinition, .broken), (2158, .securityDefinition, .ok),
        (2159, .securityDefinition, .inactive),
    ])
    func farmsAreDistinguished(code: Int, farm: FarmKind, state: FarmState) {
        let reading = CodePolicy.standard.reading(of: code)
        #expect(reading.effect == .farm(farm, state) && reading.scope == .farm)
    }

    @Test(arguments: [
        (1100, CodeEffect.upstreamLost), (2110, .upstreamLost),
        (1101, .upstreamRestored(dataKept: false)), (1102, .upstreamRestored(dataKept: true)),
        (326, .clientIDInUse), (1300, .sessionEnds), (100, .slowDown), (10197, .dataStopped),
        (10198, .subscriptionTerminated(cancelFirst: true)),
        (10225, .subscriptionTerminated(cancelFirst: true)),
        (10182, .subscriptionTerminated(cancelFirst: false)), (10089, .delayedFollows),
        (10090, .subscriptionStays), (10167, .delayedFollows), (10168, .askForDelayed),
        (354, .askForDelayed), (317, .clearOrderBook), (103, .takeHigherOrderID),
        (2102, .retryChange), (105, .orderStays), (329, .orderStays), (399, .orderStays),
        (10349, .orderAltered), (481, .orderAltered), (404, .orderWaits),
        (10006, .resendAfterParent), (202, .cancelReported), (2100, .accountUpdatesStopped),
        (300, .alreadyGone), (309, .freeSlot), (504, .notConnected), (201, .rejected),
    ])
    func effectsThatMatter(code: Int, effect: CodeEffect) {
        #expect(CodePolicy.standard.reading(of: code).effect == effect)
    }

    /// Those that made other programs send an order again that was alive.
    @Test(arguments: [10349, 399, 404, 2109, 2137, 10311, 10329, 481, 2168, 2169, 10090, 2102])
    func warningsDoNotAskAboutTheOrder(code: Int) {
        for asked in [Asked.unknown, .begin, .change, .cancel] {
            #expect(!CodePolicy.standard.reading(of: code, after: asked).asksForOrderState)
        }
    }

    @Test(arguments: [103, 104, 110, 135, 10147, 161, 10148, 200, 201, 202, 321, 10006])
    func refusalsOnlyAskAboutTheOrder(code: Int) {
        #expect(CodePolicy.standard.reading(of: code).asksForOrderState)
    }

    @Test(arguments: [0..<100_000])
    func codesOfNoTableKillNothing(codes: Range<Int>) {
        let known = Set(CodePolicy.rows.flatMap(\.codes))
        for code in [Int.min, -1, Int.max] + codes where !known.contains(code) {
            let reading = CodePolicy.standard.reading(
                of: code, text: "Order rejected", after: .begin)
            let isWarning = code >= 2100 && code <= 2169
            guard reading.kind == (isWarning ? .warning : .unknown), reading.effect == .none,
                reading.asksForOrderState != isWarning, reading.cause == nil
            else {
                Issue.record("\(code): \(reading)")
                return
            }
        }
    }

    /// None of the band kills an order: what it has refused is a subscription of the account.
    @Test func theBandOfWarningsNeverAsksAboutAnOrder() {
        for code in 2100...2169 {
            #expect(!CodePolicy.standard.reading(of: code).asksForOrderState)
        }
    }
}
