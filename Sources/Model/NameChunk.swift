import Primitives

/// A piece of a text that has a number in the day's name table. Texts come before what names them.
public struct NameChunk: Hashable, Sendable, BitwiseCopyable {
    /// The text's number.
    public let name: NameID
    /// The place among the text's pieces, from 0.
    public let part: UInt16
    /// True for the text's last piece.
    public let isLast: Bool
    /// How many of the bytes count.
    public let byteCount: UInt8
    private let words: InlineWords

    /// How many bytes a piece has at most.
    public static var capacity: Int { InlineWords.capacity * 8 }

    /// How long a text can be, in bytes of UTF-8; what is longer is cut at a character.
    public static let textMax = 8_192

    private init(_ name: NameID, part: UInt16, isLast: Bool, _ bytes: ArraySlice<UInt8>) {
        self.name = name
        self.part = part
        self.isLast = isLast
        byteCount = UInt8(bytes.count)
        var words = InlineWords()
        for (index, byte) in bytes.enumerated() {
            words[index / 8] |= Int64(bitPattern: UInt64(byte) << UInt64(index % 8 * 8))
        }
        self.words = words
    }

    /// The bytes that count.
    public var bytes: [UInt8] {
        (0..<min(Int(byteCount), Self.capacity)).map { index in
            UInt8(truncatingIfNeeded: words[index / 8] >> Int64(index % 8 * 8))
        }
    }

    /// The pieces of a text; one at least.
    public static func chunks(of text: String, as name: NameID) -> [NameChunk] {
        var bytes = Array(text.utf8)
        if bytes.count > textMax {
            var end = textMax
            // Not within a character: bytes that continue one begin with 10.
            while end > 0, bytes[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
            bytes.removeSubrange(end...)
        }
        var chunks: [NameChunk] = []
        var first = 0
        repeat {
            let end = min(first + capacity, bytes.count)
            chunks.append(
                NameChunk(
                    name, part: UInt16(chunks.count), isLast: end == bytes.count,
                    bytes[first..<end]))
            first = end
        } while first < bytes.count
        return chunks
    }
}

extension NameChunk: RecordValue {
    /// Writes the text's number, the piece's place and its bytes.
    package func write(to writer: inout RecordWriter) {
        writer.write(name.index)
        writer.write(Int(part))
        writer.write(isLast)
        writer.write(Int(byteCount))
        for index in 0..<(min(Int(byteCount), Self.capacity) + 7) / 8 { writer.write(words[index]) }
    }

    /// The piece as written. Throws when it has more bytes than a piece can have.
    package init(from reader: inout RecordReader) throws(RecordError) {
        name = NameID(index: try reader.count())
        guard let part = UInt16(exactly: try reader.count()) else { throw reader.damage }
        self.part = part
        isLast = try reader.flag()
        byteCount = try reader.byte()
        guard Int(byteCount) <= Self.capacity else { throw reader.damage }
        var words = InlineWords()
        for index in 0..<(Int(byteCount) + 7) / 8 { words[index] = try reader.word() }
        self.words = words
    }
}

extension NameTable {
    /// All texts with their numbers, in the order in which they came.
    package var all: [(name: NameID, text: String)] {
        numbers.compactMap { name in texts[name].map { (name, $0) } }
    }
}

/// The texts of a session day by their numbers, put together from their pieces.
public struct NameTable: Sendable {
    // Looked up only: the array has the order.
    fileprivate var texts: [NameID: String] = [:]
    fileprivate var numbers: [NameID] = []
    private var bytes: [UInt8] = []
    private var next: (name: NameID, part: UInt16)?

    /// No texts.
    public init() {}

    /// A text by its number; the empty text for `.none`, `nil` for a number without one.
    public subscript(name: NameID) -> String? { name == .none ? "" : texts[name] }

    /// Takes in a piece. Returns false for one that does not continue the piece before, or completes no text in
    /// UTF-8: the text has no entry then.
    public mutating func add(_ chunk: NameChunk) -> Bool {
        let isFirst = chunk.part == 0 && next == nil
        guard isFirst || next.map({ $0 == (chunk.name, chunk.part) }) == true else {
            (bytes, next) = ([], nil)
            return false
        }
        bytes += chunk.bytes
        next = (chunk.name, chunk.part &+ 1)
        guard chunk.isLast else { return true }
        defer { (bytes, next) = ([], nil) }
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        if texts.updateValue(text, forKey: chunk.name) == nil { numbers.append(chunk.name) }
        return true
    }
}
