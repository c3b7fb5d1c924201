import Primitives
import TWSProtocol
import Testing

/// What the gateway says about its own connections, in any order and any number.
@Suite struct SessionLinkTests {
    @Test(arguments: [1100, 2110] as [Int32])
    func brokerLostAndBackWithDataKeptSynchronisesAnew(lost: Int32) {
        var rig = SessionRig.begun()
        rig.forget()
        rig.reply(code: lost)
        #expect(rig.session.state == .upstreamLost)
        #expect(rig.send(.order(1)) == .link(.upstreamLost))
        rig.answered = []
        rig.reply(code: 1102)
        #expect(rig.session.state == .sync)
        #expect(rig.send(.order(1)) == .link(.sync))
        for message in rig.messages { rig.reply(message.answer) }
        #expect(rig.session.state == .ready)
        #expect(rig.count(.reqExecutions) == 1)
        #expect(rig.resubscriptions.isEmpty)
    }

    @Test func brokerLostAndBackWithDataLostSubscribesAnewOnce() {
        var rig = SessionRig.begun()
        rig.forget()
        rig.reply(.code(1100), .code(1101))
        #expect(rig.session.state == .ready)
        #expect(rig.links == [.upstreamLost, .sync, .ready])
        #expect(rig.resubscriptions == [.all])
        #expect(rig.count(.reqExecutions) == 1)
    }

    @Test func eightHundredLossesAreOne() {
        var rig = SessionRig.begun()
        rig.forget()
        for _ in 0..<800 { rig.reply(code: 1100) }
        #expect(rig.links == [.upstreamLost])
        for _ in 0..<800 { rig.reply(code: 1101) }
        #expect(rig.links == [.upstreamLost, .sync, .ready])
        #expect(rig.resubscriptions == [.all])
        #expect(rig.count(.reqPositions) == 1)
    }

    /// The graver word about one restoration is heeded, the milder one tells nothing new.
    @Test func bothWordsAboutOneRestorationSubscribeOnce() {
        for codes in [[1101, 1102], [1102, 1101], [1102, 1102, 1101, 1101, 1102]] as [[Int32]] {
            var rig = SessionRig.begun()
            rig.forget()
            rig.reply([1100] + codes)
            #expect(rig.resubscriptions == [.all])
            #expect(rig.session.state == .ready)
        }
    }

    @Test func restorationWithoutALossIsHandled() {
        var rig = SessionRig.begun()
        rig.forget()
        rig.reply(code: 1101)
        #expect(rig.resubscriptions == [.all])
        #expect(rig.links == [.sync, .ready])
    }

    @Test func codesDuringTheHandshakeAreHandled() {
        var rig = SessionRig()
        rig.welcome = [.code(1100), .accounts("DU1"), .nextID(1)]
        rig.start()
        #expect(rig.session.state == .upstreamLost)
        rig.reply(code: 1102)
        #expect(rig.session.state == .ready)
        rig.cut()
        rig.welcome = [.code(1101), .accounts("DU1"), .nextID(1)]
        rig.forget()
        rig.advance(by: .seconds(2))
        #expect(rig.session.state == .ready)
        #expect(rig.resubscriptions == [.ofNewConnection])
    }

