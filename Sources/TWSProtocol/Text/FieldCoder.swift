/// How a number that was never set is written. Readers take both forms everywhere.
public enum UnsetForm: Sendable {
    /// An empty field.
    case empty
    /// The largest value of the field's type.
    case sentinel
}

/// Whatever walks over a message's fields in wire order: the reader, the writer, the printer.
///
/// Each message has one table (`FieldRecord.fields`) that every walker shares, so reading, writing and
/// printing cannot disagree. The names are the ones IBKR's own clients use.
///
/// A field whose value is `Optional` may be empty or missing and is then `nil`. One with `or:` takes
/// that value then. Any other number must be there; texts, flags and lists that are missing are empty.
public protocol FieldCoder: ~Copyable {
    /// The version whose layout is walked.
    var version: ServerVersion { get }
    /// Whether values are filled in; false where they are looked at only, and need not be put together
    /// again once they were taken apart.
    static var fillsValues: Bool { get }

    /// A constant that carries nothing, such as a message's own version. Written as given, never looked at.
    mutating func constant(_ text: StaticString)
    /// A message's own version, on which its layout depends: written as `newest`, and given as it was read.
    /// Readers stop at one that is no number from 1 on.
    mutating func messageVersion(newest: Int32) -> Int32
    /// A whole number.
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I)
    /// A whole number that may be unset.
    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm)
    /// A whole number with a value for an empty field.
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I)
    /// A number that gateways keep as a double.
    mutating func double(_ name: StaticString, _ value: inout DecimalValue)
    /// A number that gateways keep as a double and that may be unset.
    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm)
    /// A number that gateways keep as a double, with a value for an empty field.
    mutating func double(_ name: StaticString, _ value: inout DecimalValue, or: DecimalValue)
    /// A number that gateways keep as a decimal: quantities and volumes.
    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue)
    /// A number that gateways keep as a decimal and that may be unset.
    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm)
    /// Yes or no.
    mutating func flag(_ name: StaticString, _ value: inout Bool)
    /// Yes, no or not chosen (empty).
    mutating func flag(_ name: StaticString, _ value: inout Bool?)
    /// Text.
    mutating func text(_ name: StaticString, _ value: inout String)
    /// Text in which gateways write what is not ASCII as `\u` and four hexadecimal digits.
    mutating func escapedText(_ name: StaticString, _ value: inout String)
    /// A word of a known set.
    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W)
    /// A number of a known set.
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C)
    /// A number of a known set that may be unset.
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C?, _ unset: UnsetForm)
    /// A time.
    mutating func time(_ name: StaticString, _ value: inout WireTime)
    /// An account's name.
    mutating func account(_ name: StaticString, _ value: inout AccountID)
    /// Accounts in one field, joined by commas.
    mutating func accounts(_ name: StaticString, _ value: inout [AccountID])
    /// A count, then so many records.
    mutating func list<R: FieldRecord>(_ name: StaticString, _ value: inout [R])
    /// Records without a count of their own, as many as the reader is given: `value.count` when writing,
    /// `count` when reading.
    mutating func records<R: FieldRecord>(_ name: StaticString, _ value: inout [R], count: Int)

    /// A count, then so many texts.
    mutating func texts(_ name: StaticString, _ value: inout [String])
    /// `tag=value;` pairs in one field.
    mutating func tagText(_ name: StaticString, _ value: inout [TagValue])

    /// Fields that travel from `version` on.
    mutating func since(_ version: Int, _ fields: (inout Self) -> Void)
    /// Fields that travel in `versions` only.
    mutating func during(_ versions: Range<Int>, _ fields: (inout Self) -> Void)
    /// Fields that may be missing as a group although the version has them, because some programs
    /// write a shorter message: read only while `fieldsLeft` is at least that many.
    mutating func ifRemaining(_ count: Int, _ fields: (inout Self) -> Void)
    /// A field that some programs write and others do not, and that nobody needs: passed over by the
    /// reader while `fieldsLeft` is at least `count`, never written.
    mutating func skipIfRemaining(_ count: Int)
    /// Stops a reader: the field just walked has a value behind which nothing can be understood.
    mutating func reject(_ name: StaticString)
    /// Stops a reader: what it took for the field `name` shows that the message was laid out for another
    /// version.
    mutating func rejectLayout(_ name: StaticString, _ text: String)
}

