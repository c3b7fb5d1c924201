import Primitives
import TWSProtocol
import Testing

/// How a lost connection comes back, and what a cut anywhere leaves behind.
@Suite struct SessionReconnectTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func tenMinutesOfRefusalAreAtMost25Attempts(seed: UInt64) {
        var rig = SessionRig { $0.seed = seed }
        rig.isListening = false
        rig.start()
        rig.advance(by: .minutes(10))
        #expect((24...25).contains(rig.attempts.count))
        // 1, 2, 4, 8, 16, 30, 30 ... seconds, each up to a 25th shorter.
        for (index, wait) in rig.waits.enumerated() {
            let longest = min(30, Int64(1) << min(index, 5))
            #expect(wait <= .seconds(longest))
            #expect(wait >= .milliseconds(longest * 960))
        }
        rig.isListening = true
        rig.advance(by: .seconds(30))
        #expect(rig.session.state == .ready)
    }

    @Test func waitsBeginAnewBehindASessionThatBegan() {
        var rig = SessionRig()
        rig.isListening = false
        rig.start()
        rig.advance(by: .minutes(2))
        rig.isListening = true
        rig.advance(by: .seconds(30))
        rig.forget()
        rig.cut()
        #expect(rig.waits.allSatisfy { $0 <= .seconds(1) })
        #expect(rig.session.state == .down)
        #expect(rig.session.agreement == nil)
        rig.advance(by: .seconds(1))
        #expect(rig.session.state == .ready)
        #expect(rig.session.epoch == 2)
    }

    /// A gateway at its login screen takes connections and says nothing: no shorter waits for that.
    @Test func aListenerThatNeverBeginsIsTriedEverMoreSlowly() {
        var rig = SessionRig()
        rig.speaks = false
        rig.start()
        rig.advance(by: .hours(1))
        #expect(rig.attempts.count <= 60)
        #expect(rig.waits.suffix(10).allSatisfy { $0 >= .milliseconds(28_800) })
    }

    @Test func aSessionThatDoesNotReconnectEndsWithItsConnection() {
        var rig = SessionRig { $0.reconnects = false }
        rig.start()
        rig.cut(.connection("reset"))
        #expect(rig.events.last == .disconnected(.connection("reset"), nextAttemptIn: nil))
        rig.advance(by: .hours(1))
        #expect(rig.attempts.count == 1)
    }

    /// Open orders, data and a code, in one long answer, cut behind every single byte.
    @Test func cutBehindAnyByteAppliesWholeMessagesOnlyAndComesBack() throws {
        let conversation = Self.conversation()
        let bytes = try Self.bytes(of: conversation)
        let codec = TextCodec(version: .newest)
        var ends: [Int] = []
        var whole: [UInt8] = []
        for message in conversation {
            try codec.encode(message, into: &whole)
            ends.append(whole.count)
        }
        for offset in 0...bytes.count {
            var rig = SessionRig()
            rig.welcome = []
            rig.answered = []
            rig.start()
            rig.forget()
            rig.receive(Array(bytes[..<offset]))
            let published = rig.events.filter { if case .message = $0 { true } else { false } }
            #expect(published.count == ends.filter { $0 <= offset }.count)
            rig.cut()
            rig.welcome = [.accounts("DU1"), .nextID(1)]
            rig.answered = SessionRig().answered
            rig.forget()
            rig.advance(by: .seconds(1))
            // Nothing of the half message is left over in the next connection.
            #expect(rig.session.state == .ready)
            let rejected = rig.events.contains { if case .rejected = $0 { true } else { false } }
            #expect(!rejected)
        }
    }

    @Test func cutBehindAnyByteOfTheGreetingComesBack() throws {
        let greeting: [UInt8] = [0, 0, 0, 26] + Array("200\u{0}20231114 17:13:20 EST\u{0}".utf8)
        for offset in 0..<greeting.count {
            var rig = SessionRig()
            rig.firstWord = Array(greeting[..<offset])
            rig.start()
            #expect(rig.session.state == .handshake)
            rig.cut()
            rig.firstWord = nil
            rig.advance(by: .seconds(1))
            #expect(rig.session.state == .ready)
        }
    }

    /// Property: any cut of the stream into pieces tells the same.
    @Test(arguments: 0..<500 as Range<UInt64>)
    func anyPiecesReportTheSame(seed: UInt64) throws {
        var whole = SessionRig()
        whole.start()
        whole.reply(Self.conversation())
        var pieces = SessionRig()
        pieces.chop(seed: seed)
        pieces.start()
        pieces.reply(Self.conversation())
        #expect(pieces.events == whole.events)
        #expect(pieces.messages == whole.messages)
    }

    @Test func oneUnreadableMessageIsLostAlone() {
        var rig = SessionRig.begun()
        rig.forget()
        // Message 999 does not exist; a bid without its fields is none.
        rig.receive([0, 0, 0, 4] + Array("999\0".utf8) + [0, 0, 0, 4] + Array("1\0x\0".utf8))
        rig.reply(.bid(1))
        let failures = rig.events.compactMap { event -> DecodingFailure? in
            if case .rejected(let failure) = event { failure } else { nil }
        }
        #expect(failures.count == 2)
        #expect(failures.first == .unknownMessage(number: 999))
        #expect(rig.events.last == .message(.bid(1), leftover: 0))
        #expect(rig.closings == 0)
    }

    @Test(arguments: [[0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [0x01, 0, 0, 0]] as [[UInt8]])
    func anImpossibleLengthDropsTheConnection(length: [UInt8]) {
        var rig = SessionRig.begun()
        rig.receive(length)
        guard case .stream(.badLength) = rig.faults.first else {
            Issue.record("the connection goes on: \(rig.faults)")
            return
        }
        #expect(rig.closings == 1)
        rig.advance(by: .seconds(1))
        #expect(rig.session.state == .ready)
    }

    private static func conversation() -> [GatewayMessage] {
        var order = OpenOrder()
        order.orderId = 5
        order.contract.symbol = "SPY"
        return [
            .openOrder(order), .accounts("DU1"), .code(2104, "is OK:usfarm"), .nextID(6),
            .openOrderEnd(OpenOrderEnd()), .bid(9), .code(1100), .code(1101), .bid(9),
        ]
    }

    private static func bytes(of messages: [GatewayMessage]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for message in messages { try TextCodec(version: .newest).encode(message, into: &bytes) }
        return bytes
    }
}
