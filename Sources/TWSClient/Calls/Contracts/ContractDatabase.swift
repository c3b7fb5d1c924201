public import Primitives
public import TWSProtocol

/// A contract as the broker identified it, and when.
public struct QualifiedContract: Hashable, Sendable {
    /// With its number.
    public let contract: Contract
    /// When the broker reported it.
    public let at: Timestamp

    /// `contract`, as it was at `at`.
    public init(_ contract: Contract, at: Timestamp) {
        self.contract = contract
        self.at = at
    }
}

/// What was asked for and what the broker identified it as, in a text form for disks: one line each, the
/// fields separated by tabs.
public struct ContractDatabase: Sendable {
    /// What was asked for and what was found, oldest first.
    public var entries: [(asked: Contract, found: QualifiedContract)]

    /// A database of `entries`.
    public init(entries: [(asked: Contract, found: QualifiedContract)] = []) {
        self.entries = entries
    }

    /// The first line of the text form.
    private static let heading = "martlet-contracts 1"

    /// The text form.
    public var text: String {
        var text = Self.heading + "\n"
        for (asked, found) in entries {
            let fields =
                ["\(found.at.nanoseconds / 1_000_000_000)"]
                + asked.databaseFields + found.contract.databaseFields
            // A field with a tab or a line feed names no instrument: it is asked for again.
            guard !fields.contains(where: { $0.contains { $0 == "\t" || $0 == "\n" } }) else {
                continue
            }
            text += fields.joined(separator: "\t") + "\n"
        }
        return text
    }

    /// Reads the text form.
    ///
    /// - Returns: `nil` for a text of another form. A line that cannot be read is left out: it is asked
    ///   for again.
    public init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first == Self.heading[...] else { return nil }
        entries = []
        for line in lines.dropFirst() where !line.isEmpty {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map(String.init)
            guard fields.count == 1 + 2 * Contract.databaseFieldCount,
                let seconds = Int64(fields[0]), seconds.magnitude < 9_000_000_000,
                let asked = Contract(databaseFields: fields[1...Contract.databaseFieldCount]),
                let found = Contract(databaseFields: fields[(1 + Contract.databaseFieldCount)...]),
                found.conId != 0
            else { continue }
            entries.append((asked, QualifiedContract(found, at: Timestamp(seconds: seconds))))
        }
    }
}

extension Contract {
    fileprivate static let databaseFieldCount = 12

    fileprivate var databaseFields: [String] {
        [
            "\(conId)", symbol, secType.word, lastTradeDateOrContractMonth,
            strike?.description ?? "", right.word, multiplier, exchange, primaryExchange, currency,
            localSymbol, tradingClass,
        ]
    }

    fileprivate init?(databaseFields: ArraySlice<String>) {
        let fields = Array(databaseFields)
        guard fields.count == Self.databaseFieldCount, let number = Int32(fields[0]) else {
            return nil
        }
        self.init()
        conId = ContractID(rawValue: number)
        symbol = fields[1]
        secType = SecurityType(word: fields[2])
        lastTradeDateOrContractMonth = fields[3]
        if !fields[4].isEmpty {
            guard let strike = DecimalValue(fields[4]) else { return nil }
            self.strike = strike
        }
        right = OptionRight(word: fields[5])
        multiplier = fields[6]
        exchange = fields[7]
        primaryExchange = fields[8]
        currency = fields[9]
        localSymbol = fields[10]
        tradingClass = fields[11]
    }
}
