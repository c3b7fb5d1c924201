/// Why something was refused, as far as a message's text shows.
public enum CodeCause: String, Hashable, CaseIterable, Sendable {
    /// Asked for too often.
    case pacing
    /// There are no such data.
    case noData
    /// It was cancelled.
    case cancelled
    /// The data service is not connected now.
    case noService
    /// The account may not.
    case permission
    /// The user is logged in elsewhere.
    case competingSession
    /// Too little money or margin.
    case funds
    /// The market is closed.
    case hours
    /// Too large, too small, or parts of shares.
    case size
    /// Too far from the market, or off the grid.
    case price
    /// Nothing to borrow, or not to be sold short.
    case shortSale
    /// The rule about day trades of small margin accounts.
    case dayTrading
    /// The gateway lets this program read only.
    case readOnly
    /// The id is in use.
    case duplicate
    /// All places are taken.
    case tooMany
}

/// What a phrase in the text of some codes adds to their row.
struct CodeTextRule: Sendable {
    let codes: [Int]
    /// In small letters. English: a gateway in another language gets the row as it is.
    let phrases: [String]
    let cause: CodeCause
    /// What it has for the row's, if something else.
    var kind: CodeKind?
    /// What it has for the row's, if something else.
    var effect: CodeEffect?
    /// What it has for the row's, if something else.
    var advice: String?

    /// Of those that fit, the first counts.
    static let all: [CodeTextRule] = data + orders

    private static let data: [CodeTextRule] = [
        CodeTextRule(
            codes: [162, 420, 10189], phrases: ["pacing", "15 seconds"], cause: .pacing,
            effect: .backOff, advice: "Asked for too often: it rests, then is asked for again."),
        CodeTextRule(
            codes: [162], phrases: ["no data"], cause: .noData,
            advice: "The broker has no data for this time: choose another time or contract."),
        CodeTextRule(
            codes: [162], phrases: ["disconnect"], cause: .noService,
            effect: .subscriptionTerminated(cancelFirst: false),
            advice: "The history service lost its connection: it is asked again after a rest."),
        CodeTextRule(
            codes: [162], phrases: ["cancel"], cause: .cancelled,
            advice: "The request was cancelled."),
        CodeTextRule(
            codes: [162, 420, 10189], phrases: ["permission", "subscri"], cause: .permission,
            effect: .rejected, advice: "The account has no such data: subscribe them."),
        CodeTextRule(
            codes: [162, 420, 10189], phrases: ["different ip", "competing"],
            cause: .competingSession, effect: .rejected,
            advice: "The user is logged in elsewhere: log out there, then ask again."),
        CodeTextRule(codes: [10197], phrases: [""], cause: .competingSession),
        CodeTextRule(codes: [101, 309, 10190], phrases: [""], cause: .tooMany),
        CodeTextRule(codes: [102, 103, 385, 386], phrases: [""], cause: .duplicate),
        CodeTextRule(codes: [354, 10168, 10186, 10187], phrases: [""], cause: .permission),
        CodeTextRule(
            codes: [322], phrases: ["duplicate"], cause: .duplicate,
            advice: "The request's id is in use: take a new one."),
        CodeTextRule(
            codes: [322], phrases: ["maximum number"], cause: .tooMany, effect: .freeSlot,
            advice: "Too many such subscriptions are open: end one."),
        CodeTextRule(
            codes: [321], phrases: ["read-only", "read only"], cause: .readOnly,
            advice: "The gateway is set to read-only: untick that in its API settings."),
    ]

