/// What the columns of a tick file hold, from its first line.
struct TickHeader {
    /// The columns' names as written.
    let names: [String]
    /// What each column holds.
    let roles: [Role]
    /// Where among a row's cells a trade has its price and, behind it, its size.
    let tradeCell: Int
    /// Whether a column marks rows as quotes or trades.
    let hasKinds: Bool

    /// What a column can hold; the first six are cells of numbers.
    enum Role: Int {
        /// The best price somebody would buy at.
        case bid
        /// How much of it.
        case bidSize
        /// The best price somebody would sell at.
        case ask
        /// How much of it.
        case askSize
        /// What was paid.
        case price
        /// How much of it.
        case size
        /// When it was published.
        case time
        /// Whether the row is a quote or a trade.
        case kind
        /// Something else.
        case other
    }

    /// How many cells of numbers a row can have.
    static let cellCount = 6

    /// A quote's or a trade's columns when one pair serves both, as a column for the kind says.
    private static let shared = ["p1": Role.bid, "s1": .bidSize, "p2": .ask, "s2": .askSize]

    private static func role(of name: String) -> Role {
        switch name.lowercased() {
        case "date", "datetime", "timestamp", "time": .time
        case "type", "kind": .kind
        case "bid", "bid_price": .bid
        case "bid_size", "bidsize": .bidSize
        case "ask", "ask_price": .ask
        case "ask_size", "asksize": .askSize
        case "price", "last", "trade_price": .price
        case "size", "last_size", "trade_size", "volume": .size
        default: shared[name.lowercased()] ?? .other
        }
    }

    /// Whether a file whose first line has these names holds quotes and trades: it names one of their
    /// prices, and none of a bar but perhaps a close.
    static func isMeant(by names: [String]) -> Bool {
        let bar: [HeaderLine.Role] = [.open, .high, .low]
        let roles = names.map(HeaderLine.Role.init(name:))
        guard !bar.contains(where: roles.contains) else { return false }
        return names.contains { [.bid, .ask, .price].contains(role(of: $0)) }
    }

    /// Reads the first line of `file`.
    init(_ line: ArraySlice<UInt8>, file: String) throws(DataError) {
        names = try HeaderLine.names(in: line, of: file)
        roles = names.map(Self.role(of:))
        hasKinds = roles.contains(.kind)
        let isShared = names.contains { Self.shared[$0.lowercased()] != nil }
        tradeCell = isShared ? Role.bid.rawValue : Role.price.rawValue
        var missing = roles.contains(.time) ? [] : ["a time (date, datetime, timestamp or time)"]
        if !roles.contains(.bid), !roles.contains(.ask), !roles.contains(.price) {
            missing.append("bid, ask or price")
        }
        if isShared, !hasKinds { missing.append("the type of a row with p1 and p2 (type)") }
        guard missing.isEmpty else {
            let found = names.prefix(20).map { DataError.quoted($0) }.joined(separator: ", ")
            throw DataError(
                file: file, line: 1,
                finding: "found no column for \(missing.joined(separator: ", ")) among \(found)",
                remedy: "The first line must name the columns: "
                    + "timestamp,bid,bid_size,ask,ask_size,price,size.")
        }
        for (index, role) in roles.enumerated() where role != .other {
            guard let first = roles.firstIndex(of: role), first != index else { continue }
            throw DataError(
                file: file, line: 1,
                finding: "found columns \(first + 1) (\(names[first])) and \(index + 1) "
                    + "(\(names[index])) for the same value", remedy: "Keep one of them.")
        }
    }
}
