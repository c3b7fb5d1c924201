/// A value of a known set that travels as a word. What is not known is kept as it came.
public protocol WireWord: Hashable, Sendable {
    /// The known values, without the one that holds an unknown word.
    static var known: [Self] { get }
    /// The words of the known values, and other spellings of them.
    static var words: WordTable<Self> { get }
    /// The word as it travels; empty for a value that travels as an empty field.
    var word: String { get }
    /// Holds a word that is not known.
    static func unknown(_ word: String) -> Self
    /// The value of a word, other spellings included.
    init(word: String)
}

extension WireWord {
    /// The value of a word.
    public init(word: String) {
        self = Self.words.value(of: word) ?? .unknown(word)
    }
}

/// The words of a known set, each as one number: a field is compared to all of them without a text.
public struct WordTable<Word: WireWord>: Sendable {
    private var keys: [UInt128] = []
    private var values: [Word] = []
    /// The words that are longer than a number.
    private var long: [(word: String, value: Word)] = []

    /// The words of `known`, the frequent ones first, and `others`, further spellings of them.
    init(_ known: [Word], others: KeyValuePairs<String, Word> = [:]) {
        for value in known { add(value.word, value) }
        for (word, value) in others { add(word, value) }
    }

    private mutating func add(_ word: String, _ value: Word) {
        if let key = Self.key(of: word) {
            keys.append(key)
            values.append(value)
        } else {
            long.append((word, value))
        }
    }

    /// The value of a word; `nil` when it is not known.
    func value(of word: String) -> Word? {
        if let key = Self.key(of: word) { return value(key: key) }
        return long.first { $0.word == word }?.value
    }

    /// The value of a field; `nil` when it is not known.
    @inline(__always)
    func value(of field: WireField) -> Word? {
        let count = field.count
        guard count > 8 else { return value(key: UInt128(field.word)) }
        guard count <= 16 else { return value(of: field.text) }
        let back = field.bytes.loadWord(at: count &- 8)
        let high = back >> UInt64(truncatingIfNeeded: 8 &* (16 &- count))
        return value(key: UInt128(high) << 64 | UInt128(field.word))
    }

    @inline(__always)
    private func value(key: UInt128) -> Word? {
        var index = 0
        while index < keys.count {
            if keys[index] == key { return values[index] }
            index &+= 1
        }
        return nil
    }

    /// Up to 16 bytes, the first one lowest; `nil` for a longer word, and one with a NUL in it.
    private static func key(of word: String) -> UInt128? {
        guard word.utf8.count <= 16, !word.utf8.contains(0) else { return nil }
        return word.utf8.reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }
}

/// A value of a known set that travels as a whole number. What is not known is kept as it came.
public protocol WireCode: Hashable, Sendable {
    /// The number as it travels.
    var code: Int32 { get }
    /// The value of a number, known or not.
    init(code: Int32)
    /// The known values, without the one that holds an unknown number.
    static var known: [Self] { get }
}