    private static let orders: [CodeTextRule] = [
        CodeTextRule(
            codes: [399], phrases: ["reject"], cause: .cancelled, kind: .reject, effect: .rejected,
            advice: "The note speaks of a refusal: the order's state is asked for."),
        CodeTextRule(
            codes: [399], phrases: ["will not be placed", "until"], cause: .hours,
            effect: .orderWaits, advice: "The order waits until the market opens."),
        CodeTextRule(
            codes: [201], phrases: ["day trad"], cause: .dayTrading,
            advice: "The rule about day trades stands against it: trade less often or with more "
                + "capital."),
        CodeTextRule(
            codes: [201], phrases: ["short sale", "sell short", "short stock", "borrow"],
            cause: .shortSale, advice: "The shares cannot be sold short now."),
        CodeTextRule(
            codes: [201],
            phrases: [
                "margin", "equity with loan", "insufficient", "settled cash", "available funds",
            ],
            cause: .funds, advice: "Too little money or margin: lower the size or add funds."),
        CodeTextRule(
            codes: [201], phrases: ["permission", "not eligible", "not allowed to trade"],
            cause: .permission,
            advice: "The account may not trade this: ask for the permission in its settings."),
        CodeTextRule(
            codes: [201], phrases: ["closed", "trading hours", "not open"], cause: .hours,
            advice: "The market is closed: send it in its hours, or for the opening."),
        CodeTextRule(
            codes: [201], phrases: ["size", "quantity", "lgsz"], cause: .size,
            advice: "The broker does not take that size: change it."),
        CodeTextRule(
            codes: [201], phrases: ["price", "aggressive", "nbbo"], cause: .price,
            advice: "The price is too far from the market: move it nearer."),
        CodeTextRule(codes: [110, 109, 163, 382], phrases: [""], cause: .price),
        CodeTextRule(codes: [164, 383, 434, 10243, 10318], phrases: [""], cause: .size),
        CodeTextRule(codes: [404], phrases: [""], cause: .shortSale),
        CodeTextRule(codes: [203, 460], phrases: [""], cause: .permission),
    ]

    /// The rule that fits a message, if one does.
    static func first(for code: Int, text: String) -> CodeTextRule? {
        let candidates = all.filter { $0.codes.contains(code) }
        guard !candidates.isEmpty else { return nil }
        let small = text.lowercased()
        return candidates.first { rule in
            rule.phrases.contains { $0.isEmpty || small.contains($0) }
        }
    }
}

/// A data service by its name, as a message has it.
public struct Farm: Hashable, Sendable {
    /// The broker's name for it, such as `usfarm` or `ushmds`.
    public let name: String
    /// How it is.
    public let state: FarmState
}

/// Names of data services in texts of the gateway.
enum FarmText {
    /// The name at the end of `... is broken:usfarm` or of `... upon demand.usfarm.nj`.
    static func name(in text: String) -> String? {
        if let colon = text.lastIndex(of: ":") {
            return name(text[text.index(after: colon)...])
        }
        guard let dot = text.firstIndex(of: ".") else { return nil }
        return name(text[text.index(after: dot)...])
    }

    /// The services that a message about the whole link lists, behind `connected:` and behind
    /// `not connected:`, divided by semicolons.
    static func list(in text: String) -> [Farm] {
        var farms: [Farm] = []
        var remainder = text[...]
        while let mark = remainder.firstRange(of: "connected:") {
            let isBroken = remainder[..<mark.lowerBound].hasSuffix("not ")
            remainder = remainder[mark.upperBound...]
            let end = remainder.firstRange(of: ". ")?.lowerBound ?? remainder.endIndex
            for part in remainder[..<end].split(whereSeparator: { $0 == ";" || $0 == "," }) {
                guard let name = name(part) else { continue }
                farms.append(Farm(name: name, state: isBroken ? .broken : .ok))
            }
            remainder = remainder[end...]
        }
        return farms
    }

    /// A word of letters, digits, dots, hyphens and underscores; whatever else is not a name.
    private static func name(_ text: some StringProtocol) -> String? {
        var word = text[...]
        while let first = word.first, first.isWhitespace { word = word.dropFirst() }
        while let last = word.last, last.isWhitespace || last == "." { word = word.dropLast() }
        let isName = word.utf8.allSatisfy { byte in
            let letter = byte | 0x20
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
        }
        guard isName, !word.isEmpty, word.utf8.count <= 64 else { return nil }
        return String(word)
    }
}
