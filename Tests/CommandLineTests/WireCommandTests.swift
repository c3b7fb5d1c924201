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
