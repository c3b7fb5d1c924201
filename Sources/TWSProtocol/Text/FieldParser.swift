package import Primitives

/// Fills a message's fields from a JSON object by their names: the inverse of `FieldPrinter`.
///
/// What has no member keeps its value. Fields behind a version's gate are taken at every version: the
/// writer knows which of them a version does not carry, and says so. The first member that cannot be
/// taken is kept in `failure`, and nothing after it is looked at.
struct FieldParser: FieldCoder, ~Copyable {
    let version: ServerVersion
    /// What could not be taken, if anything.
    private(set) var failure: JSONFieldFailure?
    private var level: Level

    /// An object being read, and which of its members were asked for.
    private struct Level {
        let members: [JSONValue.Member]
        var isTaken: [Bool]
        /// Where the object lies in the message: empty, or `legs[1].`.
        let path: String

        init(_ members: [JSONValue.Member], path: String) {
            self.members = members
            isTaken = Array(repeating: false, count: members.count)
            self.path = path
        }
    }

    /// Takes the members of a message's object.
    init(_ members: [JSONValue.Member], version: ServerVersion) {
        level = Level(members, path: "")
        self.version = version
    }

    /// Ends the message: a member that no field asked for is a failure.
    mutating func finish() {
        guard failure == nil else { return }
        for (member, isTaken) in zip(level.members, level.isTaken) where !isTaken {
            failure = JSONFieldFailure(
                name: level.path + member.name,
                reason: "the message has no such field beside the others it has here")
            return
        }
    }

    /// The member of that name; `nil` where there is none, or after a failure.
    private mutating func take(_ name: StaticString) -> JSONValue? {
        guard failure == nil else { return nil }
        let matches = name.withUTF8Buffer { text in
            level.members.firstIndex { $0.name.utf8.elementsEqual(text) }
        }
        guard let index = matches else { return nil }
        level.isTaken[index] = true
        return level.members[index].value
    }

    private mutating func fail(_ name: StaticString, _ value: JSONValue, expected: String) {
        fail(name, "\(expected) is needed, not \(value.kind)")
    }

    private mutating func fail(_ name: StaticString, _ reason: String) {
        failure = failure ?? JSONFieldFailure(name: level.path + name.description, reason: reason)
    }

    // MARK: Numbers

    mutating func constant(_ text: StaticString) {}

    mutating func reject(_ name: StaticString) {
        fail(name, "with this value nothing behind it can be understood")
    }

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I) {
        guard let json = take(name) else { return }
        guard case .number(let text) = json else {
            return fail(name, json, expected: "a whole number")
        }
        guard let number = I(text) else {
            return fail(name, "\(text) is no whole number from \(I.min) to \(I.max)")
        }
        value = number
    }

    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm
    ) {
        var number = value ?? 0
        if isSet(name, &value) { integer(name, &number) } else { return }
        value = number
    }

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I) {
        integer(name, &value)
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue) {
        guard let json = take(name) else { return }
        switch json {
        case .number(let text):
            guard let number = DecimalValue(text) else {
                return fail(name, "\(text) means a number that was never set: leave it out")
            }
            value = number
        // JSON has no infinity.
        case .text("Infinity"): value = .infinity
        case .null, .bool, .text, .array, .object: fail(name, json, expected: "a number")
        }
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        var number = value ?? .zero
        if isSet(name, &value) { double(name, &number) } else { return }
        value = number
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue, or: DecimalValue) {
        double(name, &value)
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
        var number = value?.code
        integer(name, &number, unset)
        value = number.map { C(code: $0) }
    }

    /// True when the member has a value to be read; `null` makes the field unset.
    private mutating func isSet<T>(_ name: StaticString, _ value: inout T?) -> Bool {
        guard let json = take(name) else { return false }
        if json == .null { value = nil }
        return json != .null
    }

    // MARK: Flags and texts

    mutating func flag(_ name: StaticString, _ value: inout Bool) {
        guard let json = take(name) else { return }
        guard case .bool(let chosen) = json else {
            return fail(name, json, expected: "true or false")
        }
        value = chosen
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool?) {
        var chosen = value ?? false
        if isSet(name, &value) { flag(name, &chosen) } else { return }
        value = chosen
    }

    mutating func text(_ name: StaticString, _ value: inout String) {
        guard let json = take(name) else { return }
        guard case .text(let text) = json else { return fail(name, json, expected: "text") }
        value = text
    }

    mutating func escapedText(_ name: StaticString, _ value: inout String) { text(name, &value) }

    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W) {
        var text = value.word
        self.text(name, &text)
        value = W(word: text)
    }

    mutating func time(_ name: StaticString, _ value: inout WireTime) {
        var text = value.text
        self.text(name, &text)
        value = WireTime(text: text)
    }

    mutating func account(_ name: StaticString, _ value: inout AccountID) {
        var text = value.name
        self.text(name, &text)
        value = AccountID(text)
    }

    mutating func accounts(_ name: StaticString, _ value: inout [AccountID]) {
        var names = value.map(\.name)
        texts(name, &names)
        value = names.map { AccountID($0) }
    }

    mutating func texts(_ name: StaticString, _ value: inout [String]) {
        guard let elements = array(name) else { return }
        var texts: [String] = []
        for element in elements {
            guard case .text(let text) = element else {
                return fail(name, element, expected: "an array of texts")
            }
            texts.append(text)
        }
        value = texts
    }

    // MARK: Groups

    private mutating func array(_ name: StaticString) -> [JSONValue]? {
        guard let json = take(name) else { return nil }
        guard case .array(let elements) = json else {
            fail(name, json, expected: "an array")
            return nil
        }
        return elements
    }

    mutating func list<R: FieldRecord>(_ name: StaticString, _ value: inout [R]) {
        guard let elements = array(name) else { return }
        let outer = level
        var records: [R] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let members) = element else {
                return fail(name, element, expected: "an array of objects")
            }
            level = Level(members, path: "\(outer.path)\(name)[\(index)].")
            var record = R()
            record.fields(&self)
            finish()
            level = outer
            records.append(record)
        }
        value = records
    }

    mutating func records<R: FieldRecord>(_ name: StaticString, _ value: inout [R], count: Int) {
        list(name, &value)
    }

    mutating func since(_ version: Int, _ fields: (inout Self) -> Void) { fields(&self) }
    mutating func during(_ versions: Range<Int>, _ fields: (inout Self) -> Void) { fields(&self) }
    mutating func ifRemaining(_ count: Int, _ fields: (inout Self) -> Void) { fields(&self) }
}

/// The member of a JSON object that a message could not take.
package struct JSONFieldFailure: Error, Hashable, Sendable {
    /// Its name, behind those of the lists it lies in: `legs[1].ratio`.
    package let name: String
    /// What is wrong with it.
    package let reason: String
}

extension JSONFieldFailure: CustomStringConvertible {
    /// `legs[1].ratio: a whole number is needed, not text`.
    package var description: String { "\(name): \(reason)" }
}

extension FieldRecord {
    /// A record with the members of a JSON object; what has none keeps its value.
    ///
    /// - Throws: for a member that no field has, or whose value is of another kind than the field's.
    package init(
        json members: [JSONValue.Member], at version: ServerVersion
    ) throws(JSONFieldFailure) {
        self.init()
        var parser = FieldParser(members, version: version)
        fields(&parser)
        parser.finish()
        if let failure = parser.failure { throw failure }
    }
}
