import Primitives
import TWSProtocol
import Testing

/// Every kind of message at every version, and the stream they travel in.
@Suite struct StreamPropertyTests {
    private static let seedsPerVersion: UInt64 = 3

    @Test func everyGatewayMessageSurvivesTheWireAtEveryVersion() throws {
        var count = 0
        for version in ServerVersion.all {
            let codec = TextCodec(version: version)
            for kind in GatewayMessageKind.allCases where kind.firstVersion <= version.number {
                for seed in 0..<Self.seedsPerVersion {
                    var filler = RandomFiller(
                        version: version, seed: seed &+ 977 &* UInt64(kind.rawValue))
                    let message = GatewayMessage(kind, from: &filler)
                    var bytes: [UInt8] = []
                    try codec.encode(message, into: &bytes)
                    let decoded = try bytes.withUnsafeBufferPointer {
                        try codec.decode(
                            fromGateway: UnsafeBufferPointer(rebasing: $0[4...]))
                    }
                    #expect(
                        decoded.message == message && decoded.leftover == 0, "\(kind) \(version)")
                }
                count += 1
            }
        }
        print("wire: \(count) gateway messages x versions")
        #expect(count == 83 * 44 - (161 - 157) * 2 - 8 - 10 - 39 - 40)
    }

    @Test func everyClientMessageSurvivesTheWireAtEveryVersion() throws {
        var count = 0
        for version in ServerVersion.all {
            let codec = TextCodec(version: version)
            for kind in ClientMessageKind.allCases where kind.firstVersion <= version.number {
                for seed in 0..<Self.seedsPerVersion {
                    var filler = RandomFiller(
                        version: version, seed: seed &+ 977 &* UInt64(kind.rawValue))
                    let message = ClientMessage(kind, from: &filler)
                    var bytes: [UInt8] = []
                    try codec.encode(message, into: &bytes)
                    let decoded = try bytes.withUnsafeBufferPointer {
                        try codec.decode(
                            fromClient: UnsafeBufferPointer(rebasing: $0[4...]))
                    }
                    #expect(
                        decoded.message == message && decoded.leftover == 0, "\(kind) \(version)")
                }
                count += 1
            }
        }
        print("wire: \(count) client messages x versions")
        #expect(count == 79 * 44 - (161 - 157) * 4 - 10 - 40)
    }

    /// A stream of one frame of every kind, and what it says.
    private static func stream(at version: ServerVersion) throws -> ([UInt8], [GatewayMessage]) {
        let codec = TextCodec(version: version)
        var bytes: [UInt8] = []
        var messages: [GatewayMessage] = []
        for kind in GatewayMessageKind.allCases where kind.firstVersion <= version.number {
            var filler = RandomFiller(version: version, seed: UInt64(kind.rawValue))
            let message = GatewayMessage(kind, from: &filler)
            try codec.encode(message, into: &bytes)
            messages.append(message)
        }
        return (bytes, messages)
    }

    /// Frames of `pieces`, which follow each other in one stream.
    private static func payloads(_ pieces: [ArraySlice<UInt8>]) throws -> [[UInt8]] {
        var frames = FrameReader()
        var payloads: [[UInt8]] = []
        for piece in pieces {
            piece.withUnsafeBytes { frames.append($0) }
            while let payload = try frames.next({ Array($0) }) { payloads.append(payload) }
        }
        return payloads
    }

    @Test func anyCuttingOfTheStreamGivesTheSameFrames() throws {
        let (bytes, messages) = try Self.stream(at: .newest)
        let whole = try Self.payloads([bytes[...]])
        #expect(whole.count == messages.count)
        var generator = SeededGenerator(seed: 4)
        var splits = 0
        // A run cuts the whole stream into pieces of random lengths; each piece is a split.
        while splits < 100_000 {
            var pieces: [ArraySlice<UInt8>] = []
            var start = 0
            let most = Int.random(in: 1...400, using: &generator)
            while start < bytes.count {
                let end = min(start + Int.random(in: 1...most, using: &generator), bytes.count)
                pieces.append(bytes[start..<end])
                start = end
            }
            splits += pieces.count
            #expect(try Self.payloads(pieces) == whole)
        }
        print("wire: \(splits) random splits")
    }

    @Test func aCutAtEveryByteOfEveryKindLosesNothingAndInventsNothing() throws {
        let version = ServerVersion.newest
        let codec = TextCodec(version: version)
        var cuts = 0
        for kind in GatewayMessageKind.allCases {
            var filler = RandomFiller(version: version, seed: UInt64(kind.rawValue))
            let message = GatewayMessage(kind, from: &filler)
            var bytes: [UInt8] = []
            try codec.encode(message, into: &bytes)
            let payload = Array(bytes[4...])
            for cut in 1..<bytes.count {
                #expect(try Self.payloads([bytes[..<cut]]).isEmpty)
                #expect(try Self.payloads([bytes[..<cut], bytes[cut...]]) == [payload])
                cuts += 1
            }
        }
        print("wire: \(cuts) cuts, one at every byte of every kind")
        #expect(cuts > 5_000)
    }
}
