/// The format of a saved state: a version, then one value.
///
/// A value begins with its kind. Whole numbers are a magnitude in groups of seven bits, the lowest first, as
/// short as possible. A list is its count, its length in bytes and its values; a record is the same, each value
/// behind its key, keys in the order of their bytes. So each value has one form, and what cannot have been
/// written is not read.
enum StateFormat {
    /// The first byte of every state.
    static let version: UInt8 = 1
    /// The most bytes that a state may take: 64 MiB.
    static let byteCountMax = 64 << 20
    /// How many values a value may lie within.
    static let nestingMax = 64

    /// The kinds of values, by the byte they begin with.
    enum Kind: UInt8 {
        /// Nothing.
        case none
        /// The one truth value.
        case `false`
        /// The other.
        case `true`
        /// A whole number from 0 on: its magnitude.
        case natural
        /// A whole number below 0: its magnitude less one.
        case negative
        /// A number of 64 bits: these, the lowest first.
        case double
        /// A number of 32 bits: these, the lowest first.
        case float
        /// A text: its length in bytes, and these in UTF-8.
        case text
        /// Values one after the other.
        case list
        /// Values under keys.
        case record
    }
}

extension [UInt8] {
    /// Adds the byte a value begins with.
    mutating func append(_ kind: StateFormat.Kind) { append(kind.rawValue) }

    /// Adds a magnitude in groups of seven bits.
    mutating func append(magnitude: some FixedWidthInteger & UnsignedInteger) {
        var remaining = magnitude
        while remaining >= 0x80 {
            append(UInt8(truncatingIfNeeded: remaining) | 0x80)
            remaining >>= 7
        }
        append(UInt8(truncatingIfNeeded: remaining))
    }

    /// Adds the bytes of a bit pattern, the lowest first.
    mutating func append(bits: some FixedWidthInteger & UnsignedInteger) {
        Swift.withUnsafeBytes(of: bits.littleEndian) { append(contentsOf: $0) }
    }

    /// Adds a text's length and bytes.
    mutating func append(text: String) {
        append(magnitude: UInt(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}

/// A place in the bytes of a state, and what is read from there on. Checks every length against what is left.
struct StateCursor {
    /// All bytes.
    let bytes: [UInt8]
    /// The next byte to read.
    var position: Int

    /// What stands before the values of a list or record.
    struct Head {
        /// How many values there are.
        let count: Int
        /// The byte behind the last.
        let end: Int
    }

    /// The error of the byte at `position`.
    var damage: SavedStateError { .damaged(byte: position) }

    /// The next byte.
    mutating func byte() throws(SavedStateError) -> UInt8 {
        guard bytes.indices.contains(position) else { throw damage }
        defer { position += 1 }
        return bytes[position]
    }

    /// The kind of the value that begins here.
    mutating func kind() throws(SavedStateError) -> StateFormat.Kind {
        let start = self
        guard let kind = StateFormat.Kind(rawValue: try byte()) else { throw start.damage }
        return kind
    }

    /// A magnitude; refuses one that is too large or not as short as possible.
    mutating func magnitude<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type
    ) throws(SavedStateError) -> Number {
        var number: Number = 0
        var shift = 0
        while true {
            let start = self
            let group = try byte()
            let bits = Number(truncatingIfNeeded: group & 0x7F)
            guard shift < Number.bitWidth, (bits << shift) >> shift == bits else {
                throw start.damage
            }
            number |= bits << shift
            shift += 7
            guard group & 0x80 == 0 else { continue }
            guard group != 0 || shift == 7 else { throw start.damage }
            return number
        }
    }

    /// A bit pattern.
    mutating func bits<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type
    ) throws(SavedStateError) -> Number {
        let size = Number.bitWidth / 8
        guard size <= bytes.count - position else {
            position = bytes.count
            throw damage
        }
        defer { position += size }
        return Number(
            littleEndian: bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: position, as: Number.self)
            })
    }

    /// A number of bytes or values, of which there cannot be more than bytes are left.
    mutating func count() throws(SavedStateError) -> Int {
        let start = self
        guard let count = Int(exactly: try magnitude(UInt64.self)), count <= bytes.count - position
        else { throw start.damage }
        return count
    }

    /// A text's length and bytes; refuses what is not UTF-8.
    mutating func text() throws(SavedStateError) -> String {
        let start = self
        let count = try count()
        defer { position += count }
        guard let text = String(validating: bytes[position..<position + count], as: UTF8.self)
        else { throw start.damage }
        return text
    }

    /// What stands before the values of a list or record.
    mutating func head() throws(SavedStateError) -> Head {
        let count = try count()
        let length = try self.count()
        return Head(count: count, end: position + length)
    }

    /// Goes behind the value that begins here.
    mutating func skip() throws(SavedStateError) {
        switch try kind() {
        case .none, .false, .true: break
        case .natural, .negative: _ = try magnitude(UInt128.self)
        case .double: _ = try bits(UInt64.self)
        case .float: _ = try bits(UInt32.self)
        case .text: position += try count()
        case .list, .record: position = try head().end
        }
    }

    /// Goes behind the value that begins here and checks all of it.
    mutating func check(depth: Int = 0) throws(SavedStateError) {
        let start = self
        let kind = try kind()
        switch kind {
        case .list, .record:
            guard depth <= StateFormat.nestingMax else { throw start.damage }
            let head = try head()
            try checkParts(of: head, areUnderKeys: kind == .record, depth: depth)
        case .text: _ = try text()
        case .none, .false, .true, .natural, .negative, .double, .float:
            self = start
            try skip()
        }
    }

    private mutating func checkParts(
        of head: Head, areUnderKeys: Bool, depth: Int
    ) throws(SavedStateError) {
        var lastKey: String?
        for _ in 0..<head.count {
            if areUnderKeys {
                let start = self
                let key = try text()
                let isNext = lastKey.map { $0.utf8.lexicographicallyPrecedes(key.utf8) } ?? true
                guard isNext else { throw start.damage }
                lastKey = key
            }
            try check(depth: depth + 1)
        }
        guard position == head.end else { throw damage }
    }
}
