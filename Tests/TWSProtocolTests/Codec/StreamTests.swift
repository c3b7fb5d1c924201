import Primitives
import TWSProtocol
import Testing

/// Streams of frames to lines of JSON and back.
@Suite struct StreamTests {
    @Test func linesBecomeFramesAndFramesTheSameLines() throws {
        let lines = [
            #"{"message":"handshake","fields":{"serverVersion":178,"connectionTime":"20250415 19:38:30 British Summer Time"}}"#,
            #"{"message":"managedAccounts","fields":{"accountsList":["DU1234567"]}}"#,
            #"{"message":"tickPrice","fields":{"reqId":5,"tickType":1,"price":1.25,"size":null,"attrMask":0}}"#,
        ]
        #expect(try printed(frames(lines, from: .gateway), from: .gateway) == lines)
        let requests = [
            #"{"message":"handshake","fields":{"minVersion":163,"maxVersion":200,"connectOptions":"+PACEAPI"}}"#,
            #"{"message":"startApi","fields":{"clientId":3,"optionalCapabilities":""}}"#,
        ]
        let bytes = try frames(requests, from: .client)
        #expect(bytes.starts(with: Array("API\0\0\0\0\u{12}v163..200 +PACEAPI".utf8)))
        #expect(printed(bytes, from: .client) == requests)
    }

    /// Any cut of the stream gives the same lines.
    @Test(arguments: 1...9)
    func piecesMakeNoDifference(size: Int) throws {
        let bytes = try frames(
            [
                #"{"message":"handshake","fields":{"minVersion":163,"maxVersion":200}}"#,
                #"{"message":"reqPositions"}"#, #"{"message":"reqIds","fields":{"numIds":3}}"#,
            ], from: .client)
        #expect(printed(bytes, from: .client, inPiecesOf: size) == printed(bytes, from: .client))
    }

    @Test func accountsAreHiddenUnlessAskedFor() throws {
        let line =
            #"{"message":"error","fields":{"id":3,"errorCode":201,"errorString":"DU1234567"}}"#
        let bytes = try frames([line], from: .gateway)
        let hidden = printed(bytes, from: .gateway, showsAccounts: false)
        #expect(hidden[0].contains(#""errorString":"DU***67""#))
        #expect(printed(bytes, from: .gateway)[0].contains("DU1234567"))
        // Also where the account stands in a field that could not be read.
        let broken = frame("49|1|DU1234567")
        let refused = printed(broken, from: .gateway, showsAccounts: false)
        #expect(refused[0].contains("'DU***67'"))
    }

    @Test func whatCannotBeReadIsNamedAndTheNextFrameIsRead() throws {
        let bytes = frame("999|1") + frame("49|1|x") + frame("49|1|500|9|9") + frame("zz")
        #expect(
            printed(bytes, from: .gateway) == [
                #"{"message":null,"error":{"frame":1,"offset":0,"reason":"no message has number 999"}}"#,
                #"{"message":"currentTime","error":{"frame":2,"offset":10,"reason":"currentTime: field 2 (time) has no valid value: 'x'"}}"#,
                #"{"message":"currentTime","fields":{"time":500},"leftover":2}"#,
                #"{"message":null,"error":{"frame":4,"offset":38,"reason":"the payload does not begin with a message number"}}"#,
            ])
    }

    @Test func lengthThatCannotBeEndsTheStream() throws {
        let bytes = frame("49|1|500") + [1, 0, 0, 0, 1] + frame("49|1|500")
        let lines = printed(bytes, from: .gateway)
        #expect(lines.count == 2)
        #expect(
            lines[1].hasPrefix(
                #"{"message":null,"error":{"frame":2,"offset":13,"reason":"a frame's length is 16777216;"#
            ))
    }

    @Test func endInsideAFrameIsAnError() throws {
        let lines = printed(Array(frame("49|1|500").dropLast()), from: .gateway)
        #expect(
            lines == [
                #"{"message":null,"error":{"frame":1,"offset":0,"reason":"the stream ends inside the frame, 12 bytes behind its beginning"}}"#
            ])
        #expect(printed(Array("AP".utf8), from: .client).count == 1)
        #expect(printed([], from: .client).isEmpty)
    }

    /// A message of two fields in front is none: only a date makes a handshake.
    @Test func firstMessageIsNotTakenForAHandshake() throws {
        #expect(
            printed(frame("53|1"), from: .gateway) == [#"{"message":"openOrderEnd","fields":{}}"#])
        #expect(
            printed(frame("49|1|500"), from: .client)[0].hasPrefix(
                #"{"message":"reqCurrentTime","fields":{},"leftover":1"#))
        let bad = Array("API\0".utf8) + frame("163..200")
        #expect(printed(bad, from: .client)[0].contains("there is no range of versions"))
    }

    /// Random bytes, and random changes of good ones, end in lines and never in a trap.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func garbageGivesLines(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = try frames(
            [
                #"{"message":"handshake","fields":{"minVersion":163,"maxVersion":200}}"#,
                #"{"message":"placeOrder","fields":{"symbol":"A","secType":"BAG","comboLegs":[{}]}}"#,
                #"{"message":"reqExecutions","fields":{"reqId":3}}"#,
            ], from: .client)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        bytes += (0..<50).map { _ in UInt8.random(in: 0...3, using: &generator) }
        for role in [WireRole.client, .gateway] {
            let lines = printed(bytes, from: role)
            #expect(!lines.isEmpty)
            for line in lines { _ = try JSONValue(Array(line.utf8)) }
        }
    }

    @Test(
        arguments: [
            ("[]", "the line is no object with the name of a message under 'message'"),
            (#"{"message":"nothing"}"#, "gateways send no message 'nothing'"),
            (#"{"message":"placeOrder"}"#, "gateways send no message 'placeOrder'"),
            (#"{"message":"pnl","fields":3}"#, "'fields' is no object"),
            (
                #"{"message":"pnl","leftover":1}"#,
                "'leftover' cannot be written: only 'message' and 'fields' can"
            ),
            (#"{"message":"pnl","fields":{"x":1}}"#, "pnl: x: "),
            (#"{"message":"currentTimeInMillis"}"#, "needs server version 197"),
            ("{", "no JSON at byte 1: "),
        ] as [(String, String)])
    func lineThatGivesNoFrameIsExplained(line: String, reason: String) throws {
        let failure = #expect(throws: LineFailure.self) { try frames([line], from: .gateway) }
        #expect(failure?.description.contains(reason) == true)
    }

    // MARK: Helpers

    private let version = ServerVersion.all[178 - 157]

    private func frame(_ text: String) -> [UInt8] {
        let bytes = payload(text)
        return [0, 0, 0, UInt8(bytes.count)] + bytes
    }

    private func frames(_ lines: [String], from role: WireRole) throws -> [UInt8] {
        let writer = StreamWriter(version: version, role: role)
        var bytes: [UInt8] = []
        for line in lines { try writer.write(Array(line.utf8), into: &bytes) }
        return bytes
    }

    private func printed(
        _ bytes: [UInt8], from role: WireRole, inPiecesOf size: Int = .max,
        showsAccounts: Bool = true
    ) -> [String] {
        var printer = StreamPrinter(version: version, role: role, showsAccounts: showsAccounts)
        var lines = ""
        var remainder = bytes[...]
        while !remainder.isEmpty {
            printer.take(remainder.prefix(size), into: &lines)
            remainder = remainder.dropFirst(min(size, remainder.count))
        }
        printer.finish(into: &lines)
        #expect(printer.hasErrors == lines.contains(#""error":{"#))
        return lines.split(separator: "\n").map(String.init)
    }
}
