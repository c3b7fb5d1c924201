import Primitives
import TWSProtocol
import Testing

/// How a connection opens, and everything that can answer instead of a gateway.
@Suite struct SessionHandshakeTests {
    /// A frame with these fields.
    private static func frame(_ fields: String...) -> [UInt8] {
        let payload = Array(fields.map { $0 + "\0" }.joined().utf8)
        let count = UInt32(payload.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + payload
    }

    @Test func versionsGoOutFirst() {
        var rig = SessionRig()
        rig.speaks = false
        rig.start()
        #expect(rig.session.state == .handshake)
        // API, a NUL, the length 9 and the range, as the broker's own client writes it.
        #expect(rig.unread == Array("API\0\0\0\0\u{9}v163..200".utf8))
    }

    @Test(arguments: [true, false])
    func sessionBeginsWithAccountsAndNextOrderIDInEitherOrder(accountsFirst: Bool) {
        var rig = SessionRig(placesOrders: false)
        let answers: [GatewayMessage] = [.accounts("DU1", "DU2"), .nextID(42)]
        rig.welcome = accountsFirst ? answers : answers.reversed()
        rig.start()
        #expect(rig.session.state == .ready)
        #expect(rig.session.accounts == ["DU1", "DU2"])
        #expect(rig.session.nextOrderID == 42)
        #expect(rig.session.agreement?.version == .newest)
        #expect(rig.links == [.handshake, .ready])
        #expect(rig.resubscriptions == [.ofNewConnection])
    }

    /// Gateways tell open orders as soon as a client id that has some connects.
    @Test func openOrdersBeforeTheBeginAreReported() {
        var rig = SessionRig()
        var order = OpenOrder()
        order.orderId = 3
        rig.welcome = [.openOrder(order), .nextID(4), .accounts("DU1")]
        rig.start()
        #expect(rig.session.state == .ready)
        #expect(rig.events.contains(.message(.openOrder(order), leftover: 0)))
    }

    @Test func nothingCanBeSentBeforeTheBegin() {
        var rig = SessionRig()
        rig.welcome = [.accounts("DU1")]
        #expect(rig.send(.details(1)) == .link(.down))
        rig.start()
        #expect(rig.send(.details(1)) == .link(.handshake))
        #expect(rig.send(.cancel(1)) == .link(.handshake))
        rig.advance(by: .seconds(20))
        rig.reply(.nextID(1))
        #expect(rig.session.state == .ready)
        #expect(rig.send(.details(1)) == nil)
    }

    @Test(arguments: [
        ("150", HandshakeFault.version(150, offered: 163...200)),
        ("162", .version(162, offered: 163...200)), ("201", .version(201, offered: 163...200)),
    ])
    func versionsThatWereNotOfferedAreRefused(number: String, fault: HandshakeFault) {
        var rig = SessionRig()
        rig.firstWord = Self.frame(number, "20231114 17:13:20 EST")
        rig.start()
        #expect(rig.faults == [.handshake(fault)])
        #expect(rig.closings == 1)
        #expect(rig.session.state == .down)
    }

    @Test func redirectionIsReportedAndNotFollowed() {
        var rig = SessionRig()
        rig.firstWord = Self.frame("-1", "10.0.0.9:4001")
        rig.start()
        #expect(rig.faults == [.handshake(.redirected(to: "10.0.0.9:4001"))])
    }

    private static let strangers: [[UInt8]] = [
        Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [0, 0, 0, 0],
        [0x16, 0x03, 0x01, 0x00, 0xa5, 0x01], [0, 0, 0, 3] + Array("abc".utf8),
        frame("", ""), frame("abc", "def"),
        [0, 0, 0x1f, 0xfc] + [UInt8](repeating: 0x41, count: 8_188),
        [UInt8](repeating: 0xff, count: 8_192),
        [UInt8](repeating: 0, count: 8_192),
    ]

    @Test(arguments: strangers)
    func whatIsNoGatewayIsNamedSo(word: [UInt8]) {
        var rig = SessionRig()
        rig.firstWord = word
        rig.start()
        #expect(rig.faults.first == .handshake(.notAGateway))
        #expect(rig.session.agreement == nil)
    }

    @Test func aSilentListenerIsGivenUp() {
        var rig = SessionRig()
        rig.speaks = false
        rig.start()
        rig.advance(by: .milliseconds(44_999))
        #expect(rig.faults.isEmpty)
        rig.advance(by: .milliseconds(1))
        #expect(rig.faults == [.noAnswer(awaiting: "answer to the handshake")])
        #expect(rig.closings == 1)
    }

    @Test(arguments: [
        ([GatewayMessage.accounts("DU1")], "next valid order id"), ([.nextID(1)], "accounts"),
        ([], "accounts"),
    ])
    func whatIsMissingOfTheBeginIsNamed(welcome: [GatewayMessage], awaited: String) {
        var rig = SessionRig()
        rig.welcome = welcome
        rig.start()
        rig.advance(by: .seconds(45))
        #expect(rig.faults == [.noAnswer(awaiting: awaited)])
    }

    /// Ten minutes of a gateway that still holds the last session of the same client id.
    @Test func clientIDInUseIsTriedAgainUnderTheSameID() {
        var rig = SessionRig { $0.seed = 3 }
        rig.welcome = []
        rig.start()
        let begin = rig.attempts[0]
        for _ in 0..<100 where rig.attempts[rig.attempts.count - 1] - begin < .minutes(10) {
            rig.reply(code: 326, "Unable to connect as the client id is already in use.")
            rig.cut()
            rig.advance(by: rig.waits[rig.waits.count - 1])
        }
        #expect(rig.faults.allSatisfy { $0 == .clientIDInUse(7) })
        // 5, 10, 20, 40, 60 ... seconds, each up to a 25th shorter.
        for (index, wait) in rig.waits.enumerated() {
            let longest = [5, 10, 20, 40][safe: index] ?? 60
            #expect(wait <= .seconds(Int64(longest)))
            #expect(wait >= .milliseconds(Int64(longest) * 960))
        }
        #expect((10...18).contains(rig.attempts.count))
        rig.welcome = [.accounts("DU1"), .nextID(1)]
        rig.cut()
        rig.advance(by: .minutes(1))
        #expect(rig.session.state == .ready)
        #expect(rig.session.settings.clientID == 7)
    }

    /// A gateway that says 326 and keeps the connection open is left as well.
    @Test func clientIDInUseWithoutAnEndIsGivenUp() {
        var rig = SessionRig()
        rig.welcome = [.code(326)]
        rig.start()
        rig.advance(by: .seconds(45))
        #expect(rig.faults == [.clientIDInUse(7)])
    }

    /// The port may now be that of another account: a person decides.
    @Test func aChangedPortIsNotFollowed() {
        var rig = SessionRig.begun()
        rig.reply(code: 1300, "TWS socket port has been reset ... new port - 4001")
        #expect(rig.faults == [.code(1300, "TWS socket port has been reset ... new port - 4001")])
        #expect(rig.waits.isEmpty)
        rig.advance(by: .hours(1))
        #expect(rig.attempts.count == 1)
        rig.start()
        #expect(rig.session.state == .ready)
    }

    /// Written down with the broker's own client: pieces of one answer, in any cut.
    @Test func anAnswerInSinglesIsOneAnswer() {
        var rig = SessionRig(placesOrders: false)
        rig.chop(seed: 1)
        rig.start()
        #expect(rig.session.state == .ready)
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
