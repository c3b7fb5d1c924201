/// Writes the fields of one text payload.
struct TextWriter: FieldCoder, ~Copyable {
    static let fillsValues = false

    let version: ServerVersion
    let role: WireRole
    /// What has been written so far.
    private(set) var output = WireOutput()
    /// Why the message must not be sent, if anything.
    private(set) var refusal: EncodingRefusal?
    /// Inside fields that this version does not carry: the version from which they travel, or `.max`.
    private var uncarried: Int?

    /// Nothing written.
    init(version: ServerVersion, role: WireRole) {
        self.version = version
        self.role = role
    }

    /// Writes the front of a frame: four bytes for its length, and the message's number.
    mutating func begin(_ number: Int) {
        output.append("\0\0\0\0" as StaticString)
        output.append(decimal: UInt64(number))
        end()
    }

    /// Writes the frame's length into its front.
    mutating func finishFrame() { output.putFrameLength() }

    /// Appends a copy of what has been written.
    func copy(to bytes: inout [UInt8]) { bytes.append(contentsOf: output.written) }

    /// True where the field does not travel. A client's set field that the version cannot carry stops
    /// the message: an order must not arrive without a condition it was given.
    @inline(__always)
    private mutating func skips(_ name: StaticString, isSet: Bool) -> Bool {
        guard let needed = uncarried else { return false }
        if isSet { refuse(name, needs: needed) }
        return true
    }

    @inline(never)
    private mutating func refuse(_ name: StaticString, needs needed: Int) {
        guard refusal == nil else { return }
        refusal = .notCarried(field: name.description, needs: needed, version: version)
    }

    @inline(__always)
    private mutating func end() { output.append(0) }

    // MARK: Numbers

    mutating func messageVersion(newest: Int32) -> Int32 {
        var number = newest
        integer("version", &number)
        return newest
    }