/// A whole number that can travel.
public typealias WireInteger = FixedWidthInteger & SignedInteger & Sendable

/// Fields that travel one after the other.
public protocol FieldRecord: Hashable, Sendable {
    /// With nothing set.
    init()
    /// Walks over the fields in wire order.
    mutating func fields(_ coder: inout some FieldCoder & ~Copyable)
}

extension FieldCoder where Self: ~Copyable {
    /// What is right for everyone.
    public static var fillsValues: Bool { true }

    /// Only readers meet such values.
    public mutating func reject(_ name: StaticString) {}

    /// Only readers meet such messages.
    public mutating func rejectLayout(_ name: StaticString, _ text: String) {}

    /// Only readers meet older ones.
    public mutating func messageVersion(newest: Int32) -> Int32 { newest }

    /// Fields that travel before `version` only.
    public mutating func until(_ version: Int, _ fields: (inout Self) -> Void) {
        during(0..<version, fields)
    }

    /// Only the reader has anything to pass over.
    public mutating func skipIfRemaining(_ count: Int) {}

    /// An identifier.
    @inline(__always)
    public mutating func id<T: WireIdentifier>(_ name: StaticString, _ value: inout T) {
        var number = value.rawValue
        integer(name, &number)
        if Self.fillsValues { value = T(rawValue: number) }
    }

    /// An identifier that may be unset.
    @inline(__always)
    public mutating func id<T: WireIdentifier>(
        _ name: StaticString, _ value: inout T?, _ unset: UnsetForm
    ) {
        var number = value?.rawValue
        integer(name, &number, unset)
        if Self.fillsValues { value = number.map { T(rawValue: $0) } }
    }

    /// An identifier with a value for an empty field.
    @inline(__always)
    public mutating func id<T: WireIdentifier>(_ name: StaticString, _ value: inout T, or: T) {
        var number = value.rawValue
        integer(name, &number, or: or.rawValue)
        if Self.fillsValues { value = T(rawValue: number) }
    }

    /// A count, then so many texts.
    public mutating func texts(_ name: StaticString, _ value: inout [String]) {
        var records = value.map { TextRecord(text: $0) }
        list(name, &records)
        if Self.fillsValues { value = records.map(\.text) }
    }

    /// `tag=value;` pairs in one field.
    public mutating func tagText(_ name: StaticString, _ value: inout [TagValue]) {
        var text = TagValue.joined(value)
        self.text(name, &text)
        if Self.fillsValues { value = TagValue.split(text) }
    }
}

/// A text as a record, for lists of them.
struct TextRecord: FieldRecord {
    var text = ""
    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) { coder.text("value", &text) }
}

/// A named value: parameters of algorithms and requests.
public struct TagValue: FieldRecord {
    /// The name.
    public var tag = ""
    /// The value.
    public var value = ""

    /// An empty pair.
    public init() {}
    /// A named value.
    public init(_ tag: String, _ value: String) {
        self.tag = tag
        self.value = value
    }

    /// Tag, then value.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("tag", &tag)
        coder.text("value", &value)
    }

    /// `tag=value;` for each.
    static func joined(_ pairs: [TagValue]) -> String {
        guard !pairs.isEmpty else { return "" }
        return pairs.reduce(into: "") { text, pair in text += "\(pair.tag)=\(pair.value);" }
    }

    /// The pairs of `tag=value;tag=value;`; what has no `=` is a tag without value.
    static func split(_ text: String) -> [TagValue] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: ";").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return TagValue(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }
}
