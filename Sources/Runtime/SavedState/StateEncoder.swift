/// Writes a value in the format of saved states: the same value gives the same bytes in every run.
///
/// The order in which a type declares its properties does not matter, nor does the order in which a
/// dictionary was filled. What has no order that lasts is refused, wherever the value passes it to a
/// container; a hand-written `encode(to:)` that calls a set's own `encode(to:)` instead cannot be seen.
package enum StateEncoder {
    /// The bytes of a value.
    package static func encode(_ value: some Encodable) throws(SavedStateError) -> [UInt8] {
        let run = EncodingRun()
        do {
            let bytes = try run.bytes(of: value, at: .whole, depth: 0)
            if let fault = run.fault { throw fault }
            guard bytes.count < StateFormat.byteCountMax else { throw SavedStateError.tooLarge }
            return [StateFormat.version] + bytes
        } catch {
            throw SavedStateError(error)
        }
    }
}

/// What all parts of one encoding share.
final class EncodingRun {
    /// The first thing that went wrong where Swift's protocols do not let us throw.
    private(set) var fault: SavedStateError?

    private var byteCount = 1
    private var seen = SeenTypes()

    /// Remembers a fault.
    func note(_ fault: SavedStateError) { self.fault = self.fault ?? fault }

    /// Takes note of bytes to come.
    func count(_ bytes: Int) throws {
        byteCount += bytes
        guard byteCount <= StateFormat.byteCountMax else { throw SavedStateError.tooLarge }
    }

    /// The bytes of a value and of all within it.
    func bytes<Value: Encodable>(
        of value: Value, at path: @autoclosure () -> StatePath, depth: Int
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        if let scalar = value as? any StateScalar {
            scalar.append(to: &bytes)
            try count(bytes.count)
        } else {
            let path = path()
            try seen.expectOrder(of: Value.self, at: path)
            let encoder = NodeEncoder(run: self, node: EncodingNode(), path: path, depth: depth)
            guard !encoder.isTooDeep else { throw SavedStateError.tooDeep(at: path.text) }
            try value.encode(to: encoder)
            // Its parts were counted when they came.
            encoder.node.append(to: &bytes)
        }
        return bytes
    }

    /// Throws when a type has no order that lasts.
    func expectOrder(of type: Any.Type, at path: StatePath) throws {
        try seen.expectOrder(of: type, at: path)
    }
}

/// One value that is being written.
final class EncodingNode {
    private var content = Content.nothing

    /// What has come so far.
    private enum Content {
        case nothing
        case value([UInt8])
        case list(List)
        case record([String: Part])
    }

    /// A value of a list or record: complete, or written to later.
    private enum Part {
        case complete([UInt8])
        case open(EncodingNode)
    }

    /// The values of a list.
    private struct List {
        var count = 0
        /// Open nodes, each with the complete values before it.
        var parts: [(before: [UInt8], node: EncodingNode)] = []
        /// The complete values behind the last open node.
        var newest: [UInt8] = []
    }

    /// Becomes a list, if it is nothing else yet; whether it is one.
    func becomeList() -> Bool {
        switch content {
        case .nothing: content = .list(List())
        case .list: break
        case .value, .record: return false
        }
        return true
    }

    /// Becomes a record, if it is nothing else yet; whether it is one.
    func becomeRecord() -> Bool {
        switch content {
        case .nothing: content = .record([:])
        case .record: break
        case .value, .list: return false
        }
        return true
    }

    /// Becomes a value, if it is nothing yet; whether it was nothing.
    func becomeValue(_ bytes: [UInt8]) -> Bool {
        guard case .nothing = content else { return false }
        content = .value(bytes)
        return true
    }

    /// How many values the list holds.
    var count: Int {
        guard case .list(let list) = content else { return 0 }
        return list.count
    }

    /// Adds a value to the list.
    func append(_ write: (inout [UInt8]) -> Void) {
        guard case .list(var list) = content else { return }
        // Taken out meanwhile: a second holder of the array would have it copied at each value.
        content = .nothing
        list.count += 1
        write(&list.newest)
        content = .list(list)
    }

    /// Adds a node to the list.
    func append(_ node: EncodingNode) {
        guard case .list(var list) = content else { return }
        list.count += 1
        list.parts.append((list.newest, node))
        list.newest = []
        content = .list(list)
    }

    /// Puts a complete value under a key; whether the key is new.
    func put(_ bytes: [UInt8], under key: String) -> Bool { put(.complete(bytes), under: key) }

    /// Puts a node under a key; whether the key is new.
    func put(_ node: EncodingNode, under key: String) -> Bool { put(.open(node), under: key) }

    private func put(_ part: Part, under key: String) -> Bool {
        guard case .record(var parts) = content else { return false }
        content = .nothing
        defer { content = .record(parts) }
        return parts.updateValue(part, forKey: key) == nil
    }

    /// Adds what has come to the bytes before it. What wrote nothing is a record without values.
    func append(to bytes: inout [UInt8]) {
        switch content {
        case .value(let value): bytes += value
        case .nothing: Self.append([], .record, count: 0, to: &bytes)
        case .list(let list):
            var values: [UInt8] = []
            for (before, node) in list.parts {
                values += before
                node.append(to: &values)
            }
            values += list.newest
            Self.append(values, .list, count: list.count, to: &bytes)
        case .record(let parts):
            var values: [UInt8] = []
            let sorted = parts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (key, part) in sorted {
                values.append(text: key)
                switch part {
                case .complete(let value): values += value
                case .open(let node): node.append(to: &values)
                }
            }
            Self.append(values, .record, count: parts.count, to: &bytes)
        }
    }

    private static func append(
        _ values: [UInt8], _ kind: StateFormat.Kind, count: Int, to bytes: inout [UInt8]
    ) {
        bytes.append(kind)
        bytes.append(magnitude: UInt(count))
        bytes.append(magnitude: UInt(values.count))
        bytes += values
    }
}
