import Primitives
import TWSProtocol
import Testing

/// Fills records of `type` at random for every version and expects each to survive the wire: written,
/// read back equal, nothing left over; and JSON: printed and made again of
/// that, it gives the same bytes.
func expectRoundTrips<R: FieldRecord>(
    of type: R.Type, from role: WireRole, seeds: Range<UInt64> = 0..<20,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    for version in ServerVersion.all {
        for seed in seeds {
            var filler = RandomFiller(
                version: version, seed: seed &+ 1_000 &* UInt64(version.number))
            var record = R()
            record.fields(&filler)
            let bytes = try record.text(at: version, from: role)
            let (repeated, leftover) = try bytes.withUnsafeBufferPointer {
                try R.read($0, at: version)
            }
            #expect(
                repeated == record && leftover == 0, "\(R.self) at \(version), seed \(seed)",
                sourceLocation: sourceLocation)
            guard seed < seeds.lowerBound + 4 else { continue }
            #expect(
                try throughJSON(record, at: version).text(at: version, from: role) == bytes,
                "\(R.self) at \(version), seed \(seed), as JSON", sourceLocation: sourceLocation)
        }
    }
}

/// A record printed as JSON and made again of that.
private func throughJSON<R: FieldRecord>(_ record: R, at version: ServerVersion) throws -> R {
    let text = record.json(at: version, showsAccounts: true)
    guard case .object(let members) = try JSONValue(Array(text.utf8)) else { return R() }
    return try R(json: members, at: version)
}

/// A payload's fields behind the message number, joined by `|` for people to read.
func fields(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.dropLast().map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
}

/// The bytes of fields that people joined by `|`.
func payload(_ text: String) -> [UInt8] {
    text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 } + [0]
}
