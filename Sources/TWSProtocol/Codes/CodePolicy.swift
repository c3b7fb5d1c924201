/// What was last asked about the order or request that a code names.
public enum Asked: Hashable, Sendable {
    /// The caller does not know, or nothing.
    case unknown
    /// To place the order or begin the request.
    case begin
    /// To change the order.
    case change
    /// To cancel it.
    case cancel
}

/// What a code with its text says.
///
/// Made by `CodePolicy` alone. It never says that an order is dead; where it may be, it says that its
/// state is to be asked for.
public struct CodeReading: Hashable, Sendable {
    /// The code.
    public let code: Int
    /// How much it weighs.
    public let kind: CodeKind
    /// What it is about, and with it to what the message's id refers.
    public let scope: CodeScope
    /// What it changes.
    public let effect: CodeEffect
    /// Why, as far as the text shows.
    public let cause: CodeCause?
    /// What an owner should do, in a sentence.
    public let advice: String
    /// The data services that the text names.
    public let farms: [Farm]

    init(code: Int, row: CodeRow, rule: CodeTextRule?, farms: [Farm]) {
        self.code = code
        kind = rule?.kind ?? row.kind
        scope = row.scope
        effect = rule?.effect ?? row.effect
        cause = rule?.cause
        advice = rule?.advice ?? row.advice
        self.farms = farms
    }

    private init(_ other: CodeReading, kind: CodeKind, scope: CodeScope, effect: CodeEffect) {
        code = other.code
        self.kind = kind
        self.scope = scope
        self.effect = effect
        cause = other.cause
        advice = other.advice
        farms = other.farms
    }

    /// Whether the state of the order that the id names is to be asked for: something about it was
    /// refused, or nobody knows the code.
    ///
    /// Advice to ask, and no more: only the order's status and executions show what it is.
    public var asksForOrderState: Bool {
        switch scope {
        case .order, .change, .cancel, .orderOrRequest: kind == .reject || kind == .unknown
        case .request, .subscription, .account, .session, .farm, .call: false
        }
    }

    /// The reading with what the caller last asked for in mind.
    func after(_ asked: Asked) -> CodeReading {
        switch asked {
        case .unknown, .begin: self
        case .change: afterChange
        case .cancel: afterCancel
        }
    }

    /// A refused change leaves the order as it was.
    private var afterChange: CodeReading {
        guard kind == .reject, effect == .rejected, scope == .order || scope == .orderOrRequest
        else { return self }
        return CodeReading(self, kind: kind, scope: .change, effect: .orderStays)
    }

    /// That something was cancelled is no news to who cancelled it; that the cancel was refused is.
    private var afterCancel: CodeReading {
        if effect == .cancelReported || effect == .accountUpdatesStopped
            || cause == .cancelled && scope == .request
        {
            return CodeReading(self, kind: .information, scope: scope, effect: effect)
        }
        guard kind == .reject, effect == .rejected, scope == .order else { return self }
        return CodeReading(self, kind: kind, scope: .cancel, effect: effect)
    }
}

/// Why a row cannot be added to a policy.
public enum CodeRowProblem: Error, Hashable, Sendable {
    /// The state of the link hangs on this code: no row may change it.
    case linkCode(Int)
    /// No row may give this kind: the link's codes are known, and what is unknown has no row.
    case kindNotGiven(CodeKind)
    /// Another row that was added speaks of this code.
    case repeated(Int)
}

extension CodeRowProblem: CustomStringConvertible {
    /// One sentence without its end.
    public var description: String {
        switch self {
        case .linkCode(let code): "code \(code) says how the link is and cannot be changed"
        case .kindNotGiven(let kind): "no row can have the class \(kind.rawValue)"
        case .repeated(let code): "code \(code) has another row"
        }
    }
}

/// What each code of the gateway means, as data that users can add to.
///
/// A code that no row has is `unknown`, and of 2100...2169, where the broker keeps its warnings, a
/// warning.
public struct CodePolicy: Sendable {
    private let added: CodeIndex
    private static let known = CodeIndex(CodeTable.rows)