    @Test(arguments: [(2103, 2104), (2105, 2106), (2157, 2158)] as [(Int32, Int32)])
    func aBrokenFarmDegradesAndItsReturnAsksForItsData(broken: Int32, whole: Int32) {
        var rig = SessionRig.begun()
        rig.forget()
        rig.reply(code: broken, "data farm connection is broken:usfarm")
        #expect(rig.session.state == .dataDegraded)
        #expect(rig.send(.order(1)) == .link(.dataDegraded))
        var reducing = PlaceOrder()
        reducing.orderId = 2
        rig.input { session, now, outcome in
            do throws(SendRefusal) {
                try session.index(reducing, onlyReduces: true, at: now, into: &outcome)
            } catch {
                Issue.record("a reducing order is refused: \(error)")
            }
        }
        #expect(rig.count(.placeOrder) == 1)
        rig.reply(code: broken, "data farm connection is broken:usfarm")
        rig.reply(code: broken, "data farm connection is broken:eufarm")
        rig.reply(code: whole, "data farm connection is OK:usfarm")
        #expect(rig.session.state == .dataDegraded)
        rig.reply(code: whole, "data farm connection is OK:eufarm")
        rig.reply(code: whole, "data farm connection is OK:eufarm")
        #expect(rig.session.state == .ready)
        // Contracts are asked for, not subscribed to.
        #expect(
            rig.resubscriptions
                == (whole == 2158 ? [] : [.ofFarm("usfarm"), .ofFarm("eufarm")]))
        #expect(rig.closings == 0)
    }

    @Test func farmsThatRestOrConnectChangeNothing() {
        var rig = SessionRig.begun()
        rig.forget()
        rig.reply([2107, 2108, 2119, 2159, 2104, 2106, 2158])
        #expect(rig.links.isEmpty)
        #expect(rig.resubscriptions.isEmpty)
    }

    @Test func aCompetingSessionDegradesUntilItsDataFlow() {
        var rig = SessionRig.begun()
        rig.send(.quotes(5))
        rig.send(.quotes(6))
        rig.forget()
        rig.reply(code: 10197, id: 5)
        rig.reply(code: 10197, id: 6)
        #expect(rig.links == [.dataDegraded])
        #expect(rig.send(.order(1)) == .link(.dataDegraded))
        rig.reply(.bid(5))
        #expect(rig.session.state == .dataDegraded)
        rig.reply(.bid(6))
        #expect(rig.session.state == .ready)
    }

    @Test func aCompetingSessionEndsWithTheLastRequestItStopped() {
        var rig = SessionRig.begun()
        rig.reply(code: 10197, id: 5)
        rig.input { $0.finished(5, at: $1, into: &$2) }
        rig.advance(by: .seconds(6))
        #expect(rig.session.state == .ready)
        // Without a number only the link's return tells that it is over.
        rig.reply(code: 10197)
        rig.advance(by: .minutes(1))
        #expect(rig.session.state == .dataDegraded)
        rig.reply(code: 1102)
        #expect(rig.session.state == .ready)
    }

    /// Property: whatever the codes and their order, repeating each changes nothing, no order
    /// leaves
    /// where it must not, and each loss of data is followed by one new set of subscriptions.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func anySequenceOfCodesIsHandledOnce(batch: UInt64) {
        for seed in batch * 100..<(batch + 1) * 100 {
            var generator = SeededGenerator(seed: seed)
            let codes = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                Self.codes[Int.random(in: 0..<Self.codes.count, using: &generator)]
            }
            let once = Self.live(through: codes, repeating: 1)
            let twice = Self.live(through: codes, repeating: 2)
            #expect(once == twice, "codes \(codes)")
            #expect(once.resubscriptions == Self.dataLosses(in: codes), "codes \(codes)")
        }
    }

    private static let codes: [Int32] = [
        1100, 2110, 1101, 1102, 2103, 2104, 2105, 2106, 2107, 2108, 2119, 2157, 2158, 10197,
    ]

    /// What a sequence of codes came to.
    private struct End: Equatable {
        var links: [LinkState] = []
        var resubscriptions = 0
        var synchronisations = 0
        var farms = 0
    }

    private static func live(through codes: [Int32], repeating count: Int) -> End {
        var rig = SessionRig.begun()
        rig.forget()
        var number: Int32 = 1
        for code in codes {
            for _ in 0..<count { rig.reply(code: code, "x connection is broken:usfarm") }
            let state = rig.session.state
            let before = rig.count(.placeOrder)
            let refusal = rig.send(.order(number))
            #expect((refusal == nil) == (state == .ready))
            #expect(rig.count(.placeOrder) == before + (state == .ready ? 1 : 0))
            number += 1
            // So that no pace holds anything.
            rig.advance(by: .seconds(2))
        }
        return End(
            links: rig.links, resubscriptions: rig.resubscriptions.count { $0 == .all },
            synchronisations: rig.count(.reqPositions),
            farms: rig.resubscriptions.count { $0 != .all })
    }

    /// Restorations after which data are lost: of all words between two losses, one that says so.
    private static func dataLosses(in codes: [Int32]) -> Int {
        codes.split { $0 == 1100 || $0 == 2110 }.count { $0.contains(1101) }
    }
}

extension SessionRig {
    /// The gateway says these codes, one after the other.
    fileprivate mutating func reply(_ codes: [Int32]) { reply(codes.map { .code($0) }) }
}
