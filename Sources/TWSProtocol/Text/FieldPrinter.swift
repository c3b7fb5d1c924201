import Primitives

/// Prints a message's fields as one JSON object: names as IBKR's clients have them, numbers as numbers,
/// unset values as `null`, lists as arrays of objects. Constants are left out.
struct FieldPrinter: FieldCoder, ~Copyable {
    static let fillsValues = false

    let version: ServerVersion
    /// Accounts in clear text, wherever they stand.
    let showsAccounts: Bool
    private var json = JSONText()

    /// Prints fields as `version` carries them.
    init(version: ServerVersion, showsAccounts: Bool) {
        self.version = version
        self.showsAccounts = showsAccounts
        json.open("{")
    }

    /// The object.
    consuming func finish() -> String {
        json.close("}")
        return json.text
    }

    mutating func constant(_ text: StaticString) {}

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I) {
        json.member(name, raw: String(value))
    }
    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm
    ) {
        json.member(name, raw: value.map { String($0) } ?? "null")
    }
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I) {
        integer(name, &value)
    }
    mutating func double(_ name: StaticString, _ value: inout DecimalValue) {
        // JSON has no infinity.
        if value.isFinite {
            json.member(name, raw: value.description)
        } else {
            json.member(name, text: value.description)
        }
    }
    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        if var value { double(name, &value) } else { json.member(name, raw: "null") }
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
        json.member(name, raw: String(value.code))
    }
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C?, _ unset: UnsetForm) {
        json.member(name, raw: value.map { String($0.code) } ?? "null")
    }
    mutating func flag(_ name: StaticString, _ value: inout Bool) {
        json.member(name, raw: value ? "true" : "false")
    }
    mutating func flag(_ name: StaticString, _ value: inout Bool?) {
        json.member(name, raw: value.map { $0 ? "true" : "false" } ?? "null")
    }
    mutating func text(_ name: StaticString, _ value: inout String) {
        json.member(name, text: showsAccounts ? value : AccountText.redacted(value))
    }
    mutating func escapedText(_ name: StaticString, _ value: inout String) { text(name, &value) }
    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W) {
        json.member(name, text: value.word)
    }
    mutating func time(_ name: StaticString, _ value: inout WireTime) {
        json.member(name, text: value.text)
    }
    mutating func account(_ name: StaticString, _ value: inout AccountID) {
        json.member(name, text: showsAccounts ? value.name : value.redacted)
    }
    mutating func accounts(_ name: StaticString, _ value: inout [AccountID]) {
        json.key(name.description)
        json.open("[")
        for account in value { json.append(text: showsAccounts ? account.name : account.redacted) }
        json.close("]")
    }
    mutating func list<R: FieldRecord>(_ name: StaticString, _ value: inout [R]) {
        records(name, &value, count: value.count)
    }
    mutating func records<R: FieldRecord>(_ name: StaticString, _ value: inout [R], count: Int) {
        json.key(name.description)
        json.open("[")
        for index in value.indices {
            json.open("{")
            value[index].fields(&self)
            json.close("}")
        }
        json.close("]")
    }
    mutating func texts(_ name: StaticString, _ value: inout [String]) {
        json.key(name.description)
        json.open("[")
        for text in value {
            json.append(text: showsAccounts ? text : AccountText.redacted(text))
        }
        json.close("]")
    }
    mutating func since(_ version: Int, _ fields: (inout Self) -> Void) {
        if self.version.number >= version { fields(&self) }
    }
    mutating func during(_ versions: Range<Int>, _ fields: (inout Self) -> Void) {
        if versions.contains(version.number) { fields(&self) }
    }
    mutating func ifRemaining(_ count: Int, _ fields: (inout Self) -> Void) { fields(&self) }
}

/// Account names inside free text.
public enum AccountText {
    /// `text` with every word that looks like an account (one to three capitals, five digits or more)
    /// shortened as `AccountID.redacted` does.
    public static func redacted(_ text: String) -> String {
        guard text.utf8.count >= 6 else { return text }
        var result = ""
        var word = ""
        func flush(_ word: String) -> String {
            let letters = word.prefix { $0.isASCII && $0.isUppercase }
            let digits = word.dropFirst(letters.count)
            let isAccount =
                (1...3).contains(letters.count) && digits.count >= 5
                && digits.allSatisfy { $0.isASCII && $0.isNumber }
            return isAccount ? AccountID(word).redacted : word
        }
        for character in text {
            if character.isASCII, character.isLetter || character.isNumber {
                word.append(character)
            } else {
                result += flush(word)
                word = ""
                result.append(character)
            }
        }
        return result + flush(word)
    }
}
