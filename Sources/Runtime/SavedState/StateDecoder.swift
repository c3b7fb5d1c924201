/// Reads what `StateEncoder` wrote. Whatever the bytes are, it gives a value or throws.
///
/// All bytes are checked before anything is made of them. A value must take in everything that was saved:
/// what it does not ask for belongs to another program.
package enum StateDecoder {
    /// The value that was saved.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(SavedStateError) -> Value {
        guard bytes.count <= StateFormat.byteCountMax else { throw .tooLarge }
        var cursor = StateCursor(bytes: bytes, position: 0)
        let version = try cursor.byte()
        guard version == StateFormat.version else { throw .otherVersion(version) }
        let first = cursor.position
        try cursor.check()
        guard cursor.position == bytes.count else { throw cursor.damage }
        let run = DecodingRun(bytes)
        do {
            let value = try run.value(type, at: first, path: .whole, depth: 0)
            try run.expectAllTaken(from: first, path: .whole)
            return value
        } catch {
            throw SavedStateError(error)
        }
    }
}

/// What all parts of one decoding share.
final class DecodingRun {
    let bytes: [UInt8]

    /// A bit for each byte at which a value begins that was asked for.
    private var taken: [UInt64]
    private var seen = SeenTypes()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        taken = Array(repeating: 0, count: bytes.count / 64 + 1)
    }

    /// Reads from a byte on.
    func cursor(at start: Int) -> StateCursor { StateCursor(bytes: bytes, position: start) }

    /// Remembers that the value at a byte was asked for.
    func take(_ start: Int) { taken[start >> 6] |= 1 << UInt64(start & 63) }

    /// Whether the value at a byte is nothing.
    func isNone(at start: Int) -> Bool { bytes[start] == StateFormat.Kind.none.rawValue }

    /// The value at a byte.
    func value<Value: Decodable>(
        _ type: Value.Type, at start: Int, path: @autoclosure () -> StatePath, depth: Int
    ) throws -> Value {
        take(start)
        if let scalar = type as? any StateScalar.Type {
            var cursor = cursor(at: start)
            guard let value = try scalar.read(&cursor) as? Value else {
                throw try mismatch(type, at: start, path())
            }
            return value
        }
        let path = path()
        try seen.expectOrder(of: type, at: path)
        guard depth <= StateFormat.nestingMax else { throw SavedStateError.tooDeep(at: path.text) }
        return try Value(from: NodeDecoder(run: self, start: start, path: path, depth: depth))
    }

    /// The error of a value that is not of the type asked for.
    func mismatch(_ type: Any.Type, at start: Int, _ path: StatePath) throws -> DecodingError {
        var cursor = cursor(at: start)
        let found =
            switch try cursor.kind() {
            case .none: "nothing"
            case .false, .true: "a truth value"
            case .natural, .negative: "a whole number"
            case .double: "a number of 64 bits"
            case .float: "a number of 32 bits"
            case .text: "a text"
            case .list: "a list"
            case .record: "a record"
            }
        let context = DecodingError.Context(
            codingPath: path.keys, debugDescription: "\(found) was saved, \(type) cannot be that")
        return .typeMismatch(type, context)
    }

    /// Throws when a value within the one at a byte was not asked for.
    func expectAllTaken(from start: Int, path: StatePath) throws {
        var cursor = cursor(at: start)
        let kind = try cursor.kind()
        guard kind == .list || kind == .record else { return }
        let head = try cursor.head()
        for index in 0..<head.count {
            let part =
                kind == .record
                ? path.key(StateKey(stringValue: try cursor.text())) : path.element(index)
            guard taken[cursor.position >> 6] & 1 << UInt64(cursor.position & 63) != 0 else {
                throw SavedStateError.superfluous(at: part.text)
            }
            try expectAllTaken(from: cursor.position, path: part)
            try cursor.skip()
        }
    }
}
