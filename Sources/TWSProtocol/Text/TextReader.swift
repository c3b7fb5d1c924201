/// Reads the fields of one text payload, straight from its bytes.
///
/// The first field that cannot be read is kept in `failure`, and nothing after it is looked at: the
/// message is then rejected as a whole.
struct TextReader: FieldCoder, ~Copyable {
    let version: ServerVersion
    /// What could not be read, if anything.
    private(set) var failure: FieldFailure?

    private var cursor: FieldCursor
    /// The day and zone of the last time read: bars repeat them a thousand times.
    private var lastTime = LastTime()

    /// Reads `bytes`, which must outlive the reader, from `start` on.
    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, version: ServerVersion) {
        cursor = FieldCursor(bytes, at: start)
        self.version = version
    }

    /// Fields behind the last one read.
    var remainingFields: Int { cursor.remainingFields }

    @inline(never)
    private mutating func fail(_ name: StaticString, _ field: WireField?) {
        guard failure == nil else { return }
        failure = FieldFailure(
            name: name.description, number: field == nil ? cursor.passed + 1 : cursor.passed,
            text: field.map { String(decoding: $0.bytes.prefix(40), as: UTF8.self) })
        cursor.stop()
    }

    // MARK: Numbers

    mutating func constant(_ text: StaticString) {
        if !cursor.passesEmpty() { _ = cursor.next() }
    }

    mutating func messageVersion(newest: Int32) -> Int32 {
        var number: Int32 = 0
        integer("version", &number)
        if failure == nil, number < 1 { reject("version") }
        return number
    }

    mutating func rejectLayout(_ name: StaticString, _ text: String) {
        guard failure == nil else { return }
        failure = FieldFailure(
            name: name.description, number: cursor.passed, text: text, layout: version)
        cursor.stop()
    }

    mutating func reject(_ name: StaticString) {
        guard failure == nil else { return }
        failure = FieldFailure(
            name: name.description, number: cursor.passed, text: cursor.lastText)
        cursor.stop()
    }

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I) {
        if let number: I = nextWhole() {
            value = number
        } else {
            longInteger(name, &value)
        }
    }

    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm
    ) {
        if let number: I = nextWhole() {
            value = number
        } else if cursor.passesEmpty() {
            value = nil
        } else {
            longInteger(name, &value)
        }
    }

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I) {
        if let number: I = nextWhole() {
            value = number
        } else if cursor.passesEmpty() {
            value = or
        } else {
            longInteger(name, &value)
        }
    }

    /// The next field when it is a whole number of up to seven digits, in which no unset value fits.
    @inline(__always)
    private mutating func nextWhole<I: WireInteger>() -> I? {
        if let digit = cursor.nextDigit() { return I(digit) }
        let start = cursor
        if let digits = cursor.nextDigits(), let whole = digits.wholeNumber {
            if let number = I(exactly: whole) { return number }
        }
        cursor = start
        return nil
    }

    @inline(never)
    private mutating func longInteger<I: WireInteger>(_ name: StaticString, _ value: inout I) {
        guard let field = cursor.next() else { return fail(name, nil) }
        guard let number = I(wire: field.bytes) else { return fail(name, field) }
        value = number
    }

    @inline(never)
    private mutating func longInteger<I: WireInteger>(_ name: StaticString, _ value: inout I?) {
        value = nil
        guard let field = cursor.next() else { return }
        if let number = I(wire: field.bytes) {
            value = number == I.max || number == 2_147_483_647 ? nil : number
        } else if case .unset = NumberText(field.bytes) {
            value = nil
        } else {
            fail(name, field)
        }
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue) {
        if let digits = cursor.nextDigits() {
            value = digits.value(.positive)
        } else {
            longDouble(name, &value)
        }
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        if cursor.passesEmpty() || cursor.passesUnset() {
            value = nil
        } else if let digits = cursor.nextDigits() {
            value = digits.value(.positive)
        } else {
            longDouble(name, &value)
        }
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue, or: DecimalValue) {
        if let digits = cursor.nextDigits() {
            value = digits.value(.positive)
        } else {
            var number: DecimalValue?
            double(name, &number, .empty)
            value = number ?? or
        }
    }

    @inline(never)
    private mutating func longDouble(_ name: StaticString, _ value: inout DecimalValue) {
        guard let field = cursor.next() else { return fail(name, nil) }
        guard case .number(let number) = NumberText(field.bytes) else { return fail(name, field) }
        value = number
    }

    @inline(never)
    private mutating func longDouble(_ name: StaticString, _ value: inout DecimalValue?) {
        value = nil
        guard let field = cursor.next() else { return }
        switch NumberText(field.bytes) {
        case .number(let number): value = number
        case .unset: break
        case .malformed: fail(name, field)
        }
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
        if let isSet = cursor.nextFlag() {
            value = isSet
        } else if cursor.passesEmpty() {
            value = nil
        } else {
            rareFlag(name, &value)
        }
    }

    @inline(never)
    private mutating func rareFlag(_ name: StaticString, _ value: inout Bool?) {
        value = nil
        guard let field = cursor.next() else { return }
        switch field.text.lowercased() {
        case "true": value = true
        case "false": value = false
        case "2147483647", "-1": value = nil
        default: fail(name, field)
        }
    }

    mutating func text(_ name: StaticString, _ value: inout String) {
        guard !cursor.passesEmpty(), let field = cursor.next() else {
            if !value.isEmpty { value = "" }
            return
        }
        value = field.text
    }

    mutating func escapedText(_ name: StaticString, _ value: inout String) {
        guard let field = cursor.next(), !field.isEmpty else {
            value = ""
            return
        }
        value = EscapedText.unescaped(field.bytes)
    }

    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W) {
        guard let field = cursor.next() else {
            value = W(word: "")
            return
        }
        value = W.words.value(of: field) ?? W(word: field.text)
    }

    mutating func time(_ name: StaticString, _ value: inout WireTime) {
        guard !cursor.passesEmpty(), let field = cursor.next() else {
            if case .none = value {} else { value = .none }
            return
        }
        value = WireTime(field.bytes, last: &lastTime)
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
        guard count >= 0, count <= cursor.bytes.count - cursor.position || count == 0 else {
            return fail(name, nil)
        }
        // What is reserved on a stranger's word is bounded; more grows as it comes.
        value.reserveCapacity(min(count, 10_000))
        var index = 0
        while index < count, failure == nil {
            guard !cursor.isAtEnd else { return fail(name, nil) }
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

    mutating func ifRemaining(_ count: Int, _ fields: (inout Self) -> Void) {
        if remainingFields >= count { fields(&self) }
    }

    mutating func skipIfRemaining(_ count: Int) {
        if remainingFields >= count { _ = cursor.next() }
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
    /// The server version whose layout the message was read by, where the field shows that it has another;
    /// `nil` where the field alone is wrong.
    public internal(set) var layout: ServerVersion?
}

extension FieldFailure: CustomStringConvertible {
    /// `field 3 (tickType) has no valid value: 'abc'`, that it is missing, or that it lies elsewhere.
    public var description: String {
        guard let text else { return "field \(number) (\(name)) is missing" }
        if let layout {
            return "\(name) would be '\(text)': the message is not laid out as at server version "
                + "\(layout.number); read it as the version it was written at"
        }
        return "field \(number) (\(name)) has no valid value: '\(text)'"
    }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// A whole number's text: digits with an optional sign, or a double's text without a fraction
    /// (`100.0`); `nil` for anything else, empty text included.
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
