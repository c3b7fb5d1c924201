import Foundation
import Testing

/// Frames and lines of JSON as a user meets them.
@Suite struct WireCommandTests {
    private let program: BuiltProgram

    init() throws { program = try BuiltProgram() }

    private static let session = """
        {"message":"handshake","fields":{"serverVersion":178,"connectionTime":"20250415 19:38:30 US/Eastern"}}
        {"message":"managedAccounts","fields":{"accountsList":["DU1234567"]}}

        {"message":"nextValidId","fields":{"orderId":17}}
        """

    @Test func framesOfLinesAreReadBackAsTheLines() throws {
        try program.write(Self.session, to: "session.jsonl")
        let encoded = try program.run(
            "wire", "encode", "--server-version", "178", "--from", "server", "session.jsonl")
        #expect(encoded.status == 0 && encoded.errors == "")
        #expect(encoded.output.hasSuffix("\0\0\0\u{7}9\u{0}1\u{0}17\u{0}"))
        try program.write(encoded.output, to: "session.bin")
        let decoded = try decode("session.bin", at: 178, "--show-accounts")
        #expect(decoded.status == 0 && decoded.errors == "")
        let lines = Self.session.split(separator: "\n").map(String.init)
        #expect(decoded.output.split(separator: "\n").map(String.init) == lines)
        let hidden = try decode("session.bin", at: 178)
        #expect(hidden.output.contains("DU***67") && !hidden.output.contains("DU1234567"))
        // Read at another version than the stream agrees on: said, and no reason to end otherwise.
        let other = try decode("session.bin", at: 176)
        #expect(other.status == 0)
        #expect(
            other.errors.contains("the stream agrees on server version 178; it was read as 176"))
    }

    @Test func errorsEndWithSixAndTheRestIsDone() throws {
        try program.write(
            "{\"message\":\"reqIds\"}\nnonsense\n{\"message\":\"reqPositions\"}",
            to: "requests.jsonl")
        let encoded = try program.run(
            "wire", "encode", "--server-version", "200", "--from", "client", "requests.jsonl")
        #expect(encoded.status == 6)
        #expect(encoded.errors == "line 2: no JSON at byte 0: no value\n")
        try program.write(encoded.output + "\0\0\0\u{4}999\u{0}\0\0", to: "requests.bin")
        let decoded = try program.run(
            "wire", "decode", "--server-version", "200", "--from", "client", "requests.bin")
        #expect(decoded.status == 6)
        #expect(
            decoded.output == """
                {"message":"reqIds","fields":{"numIds":1}}
                {"message":"reqPositions","fields":{}}
                {"message":null,"error":{"frame":3,"offset":19,"reason":"no message has number 999"}}
                {"message":null,"error":{"frame":4,"offset":27,"reason":"the stream ends inside the frame, 2 bytes behind its beginning"}}

                """)
    }

    /// A recording of a gateway's side, with a refusal and a code nobody knows.
    private func record() throws {
        let lines = """
            {"message":"error","fields":{"id":5,"errorCode":201,"errorString":"Order rejected for DU1234567"}}
            {"message":"error","fields":{"id":6,"errorCode":29999,"errorString":"News"}}
            """
        try program.write(Self.session + "\n" + lines, to: "session.jsonl")
        let encoded = try program.run(
            "wire", "encode", "--server-version", "178", "--from", "server", "session.jsonl")
        #expect(encoded.status == 0, "\(encoded.errors)")
        try program.write(encoded.output, to: "seen-1.server")
    }

    @Test func aRecordingIsPlayedToASessionAgain() throws {
        try record()
        let played = try program.run("wire", "replay", "seen-1.server")
        #expect(played.status == 0 && played.errors == "")
        let lines = played.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.contains(#""state":"HANDSHAKE","cause":"connection""#) == true)
        #expect(
            lines.contains(
                #"{"event":"agreed","server_version":178,"connection_time":"20250415 19:38:30 US/Eastern"}"#
            ))
        #expect(lines.contains { $0.contains(#""state":"READY""#) })
        #expect(
            lines.contains {
                $0.contains(#""message":"error","fields":{"id":5,"errorCode":201"#)
                    && $0.contains(#""class":"reject","scope":"order","advice":""#)
            })
        #expect(lines.contains { $0.contains("29999") && $0.contains(#""class":"unknown""#) })
        #expect(
            lines.last == #"{"event":"disconnected","cause":"the recording ends here"}"#)
        #expect(played.output.contains("DU***67") && !played.output.contains("DU1234567"))
        let open = try program.run("wire", "replay", "--show-accounts", "seen-1.server")
        #expect(open.output.contains("Order rejected for DU1234567"))
    }

    @Test func codesOfAUsersOwnHoldBeforeTheKnownOnes() throws {
        try record()
        try program.write("29999 information session Only news.\n", to: "codes.txt")
        let played = try program.run("wire", "replay", "--codes", "codes.txt", "seen-1.server")
        #expect(played.status == 0, "\(played.errors)")
        #expect(
            played.output.contains(
                #""class":"information","scope":"session","advice":"Only news.""#))
        try program.write(
            "29999 harmless session Only news.\n1100 warning session X\n", to: "bad.txt")
        let refused = try program.run("wire", "replay", "--codes", "bad.txt", "seen-1.server")
        #expect(refused.status == 2 && refused.output == "")
        #expect(refused.errors.contains("bad.txt:\nline 1: 'harmless' is not one of"))
        let ping = try program.run(
            "gateway", "ping", "--host", "127.0.0.1", "--port", "1", "--codes", "missing.txt")
        #expect(ping.status == 1)
        #expect(ping.errors.contains("missing.txt: No such file or directory"))
    }

    @Test func aRecordingThatCannotBeReadEndsWithSix() throws {
        let missing = try program.run("wire", "replay", "missing.server")
        #expect(missing.status == 6)
        #expect(missing.errors.contains("missing.server: No such file or directory"))
        try record()
        // The client's side has no gateway's handshake.
        try program.write("API\0\0\0\0\u{9}v163..200", to: "seen-1.client")
        let client = try program.run("wire", "replay", "seen-1.client")
        #expect(client.status == 6)
        #expect(client.output.contains("does not speak"))
    }

    @Test func whatCannotBeOpenedOrMeantIsRefused() throws {
        let missing = try decode("missing.bin", at: 200)
        #expect(missing.status == 6)
        #expect(missing.errors.contains("missing.bin: No such file or directory"))
        let version = try decode("missing.bin", at: 201)
        #expect(version.status == 2)
        #expect(version.errors.contains("known are 157 to 200"))
        let side = try program.run(
            "wire", "decode", "--server-version", "200", "--from", "nobody", "missing.bin")
        #expect(side.status == 2)
    }

    /// Standard input, which is empty here.
    @Test func hyphenIsStandardInput() throws {
        for verb in ["decode", "encode"] {
            let run = try program.run(
                "wire", verb, "--server-version", "200", "--from", "client", "-")
            #expect(run.status == 0 && run.output == "" && run.errors == "", "\(verb)")
        }
    }

    private func decode(
        _ file: String, at version: Int, _ more: String...
    ) throws -> BuiltProgram.Run {
        try program.run(
            ["wire", "decode", "--server-version", "\(version)", "--from", "server", file] + more)
    }
}
