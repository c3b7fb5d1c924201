/// A value of a known set that travels as a word. What is not known is kept as it came.
public protocol WireWord: Hashable, Sendable {
    /// The known values, without the one that holds an unknown word.
    static var known: [Self] { get }
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
        self = Self.known.first { $0.word == word } ?? .unknown(word)
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
