import TWSProtocol

/// A record's fields behind the message number at `version`, joined by `|`.
func layout(
    _ record: some FieldRecord, at version: Int, from role: WireRole
) throws -> String {
    fields(try record.text(at: known(version), from: role))
}

/// Reads `text`, fields joined by `|`, and expects nothing to be left over.
func read<R: FieldRecord>(_ type: R.Type, _ text: String, at version: Int) throws -> R {
    let (record, leftover) = try readLoosely(type, text, at: version)
    guard leftover == 0 else { throw Leftover(fields: leftover) }
    return record
}

/// Reads `text`, fields joined by `|`, and says how many fields stand behind the last one known.
func readLoosely<R: FieldRecord>(
    _ type: R.Type, _ text: String, at version: Int
) throws -> (record: R, leftover: Int) {
    try payload(text).withUnsafeBufferPointer { try R.read($0, at: known(version)) }
}

/// Why `text` cannot be read; `nil` when it can.
func failure<R: FieldRecord>(of type: R.Type, _ text: String, at version: Int) -> String? {
    do {
        _ = try readLoosely(type, text, at: version)
        return nil
    } catch { return "\(error)" }
}

/// Fields that nothing read.
struct Leftover: Error {
    let fields: Int
}

/// A version of the supported window; the newest for numbers outside it.
func known(_ version: Int) -> ServerVersion { ServerVersion(version) ?? .newest }

/// How many fields a text of `layout` has.
func count(_ layout: String) -> Int {
    layout.split(separator: "|", omittingEmptySubsequences: false).count
}
