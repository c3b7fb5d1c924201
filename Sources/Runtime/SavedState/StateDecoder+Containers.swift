/// Reads one value.
struct NodeDecoder: Decoder {
    let run: DecodingRun
    /// The byte at which the value begins.
    let start: Int
    let path: StatePath
    /// How many values it lies within.
    let depth: Int

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try RecordDecoder<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ListDecoder(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ValueDecoder(decoder: self) }

    /// A decoder of a value within this one, which counts as asked for.
    fileprivate func nested(at start: Int, _ path: StatePath) throws -> NodeDecoder {
        guard depth < StateFormat.nestingMax else {
            throw SavedStateError.tooDeep(at: path.text)
        }
        run.take(start)
        return NodeDecoder(run: run, start: start, path: path, depth: depth + 1)
    }
}

/// Reads a value that is no list and no record of its own.
private struct ValueDecoder: SingleValueDecodingContainer {
    let decoder: NodeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.run.isNone(at: decoder.start) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

    // Of the two widest the standard library has versions of its own, which refuse.
    func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }

    private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.run.value(
            type, at: decoder.start, path: decoder.path, depth: decoder.depth + 1)
    }
}

/// Reads values one after the other.
private struct ListDecoder: UnkeyedDecodingContainer {
    private let decoder: NodeDecoder
    private let size: Int
    private(set) var currentIndex = 0
    /// Where the next value begins, if there is one.
    private var next: StateCursor

    init(decoder: NodeDecoder) throws {
        self.decoder = decoder
        next = decoder.run.cursor(at: decoder.start)
        guard try next.kind() == .list else {
            throw try decoder.run.mismatch([Any].self, at: decoder.start, decoder.path)
        }
        size = try next.head().count
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { size }
    var isAtEnd: Bool { currentIndex >= size }

    mutating func decodeNil() throws -> Bool {
        try expectMore(Any?.self)
        guard decoder.run.isNone(at: next.position) else { return false }
        decoder.run.take(next.position)
        try advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

    // Of the two widest the standard library has versions of its own, which refuse.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }

    mutating func nestedContainer<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let container = try nested().container(keyedBy: type)
        try advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try nested().unkeyedContainer()
        try advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let nested = try nested()
        try advance()
        return nested
    }

    private var element: StatePath { decoder.path.element(currentIndex) }

    private mutating func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try expectMore(type)
        let value = try decoder.run.value(
            type, at: next.position, path: element, depth: decoder.depth + 1)
        try advance()
        return value
    }

    private func nested() throws -> NodeDecoder {
        try expectMore(Any.self)
        return try decoder.nested(at: next.position, element)
    }

    private mutating func advance() throws {
        try next.skip()
        currentIndex += 1
    }

    private func expectMore(_ type: Any.Type) throws {
        guard isAtEnd else { return }
        let context = DecodingError.Context(
            codingPath: element.keys, debugDescription: "the list has \(size) values")
        throw DecodingError.valueNotFound(type, context)
    }
}

/// Reads values under keys.
private struct RecordDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: NodeDecoder
    /// The keys as saved.
    private var keys: [String] = []
    /// Where the value of each begins.
    private var starts: [String: Int] = [:]

    init(decoder: NodeDecoder) throws {
        self.decoder = decoder
        var cursor = decoder.run.cursor(at: decoder.start)
        guard try cursor.kind() == .record else {
            throw try decoder.run.mismatch([String: Any].self, at: decoder.start, decoder.path)
        }
        for _ in 0..<(try cursor.head().count) {
            let key = try cursor.text()
            // Other bytes can be the same text, with marks composed another way.
            guard starts.updateValue(cursor.position, forKey: key) == nil else {
                throw cursor.damage
            }
            keys.append(key)
            try cursor.skip()
        }
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { starts[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        let start = try start(of: key)
        guard decoder.run.isNone(at: start) else { return false }
        decoder.run.take(start)
        return true
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(type, under: key)
    }

    // Of the two widest the standard library has versions of its own, which refuse.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try value(type, under: key)
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try value(type, under: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested(under: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(under: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try nested(under: StateKey.parent) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try nested(under: key) }

    private func value<Value: Decodable>(
        _ type: Value.Type, under key: any CodingKey
    ) throws -> Value {
        try decoder.run.value(
            type, at: start(of: key), path: decoder.path.key(key), depth: decoder.depth + 1)
    }

    private func nested(under key: any CodingKey) throws -> NodeDecoder {
        try decoder.nested(at: start(of: key), decoder.path.key(key))
    }

    private func start(of key: any CodingKey) throws -> Int {
        guard let start = starts[key.stringValue] else {
            let context = DecodingError.Context(
                codingPath: codingPath, debugDescription: "there is no such key")
            throw DecodingError.keyNotFound(key, context)
        }
        return start
    }
}