    @inline(__always)
    mutating func constant(_ text: StaticString) {
        guard uncarried == nil else { return }
        output.append(text)
        end()
    }

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I) {
        guard !skips(name, isSet: value != 0) else { return }
        write(value)
    }

    @inline(__always)
    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm
    ) {
        if unset == .empty, value == nil {
            endUnset()
        } else {
            write(name, value, unset)
        }
    }

    @inline(never)
    private mutating func write<I: WireInteger>(
        _ name: StaticString, _ value: I?, _ unset: UnsetForm
    ) {
        guard !skips(name, isSet: value != nil) else { return }
        if let value {
            output.append(decimal: Int64(value))
        } else if unset == .sentinel {
            // The most frequent long number.
            if I.bitWidth == 32 {
                output.append("2147483647" as StaticString)
            } else {
                output.append(decimal: Int64(I.max))
            }
        }
        end()
    }

    @inline(__always)
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I) {
        guard !skips(name, isSet: value != or) else { return }
        write(value)
    }

    /// Writes a whole number. Most have one digit.
    @inline(__always)
    private mutating func write<I: WireInteger>(_ value: I) {
        if value >= 0, value <= 9 {
            output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value), 0)
        } else {
            writeLong(Int64(value))
        }
    }

    @inline(never)
    private mutating func writeLong(_ value: Int64) {
        output.append(decimal: value)
        end()
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue) {
        guard !skips(name, isSet: value != .zero) else { return }
        value.append(to: &output, as: role == .client ? .python : .server)
        end()
    }

    @inline(__always)
    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        if unset == .empty, value == nil {
            endUnset()
        } else {
            write(name, value, unset)
        }
    }

    @inline(never)
    private mutating func write(
        _ name: StaticString, _ value: DecimalValue?, _ unset: UnsetForm
    ) {
        guard !skips(name, isSet: value != nil) else { return }
        if let value {
            value.append(to: &output, as: role == .client ? .python : .server)
        } else if unset == .sentinel {
            output.append(
                role == .client
                    ? "1.7976931348623157e+308" as StaticString : "1.7976931348623157E308")
        }
        end()
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue, or: DecimalValue) {
        guard !skips(name, isSet: value != or) else { return }
        value.append(to: &output, as: role == .client ? .python : .server)
        end()
    }

    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue) {
        guard !skips(name, isSet: value != .zero) else { return }
        value.append(to: &output, as: .plain)
        end()
    }

    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        guard !skips(name, isSet: value != nil) else { return }
        if let value {
            value.append(to: &output, as: .plain)
        } else if unset == .sentinel {
            output.append("170141183460469231731687303715884105727" as StaticString)
        }
        end()
    }

    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C) {
        var number = value.code
        integer(name, &number)
    }

    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C?, _ unset: UnsetForm) {
        var number = value?.code
        integer(name, &number, unset)
    }

    // MARK: Flags and texts

    @inline(__always)
    mutating func flag(_ name: StaticString, _ value: inout Bool) {
        guard !skips(name, isSet: value) else { return }
        output.append(UInt8(ascii: value ? "1" : "0"), 0)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool?) {
        guard !skips(name, isSet: value != nil) else { return }
        if let value { output.append(UInt8(ascii: value ? "1" : "0")) }
        end()
    }

    @inline(__always)
    mutating func text(_ name: StaticString, _ value: inout String) { write(name, value) }

    /// Ends a field with nothing in it, where it travels at all.
    @inline(__always)
    private mutating func endUnset() {
        if uncarried == nil { end() }
    }

    /// Writes a text. Most are empty.
    @inline(__always)
    private mutating func write(_ name: StaticString, _ text: String) {
        if text.isEmpty {
            endUnset()
        } else {
            writeSet(name, text)
        }
    }

    @inline(never)
    private mutating func writeSet(_ name: StaticString, _ text: String) {
        guard !skips(name, isSet: true) else { return }
        let start = output.count
        if output.append(printable: text) { return end() }
        endText(name, from: start)
    }

    private mutating func endText(_ name: StaticString, from start: Int) {
        if refusal == nil, !isClean(output.written(from: start)) {
            refusal = .badCharacter(field: name.description)
        }
        end()
    }

    /// No terminator inside, and from a client only printable ASCII, tab, line feed and carriage return:
    /// IBKR's client refuses everything else in text form (error 579).
    private func isClean(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte &- 32 >= 95, byte != 9, byte != 10, byte != 13 {
                guard role == .gateway, byte >= 128 else { return false }
            }
            index &+= 1
        }
        return true
    }

    mutating func escapedText(_ name: StaticString, _ value: inout String) {
        guard role == .gateway else { return write(name, value) }
        guard !skips(name, isSet: !value.isEmpty) else { return }
        let start = output.count
        EscapedText.append(value, to: &output)
        endText(name, from: start)
    }

    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W) {
        write(name, value.word)
    }

    @inline(__always)
    mutating func time(_ name: StaticString, _ value: inout WireTime) {
        if case .none = value {
            endUnset()
        } else {
            writeSet(name, value)
        }
    }

    @inline(never)
    private mutating func writeSet(_ name: StaticString, _ value: WireTime) {
        guard !skips(name, isSet: true) else { return }
        let start = output.count
        value.append(to: &output)
        endText(name, from: start)
    }

    @inline(__always)
    mutating func account(_ name: StaticString, _ value: inout AccountID) {
        write(name, value.name)
    }

    mutating func accounts(_ name: StaticString, _ value: inout [AccountID]) {
        write(name, value.map(\.name).joined(separator: ","))
    }

    // MARK: Groups

    mutating func list<R: FieldRecord>(_ name: StaticString, _ value: inout [R]) {
        guard !skips(name, isSet: !value.isEmpty) else { return }
        write(value.count)
        guard !value.isEmpty else { return }
        records(name, &value, count: value.count)
    }

    mutating func records<R: FieldRecord>(_ name: StaticString, _ value: inout [R], count: Int) {
        guard !skips(name, isSet: !value.isEmpty) else { return }
        for index in value.indices { value[index].fields(&self) }
    }

    mutating func since(_ version: Int, _ fields: (inout Self) -> Void) {
        during(version..<Int.max, fields)
    }

    mutating func during(_ versions: Range<Int>, _ fields: (inout Self) -> Void) {
        if uncarried != nil || versions.contains(version.number) {
            fields(&self)
        } else if role == .client {
            uncarried = versions.lowerBound
            fields(&self)
            uncarried = nil
        }
    }

    mutating func ifRemaining(_ count: Int, _ fields: (inout Self) -> Void) { fields(&self) }
}

/// Whose messages are written: the two sides spell numbers and unset values differently.
public enum WireRole: Hashable, Sendable {
    /// Requests, spelled as IBKR's Python client spells them.
    case client
    /// Answers.
    case gateway
}

/// Why a message was not written.
public enum EncodingRefusal: Error, Hashable, Sendable {
    /// The field is set, and the agreed version does not carry it (IBKR's client: error 503). Needs 0
    /// where it travelled before, `.max` where this kind of order never carries it.
    case notCarried(field: String, needs: Int, version: ServerVersion)
    /// The message itself needs a newer gateway (IBKR's client: error 503).
    case messageNotCarried(message: String, needs: Int, version: ServerVersion)
    /// The text has a character that cannot travel (IBKR's client: error 579).
    case badCharacter(field: String)
}

extension EncodingRefusal: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .notCarried(let field, .max, _):
            "\(field) does not go with this kind of order: leave it unset"
        case .notCarried(let field, 0, let version):
            "\(field) no longer travels at the gateway's server version \(version): leave it unset"
        case .notCarried(let field, let needs, let version):
            "\(field) needs server version \(needs), the gateway has \(version): leave it unset or update"
        case .messageNotCarried(let message, let needs, let version):
            "\(message) needs server version \(needs), the gateway has \(version): update the gateway"
        case .badCharacter(let field):
            "\(field) has a character that cannot be sent: use printable ASCII"
        }
    }
}