    /// What is known without a user's rows.
    public static let standard = CodePolicy()

    private init() { added = CodeIndex([]) }

    /// What is known, and rows that hold before it. A row of one code that keeps the code's class
    /// keeps its effect too.
    public init(adding rows: [CodeRow]) throws(CodeRowProblem) {
        var taken: [ClosedRange<Int>] = []
        for row in rows {
            if let problem = Self.problem(with: row, besides: taken) { throw problem }
            taken.append(row.codes)
        }
        added = CodeIndex(rows.map(Self.keepingEffect))
    }

    /// A row that only words a known code anew keeps what the code changes.
    private static func keepingEffect(_ row: CodeRow) -> CodeRow {
        guard row.codes.count == 1, let known = known.row(for: row.codes.lowerBound),
            known.kind == row.kind
        else { return row }
        return CodeRow(row.codes, row.kind, row.scope, known.effect, row.advice)
    }

    /// The rows that are known without a user's.
    public static var rows: [CodeRow] { CodeTable.rows }

    /// What is known of a code, a user's row first.
    public func row(for code: Int) -> CodeRow? { added.row(for: code) ?? Self.known.row(for: code) }

    /// What a message with that code and text says.
    ///
    /// - Parameter asked: what was last asked about the order or request of the message's id.
    public func reading(
        of code: Int, text: String = "", after asked: Asked = .unknown
    ) -> CodeReading {
        guard let row = row(for: code) else { return Self.unknown(code) }
        var rule = CodeTextRule.first(for: code, text: text)
        if let own = added.row(for: code) {
            // Who gives a code another class wants that, whatever the text; advice is the user's.
            if own.kind != Self.known.row(for: code)?.kind { rule = nil }
            rule?.advice = own.advice
        }
        let reading = CodeReading(
            code: code, row: row, rule: rule, farms: Self.farms(of: row, in: text))
        return reading.after(asked)
    }

    private static func unknown(_ code: Int) -> CodeReading {
        let isWarning = (2100...2169).contains(code)
        let row = CodeRow(
            code...code, isWarning ? .warning : .unknown, .orderOrRequest, .none,
            isWarning
                ? "A warning that no table has: read the text."
                : "A code that no table has: read the text. An order it names counts as alive until "
                    + "its status says otherwise.")
        return CodeReading(code: code, row: row, rule: nil, farms: [])
    }

    private static func farms(of row: CodeRow, in text: String) -> [Farm] {
        if case .farm(_, let state) = row.effect {
            return FarmText.name(in: text).map { [Farm(name: $0, state: state)] } ?? []
        }
        if case .upstreamRestored = row.effect { return FarmText.list(in: text) }
        return []
    }

    static func problem(
        with row: CodeRow, besides taken: [ClosedRange<Int>]
    ) -> CodeRowProblem? {
        switch row.kind {
        case .connectivity, .unknown: return .kindNotGiven(row.kind)
        case .information, .warning, .reject, .fatal: break
        }
        if let link = CodeTable.rows.first(where: {
            $0.effect.belongsToLink && $0.codes.overlaps(row.codes)
        }) {
            return .linkCode(link.codes.lowerBound)
        }
        guard let other = taken.first(where: { $0.overlaps(row.codes) }) else { return nil }
        return .repeated(max(other.lowerBound, row.codes.lowerBound))
    }
}

/// Rows by code.
private struct CodeIndex: Sendable {
    private var single: [Int: CodeRow] = [:]
    private var ranges: [CodeRow] = []

    init(_ rows: [CodeRow]) {
        for row in rows {
            if row.codes.count == 1 {
                single[row.codes.lowerBound] = row
            } else {
                ranges.append(row)
            }
        }
    }

    func row(for code: Int) -> CodeRow? {
        single[code] ?? ranges.first { $0.codes.contains(code) }
    }
}
