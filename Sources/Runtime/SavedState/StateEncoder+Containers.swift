/// Writes one value into its node.
struct NodeEncoder: Encoder {
    let run: EncodingRun
    let node: EncodingNode
    let path: StatePath
    /// How many values the node lies within.
    let depth: Int

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// True when it lies within more values than a state may have around one.
    var isTooDeep: Bool { depth > StateFormat.nestingMax }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RecordEncoder<Key>(encoder: asRecord))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ListEncoder(encoder: asList) }

    func singleValueContainer() -> any SingleValueEncodingContainer { ValueEncoder(encoder: self) }

    /// The same, of a node that is a record.
    fileprivate var asRecord: NodeEncoder {
        node.becomeRecord() ? self : stray { $0.becomeRecord() }
    }

    /// The same, of a node that is a list.
    fileprivate var asList: NodeEncoder { node.becomeList() ? self : stray { $0.becomeList() } }

    /// Throws what came to light where nothing can be thrown.
    fileprivate func expectNoFault() throws {
        if let fault = run.fault { throw fault }
    }

    /// Adds an open value under a key.
    fileprivate func nested(under key: any CodingKey) -> NodeEncoder {
        let nested = nested(at: path.key(key))
        if !nested.isTooDeep && !node.put(nested.node, under: key.stringValue) {
            run.note(.writtenTwice(at: nested.path.text))
        }
        return nested
    }

    /// Adds an open value to the list.
    fileprivate func nestedInList() -> NodeEncoder {
        let nested = nested(at: path.element(node.count))
        if !nested.isTooDeep { node.append(nested.node) }
        return nested
    }

    /// An encoder of a value within this one. One that is too deep must lead nowhere: the nodes are taken
    /// apart one within the other.
    private func nested(at path: StatePath) -> NodeEncoder {
        let nested = NodeEncoder(run: run, node: EncodingNode(), path: path, depth: depth + 1)
        if nested.isTooDeep { run.note(.tooDeep(at: path.text)) }
        return nested
    }

    /// An encoder that leads nowhere, for a value that was written in another way before.
    private func stray(_ become: (EncodingNode) -> Bool) -> NodeEncoder {
        run.note(.writtenTwice(at: path.text))
        let stray = NodeEncoder(run: run, node: EncodingNode(), path: path, depth: depth)
        _ = become(stray.node)
        return stray
    }
}

/// Writes a value that is no list and no record of its own.
private struct ValueEncoder: SingleValueEncodingContainer {
    let encoder: NodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws { try write([StateFormat.Kind.none.rawValue]) }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try save(value) }

    // Of the two widest the standard library has versions of its own, which refuse.
    mutating func encode(_ value: Int128) throws { try save(value) }
    mutating func encode(_ value: UInt128) throws { try save(value) }

    private func save(_ value: some Encodable) throws {
        try write(encoder.run.bytes(of: value, at: encoder.path, depth: encoder.depth + 1))
    }

    private func write(_ bytes: [UInt8]) throws {
        try encoder.expectNoFault()
        guard encoder.node.becomeValue(bytes) else {
            throw SavedStateError.writtenTwice(at: encoder.path.text)
        }
    }
}

/// Writes values one after the other.
private struct ListEncoder: UnkeyedEncodingContainer {
    let encoder: NodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.count }

    mutating func encodeNil() throws { try write([StateFormat.Kind.none.rawValue]) }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try save(value) }

    // Of the two widest the standard library has versions of its own, which refuse.
    mutating func encode(_ value: Int128) throws { try save(value) }
    mutating func encode(_ value: UInt128) throws { try save(value) }

    mutating func nestedContainer<Key: CodingKey>(
        keyedBy type: Key.Type
    ) -> KeyedEncodingContainer<Key> {
        encoder.nestedInList().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.nestedInList().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder.nestedInList() }

    private func save(_ value: some Encodable) throws {
        let path = encoder.path
        try write(
            encoder.run.bytes(of: value, at: path.element(count), depth: encoder.depth + 1))
    }

    private func write(_ bytes: [UInt8]) throws {
        try encoder.expectNoFault()
        encoder.node.append { $0 += bytes }
    }
}

/// Writes values under keys.
private struct RecordEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: NodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        try write([StateFormat.Kind.none.rawValue], under: key)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try save(value, under: key)
    }

    // Of the two widest the standard library has versions of its own, which refuse.
    mutating func encode(_ value: Int128, forKey key: Key) throws { try save(value, under: key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try save(value, under: key) }

    /// Looks at the type even where there is no value: a state that will be refused is refused at once.
    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try encoder.run.expectOrder(of: Value.self, at: encoder.path.key(key))
        if let value { try save(value, under: key) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.nested(under: key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.nested(under: key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder.nested(under: StateKey.parent) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(under: key) }

    private func save(_ value: some Encodable, under key: any CodingKey) throws {
        let bytes = try encoder.run.bytes(
            of: value, at: encoder.path.key(key), depth: encoder.depth + 1)
        try write(bytes, under: key)
    }

    private func write(_ bytes: [UInt8], under key: any CodingKey) throws {
        try encoder.expectNoFault()
        try encoder.run.count(key.stringValue.utf8.count)
        guard encoder.node.put(bytes, under: key.stringValue) else {
            throw SavedStateError.writtenTwice(at: encoder.path.key(key).text)
        }
    }
}
