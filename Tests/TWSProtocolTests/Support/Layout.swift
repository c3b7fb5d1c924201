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
    let bytes = text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 } + [0]
    return try bytes.withUnsafeBufferPointer { try R.read($0, at: known(version)) }
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

/// The names of a record's fields at the top level of its JSON, in order.
func labels(of json: String) -> [String] {
    var labels: [String] = []
    var depth = 0
    var inText = false
    var escaped = false
    var text = ""
    for character in json {
        if inText {
            if escaped {
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == "\"" {
                inText = false
            } else {
                text.append(character)
            }
            continue
        }
        switch character {
        case "\"":
            inText = true
            text = ""
        case ":": if depth == 1 { labels.append(text) }
        case "{", "[": depth += 1
        case "}", "]": depth -= 1
        default: break
        }
    }
    return labels
}

/// The names that occur more than once in a record, whatever branches random values take.
func repeatedLabels<R: FieldRecord>(of type: R.Type) -> [String] {
    var repeated: [String] = []
    for version in ServerVersion.all {
        for seed in 0..<10 as Range<UInt64> {
            var filler = RandomFiller(version: version, seed: seed)
            var record = R()
            record.fields(&filler)
            let names = labels(of: record.json(at: version, showsAccounts: true))
            var seen: Set<String> = []
            for name in names where !seen.insert(name).inserted && !repeated.contains(name) {
                repeated.append(name)
            }
        }
    }
    return repeated
}
