package import Primitives
package import TWSProtocol

/// The parameters of an action, walked over by one table for reading and for writing, so that the two
/// cannot disagree. Times are seconds.
package struct ParameterList {
    private let owner: String
    private let given: [JSONValue.Member]?
    private var names: [String] = []
    private var failure: FaultRefusal?
    /// What was written.
    package private(set) var written: [JSONValue.Member] = []
    /// The parameters that writing walked over.
    package private(set) var described: [Parameter] = []

    /// A parameter, as it is listed for people.
    package struct Parameter: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// What it may be, in words.
        package let form: String
        /// What it is where it is left out; `nil` for nothing.
        package let fallback: JSONValue?
        /// Whether it must be there.
        package fileprivate(set) var isNeeded = false
    }

    /// Reads members.
    ///
    /// - Parameter owner: whose parameters they are, for messages.
    package init(reading members: [JSONValue.Member], of owner: String) {
        self.owner = owner
        given = members
    }

    /// Writes members.
    package init(writing owner: String) {
        self.owner = owner
        given = nil
    }

    /// Ends reading.
    ///
    /// - Throws: what was wrong first: a value, a missing parameter or an unknown name.
    package consuming func finish() throws(FaultRefusal) {
        if let failure { throw failure }
        guard let unknown = (given ?? []).first(where: { !names.contains($0.name) }) else { return }
        let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        throw FaultRefusal("'\(owner)' has no parameter '\(unknown.name)': \(known)")
    }

    // MARK: Kinds of value

    /// A whole number.
    package mutating func integer(_ name: String, _ value: inout Int, _ range: ClosedRange<Int>) {
        var optional: Int? = value
        integer(name, &optional, range)
        value = optional ?? value
    }

    /// A whole number that may be left out.
    package mutating func integer(_ name: String, _ value: inout Int?, _ range: ClosedRange<Int>) {
        let form = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        integer(name, &value, range, form)
    }

    private mutating func integer(
        _ name: String, _ value: inout Int?, _ range: ClosedRange<Int>, _ form: String
    ) {
        walk(name, &value, form) {
            guard case .number(let text) = $0, let number = Int(text), range.contains(number)
            else { return nil }
            return number
        } write: {
            .integer($0)
        }
    }

    /// A number of 0 to 1.
    package mutating func share(_ name: String, _ value: inout Double) {
        var optional: Double? = value
        walk(name, &optional, "a number above 0, at most 1") {
            guard case .number(let text) = $0, let number = Double(text), number > 0, number <= 1
            else { return nil }
            return number
        } write: {
            .number($0 == 1 ? "1" : "\($0)")
        }
        value = optional ?? value
    }

    /// A length of time in seconds, at most thirty days.
    package mutating func seconds(_ name: String, _ value: inout Duration) {
        var optional: Duration? = value
        seconds(name, &optional)
        value = optional ?? value
    }

    /// A length of time in seconds that may be left out, at most thirty days.
    package mutating func seconds(_ name: String, _ value: inout Duration?) {
        walk(name, &value, "a number of seconds from 0 to 2592000") {
            guard case .number(let text) = $0, let number = Double(text),
                (0...2_592_000).contains(number)
            else { return nil }
            return Duration(nanoseconds: Int64((number * 1e9).rounded()))
        } write: {
            .number($0.secondsText)
        }
    }

    /// Yes or no.
    package mutating func flag(_ name: String, _ value: inout Bool) {
        var optional: Bool? = value
        walk(name, &optional, "true or false") {
            guard case .bool(let flag) = $0 else { return nil }
            return flag
        } write: {
            .bool($0)
        }
        value = optional ?? value
    }

    /// Text that may be left out.
    package mutating func text(_ name: String, _ value: inout String?) {
        walk(name, &value, "text of at most 4096 bytes") {
            guard case .text(let text) = $0, text.utf8.count <= 4_096, !text.utf8.contains(0) else {
                return nil
            }
            return text
        } write: {
            .text($0)
        }
    }

    /// Text that must be there.
    package mutating func text(_ name: String, _ value: inout String) {
        var optional = value.isEmpty ? nil : value
        text(name, &optional)
        need(name, optional == nil)
        value = optional ?? ""
    }

    /// One of some words.
    package mutating func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ value: inout Word
    ) where Word.RawValue == String {
        var optional: Word? = value
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        walk(name, &optional, "one of \(words)") {
            guard case .text(let text) = $0 else { return nil }
            return Word(rawValue: text)
        } write: {
            .text($0.rawValue)
        }
        value = optional ?? value
    }

    /// A decimal number that may be left out.
    package mutating func decimal(_ name: String, _ value: inout DecimalValue?) {
        walk(name, &value, "a number") {
            guard case .number(let text) = $0, let number = DecimalValue(text), number.isFinite
            else { return nil }
            return number
        } write: {
            .number($0.description)
        }
    }

    /// Texts.
    package mutating func texts(_ name: String, _ value: inout [String]) {
        var optional: [String]? = value
        walk(name, &optional, "a list of texts") {
            guard case .array(let values) = $0 else { return nil }
            var texts: [String] = []
            for value in values {
                guard case .text(let text) = value else { return nil }
                texts.append(text)
            }
            return texts
        } write: {
            .array($0.map { .text($0) })
        }
        value = optional ?? value
    }

    /// The number of a client that may be left out.
    package mutating func client(_ name: String, _ value: inout ClientID?) {
        var number = value.map { Int($0.rawValue) }
        integer(name, &number, 0...Int(Int32.max), "a client's number")
        value = number.map { ClientID(rawValue: Int32(clamping: $0)) }
    }

    /// A parameter that must be there.
    package mutating func need(_ name: String, _ isMissing: Bool) {
        guard isMissing, failure == nil else { return }
        guard given != nil else {
            for index in described.indices where described[index].name == name {
                described[index].isNeeded = true
            }
            return
        }
        failure = FaultRefusal("'\(owner)' needs the parameter '\(name)'")
    }

    /// Stops reading for a reason of the action's own.
    package mutating func refuse(_ reason: String) {
        guard given != nil, failure == nil else { return }
        failure = FaultRefusal("'\(owner)': \(reason)")
    }

    private mutating func walk<Value>(
        _ name: String, _ value: inout Value?, _ form: String, read: (JSONValue) -> Value?,
        write: (Value) -> JSONValue
    ) {
        names.append(name)
        guard let given else {
            described.append(Parameter(name: name, form: form, fallback: value.map(write)))
            if let value { written.append(JSONValue.Member(name, write(value))) }
            return
        }
        guard let member = given.first(where: { $0.name == name }) else { return }
        guard let read = read(member.value) else {
            let found = member.value.isPlain ? member.value.text : member.value.kind
            if failure == nil {
                failure = FaultRefusal("'\(owner)': '\(name)' must be \(form), not \(found)")
            }
            return
        }
        value = read
    }
}

extension JSONValue {
    fileprivate var isPlain: Bool {
        switch self {
        case .null, .bool, .number: true
        case .text(let text): text.utf8.count <= 64
        case .array, .object: false
        }
    }
}

extension Duration {
    /// In seconds, exactly: `90`, `0.25`.
    var secondsText: String {
        let integer = nanoseconds / 1_000_000_000
        let remainder = (nanoseconds % 1_000_000_000).magnitude
        guard remainder > 0 else { return "\(integer)" }
        var digits = String(String(remainder + 1_000_000_000).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        return "\(nanoseconds < 0 && integer == 0 ? "-" : "")\(integer).\(digits)"
    }
}
