/// Reads the fields of one text payload, straight from its bytes.
///
/// The first field that cannot be read is kept in `failure`, and nothing after it is looked at: the
/// message is then rejected as a whole.
struct TextReader: FieldCoder, ~Copyable {
    let version: ServerVersion
    /// What could not be read, if anything.
    private(set) var failure: FieldFailure?

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    /// Fields begun so far; the message id is field 0.
    private var fieldNumber = 0
    /// The day and zone of the last time read: bars repeat them a thousand times.
    private var lastTime = LastTime()

    /// Reads `bytes`, which must outlive the reader, from `start` on.
    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, version: ServerVersion) {
        self.bytes = bytes
        position = start
        self.version = version
    }

    /// Fields behind the last one read.
    var fieldsLeft: Int {
        var count = 0
        var index = position
        while index < bytes.count {
            if bytes[index] == 0 { count += 1 }
            index += 1
        }
        // A last field without its terminator is a field, too.
        return index > position && bytes[index - 1] != 0 ? count + 1 : count
    }

    /// The next field without its terminator; `nil` behind the last.
    @inline(__always)
    private mutating func next() -> UnsafeBufferPointer<UInt8>? {
        let start = position
        guard start < bytes.count else { return nil }
        let end = bytes.terminator(from: start)
        position = end &+ 1
        fieldNumber &+= 1
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    @inline(never)
    private mutating func fail(_ name: StaticString, _ field: UnsafeBufferPointer<UInt8>?) {
        guard failure == nil else { return }
        failure = FieldFailure(
            name: name.description, number: field == nil ? fieldNumber + 1 : fieldNumber,
            text: field.map { String(decoding: $0.prefix(40), as: UTF8.self) })
        position = bytes.count
    }

    // MARK: Numbers

    mutating func constant(_ text: StaticString) { _ = next() }

    mutating func reject(_ name: StaticString) {
        guard failure == nil else { return }
        failure = FieldFailure(name: name.description, number: fieldNumber, text: lastText)
        position = bytes.count
    }

    /// The first bytes of the field read last.
    private var lastText: String {
        let end = max(position - 1, 0)
        var start = end
        while start > 0, bytes[start - 1] != 0 { start -= 1 }
        return String(decoding: bytes[start..<end].prefix(40), as: UTF8.self)
    }

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I) {
        guard let field = next() else { return fail(name, nil) }
        guard let number = I(wire: field) else { return fail(name, field) }
        value = number
    }

    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm
    ) {
        value = nil
        guard let field = next(), !field.isEmpty else { return }
        if let number = I(wire: field) {
            value = number == I.max || number == 2_147_483_647 ? nil : number
        } else if case .unset = NumberText(field) {
            value = nil
        } else {
            fail(name, field)
        }
    }

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I) {
        guard let field = next(), !field.isEmpty else {
            value = or
            return
        }
        guard let number = I(wire: field) else { return fail(name, field) }
        value = number
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue) {
        guard let field = next() else { return fail(name, nil) }
        guard case .number(let number) = NumberText(field) else { return fail(name, field) }
        value = number
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        guard let field = next() else {
            value = nil
            return
        }
        switch NumberText(field) {
        case .number(let number): value = number
        case .unset: value = nil
        case .malformed: fail(name, field)
        }
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue, or: DecimalValue) {
        var number: DecimalValue?
        double(name, &number, .empty)
        value = number ?? or
    }

    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue) {
        double(name, &value)
    }

    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        double(name, &value, unset)
    }

    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C) {
        var number = value.code
        integer(name, &number)
        value = C(code: number)
    }

    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C?, _ unset: UnsetForm) {
        var number: Int32?
        integer(name, &number, unset)
        value = number.map { C(code: $0) }
    }

    // MARK: Flags and texts

    mutating func flag(_ name: StaticString, _ value: inout Bool) {
        var chosen: Bool?
        flag(name, &chosen)
        value = chosen ?? false
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool?) {
        value = nil
        guard let field = next(), !field.isEmpty else { return }
        if field.count == 1 {
            switch field[0] {
            case UInt8(ascii: "0"): value = false
            case UInt8(ascii: "1"): value = true
            default: fail(name, field)
            }
            return
        }
        switch String(decoding: field, as: UTF8.self).lowercased() {
        case "true": value = true
        case "false": value = false
        case "2147483647", "-1": value = nil
        default: fail(name, field)
        }
    }

    mutating func text(_ name: StaticString, _ value: inout String) {
        guard let field = next(), !field.isEmpty else {
            value = ""
            return
        }
        value = String(decoding: field, as: UTF8.self)
    }

    mutating func escapedText(_ name: StaticString, _ value: inout String) {
        guard let field = next(), !field.isEmpty else {
            value = ""
            return
        }
        value = EscapedText.unescaped(field)
    }

    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W) {
        guard let field = next() else {
            value = W(word: "")
            return
        }
        value = W(word: String(decoding: field, as: UTF8.self))
    }

    mutating func time(_ name: StaticString, _ value: inout WireTime) {
        guard let field = next() else {
            value = .none
            return
        }
        value = WireTime(field, last: &lastTime)
    }

    mutating func account(_ name: StaticString, _ value: inout AccountID) {
        var text = ""
        self.text(name, &text)
        value = AccountID(text)
    }

    mutating func accounts(_ name: StaticString, _ value: inout [AccountID]) {
        var text = ""
        self.text(name, &text)
        value = text.split(separator: ",").map { AccountID(String($0)) }
    }

    // MARK: Groups

    mutating func list<R: FieldRecord>(_ name: StaticString, _ value: inout [R]) {
        var count: Int32 = 0
        integer(name, &count, or: 0)
        records(name, &value, count: Int(count))
    }

    mutating func records<R: FieldRecord>(_ name: StaticString, _ value: inout [R], count: Int) {
        value.removeAll(keepingCapacity: true)
        // A field takes a byte at least, so a count beyond the bytes left is a lie.
        guard count >= 0, count <= bytes.count - position || count == 0 else {
            return fail(name, nil)
        }
        // What is reserved on a stranger's word is bounded; more grows as it comes.
        value.reserveCapacity(min(count, 10_000))
        var index = 0
        while index < count, failure == nil {
            guard position < bytes.count else { return fail(name, nil) }
            // Filled where it lies: a bar is not moved again.
            value.append(R())
            value[index].fields(&self)
            index &+= 1
        }
    }

    mutating func since(_ version: Int, _ fields: (inout Self) -> Void) {
        if self.version.number >= version { fields(&self) }
    }

    mutating func during(_ versions: Range<Int>, _ fields: (inout Self) -> Void) {
        if versions.contains(version.number) { fields(&self) }
    }

    mutating func whenLeft(_ count: Int, _ fields: (inout Self) -> Void) {
        if fieldsLeft >= count { fields(&self) }
    }

    mutating func skipWhenLeft(_ count: Int) {
        if fieldsLeft >= count { _ = next() }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where the first NUL from `start` on stands; `count` where none does.
    @inline(__always)
    fileprivate func terminator(from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(self)
        while index &+ 8 <= count {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // Borrowing from a byte sets its high bit; the lowest byte that had to is the NUL.
            let marks = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != 0 { index &+= 1 }
        return index
    }
}

/// The field for which a message was rejected.
public struct FieldFailure: Error, Hashable, Sendable {
    /// Its standard name.
    public let name: String
    /// Its place in the message; the message id is field 0.
    public let number: Int
    /// The first bytes of what stood there; `nil` when the message had ended.
    public let text: String?
}

extension FieldFailure: CustomStringConvertible {
    /// `field 3 (tickType): 'abc'`, or that it is missing.
    public var description: String {
        guard let text else { return "field \(number) (\(name)) is missing" }
        return "field \(number) (\(name)) has no valid value: '\(text)'"
    }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// A whole number's text: digits with an optional sign, or a double's text without a fraction
    /// (`100.0`); `nil` for anything else, empty text included.
    @inline(__always)
    fileprivate init?(wire field: UnsafeBufferPointer<UInt8>) {
        let isNegative = field.first == UInt8(ascii: "-")
        var index = isNegative || field.first == UInt8(ascii: "+") ? 1 : 0
        guard index < field.count, field.count <= 19 else {
            self.init(rareWire: field)
            return
        }
        var magnitude: UInt64 = 0
        while index < field.count {
            let digit = field[index] &- UInt8(ascii: "0")
            guard digit <= 9 else {
                self.init(rareWire: field)
                return
            }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            index &+= 1
        }
        // At most 19 digits: no wrap around.
        if isNegative {
            guard let number = Self(exactly: -Int128(magnitude)) else { return nil }
            self = number
        } else {
            guard let number = Self(exactly: magnitude) else { return nil }
            self = number
        }
    }

    @inline(never)
    private init?(rareWire field: UnsafeBufferPointer<UInt8>) {
        guard case .number(let value) = NumberText(field), value.isFinite,
            let whole = value.wholeNumber, let number = Self(exactly: whole)
        else { return nil }
        self = number
    }
}
