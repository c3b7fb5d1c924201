/// A place in a text payload, from which its fields are taken one by one.
///
/// Every field can be taken by `next`. The other ways look for one kind of field only, and pass nothing
/// when another one is there: they are shorter, and most fields are of one of these kinds.
struct FieldCursor {
    /// The payload, which must outlive the cursor.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Where the next field begins; behind the last one when none is left.
    private(set) var position: Int
    /// Fields passed; the message id is field 0.
    private(set) var passed = 0

    /// Before the field that begins at `start`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        self.bytes = bytes
        position = start
    }

    /// Whether there is no field left.
    @inline(__always)
    var isAtEnd: Bool { position >= bytes.count }

    /// Fields behind the last one passed.
    var remainingFields: Int {
        var count = 0
        var index = position
        while index < bytes.count {
            if bytes[index] == 0 { count += 1 }
            index += 1
        }
        // A last field without its terminator is a field, too.
        return index > position && bytes[index - 1] != 0 ? count + 1 : count
    }

    /// The first bytes of the field passed last.
    var lastText: String {
        let end = max(position - 1, 0)
        var start = end
        while start > 0, bytes[start - 1] != 0 { start -= 1 }
        return String(decoding: bytes[start..<end].prefix(40), as: UTF8.self)
    }

    /// Leaves all fields unread.
    mutating func stop() { position = bytes.count }

    /// The next field; `nil` behind the last.
    @inline(__always)
    mutating func next() -> WireField? {
        guard !isAtEnd else { return nil }
        let field = WireField(of: bytes, from: position)
        pass(field.count)
        return field
    }

    /// Passes the next field when it is empty or there is none: true for half the fields of an order.
    @inline(__always)
    mutating func passesEmpty() -> Bool {
        guard !isAtEnd else { return true }
        guard bytes[position] == 0 else { return false }
        pass(0)
        return true
    }

    /// Passes the next field when it is `0` or `1`.
    @inline(__always)
    mutating func nextFlag() -> Bool? {
        guard let digit = digit(upTo: 1) else { return nil }
        pass(1)
        return digit == 1
    }

    /// Passes the next field when it is one digit.
    @inline(__always)
    mutating func nextDigit() -> UInt8? {
        guard let digit = digit(upTo: 9) else { return nil }
        pass(1)
        return digit
    }

    /// The next field when it is one digit up to `most`.
    @inline(__always)
    private func digit(upTo most: UInt8) -> UInt8? {
        guard position &+ 1 < bytes.count, bytes[position &+ 1] == 0 else { return nil }
        let digit = bytes[position] &- UInt8(ascii: "0")
        return digit <= most ? digit : nil
    }

    /// Passes the next field when it is a number of up to seven digits and a point.
    @inline(__always)
    mutating func nextDigits() -> PackedDigits? {
        guard !isAtEnd else { return nil }
        let word = bytes.word(from: position)
        let marks = word.zeroMarks
        guard marks != 0 else { return nil }
        let count = marks.trailingZeroBitCount / 8
        guard let digits = PackedDigits(word, count: count) else { return nil }
        pass(count)
        return digits
    }

    /// Passes the next field when it is the largest double as Java writes it: by far the most frequent
    /// long number.
    @inline(__always)
    mutating func passesUnset() -> Bool {
        guard position &+ 23 <= bytes.count, bytes[position &+ 22] == 0,
            NumberText.isJavaUnset(bytes, at: position)
        else { return false }
        pass(22)
        return true
    }

    /// Passes a field of `count` bytes and its terminator.
    @inline(__always)
    private mutating func pass(_ count: Int) {
        position &+= count &+ 1
        passed &+= 1
    }
}
