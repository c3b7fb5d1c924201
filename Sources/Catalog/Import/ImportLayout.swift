/// What the columns of a foreign file hold.
struct ImportLayout: Equatable {
    /// Which column holds what, from 0.
    private(set) var columns: [Role: Int] = [:]
    /// Columns that each hold one symbol's closes, where that is how the file is laid out.
    private(set) var closes: [(symbol: String, column: Int)] = []
    /// The columns' names as written.
    let names: [String]
    /// How the file is laid out.
    let shape: Shape

    /// How a file is laid out.
    package enum Shape: String, CaseIterable, Sendable {
        /// One symbol, bars.
        case bars
        /// One symbol, closes only.
        case closes
        /// Many symbols, each row naming its own.
        case long
        /// Many symbols, each with a column of closes.
        case wide
    }

    /// What a column can hold.
    package enum Role: String, CaseIterable, Sendable {
        /// The date, or date and time.
        case time
        /// The time of day, beside a date.
        case clock
        /// Whose row it is.
        case symbol
        /// The first price.
        case open
        /// The highest price.
        case high
        /// The lowest price.
        case low
        /// The last price.
        case close
        /// The last price, adjusted.
        case adjusted
        /// What was traded.
        case volume
        /// Cash a share.
        case dividend
        /// New shares for an old one.
        case split
    }

    static func == (left: ImportLayout, right: ImportLayout) -> Bool {
        left.columns == right.columns && left.names == right.names && left.shape == right.shape
            && left.closes.map(\.column) == right.closes.map(\.column)
    }

    /// The layout that a header shows.
    ///
    /// - Parameters:
    ///   - given: names of columns for roles, which go before our guesses.
    ///   - requested: the shape, if it is not to be guessed.
    init(
        header names: [String], given: [Role: String], requested: Shape?, file: String
    ) throws(DataError) {
        self.names = names
        for role in Role.allCases {
            guard let name = given[role] else { continue }
            guard let column = names.firstIndex(where: { Self.plain($0) == Self.plain(name) })
            else {
                throw DataError(
                    file: file, line: 1,
                    finding: "found no column \(DataError.quoted(name)) among " + Self.list(names),
                    remedy: "Correct --columns.")
            }
            columns[role] = column
        }
        for (column, name) in names.enumerated() {
            guard let role = Self.role(of: name), columns[role] == nil, given[role] == nil,
                !columns.values.contains(column)
            else { continue }
            columns[role] = column
        }
        Self.report(&columns, names)
        let guess = Self.shape(columns, names)
        shape = requested ?? guess
        try check(file)
        guard shape == .wide, let time = columns[.time] else { return }
        closes = names.enumerated().filter { $0.offset != time && !$0.element.isEmpty }
            .map { ($0.element, $0.offset) }
        columns = [.time: time]
    }

    private func check(_ file: String) throws(DataError) {
        var needed: [Role] = [.time]
        switch shape {
        case .bars: needed += [.open, .high, .low, .close]
        case .closes: needed += [.close]
        case .long: needed += [.symbol, .close]
        case .wide: break
        }
        let missing = needed.filter { columns[$0] == nil }
        guard missing.isEmpty else {
            throw DataError(
                file: file, line: 1,
                finding:
                    "found no column for \(missing.map(\.rawValue).joined(separator: ", ")) among "
                    + Self.list(names),
                remedy: "Name them with --columns, such as --columns time=Day,close=Last.")
        }
    }

    /// Settles what single names cannot: a date beside a time of day, and an adjusted close alone.
    private static func report(_ columns: inout [Role: Int], _ names: [String]) {
        if columns[.time] == nil, let clock = columns[.clock] {
            columns[.time] = clock
            columns[.clock] = nil
        }
        if columns[.close] == nil, let adjusted = columns[.adjusted] {
            columns[.close] = adjusted
            columns[.adjusted] = nil
        }
    }

    private static func shape(_ columns: [Role: Int], _ names: [String]) -> Shape {
        if columns[.symbol] != nil { return .long }
        if [.open, .high, .low, .close].allSatisfy({ columns[$0] != nil }) { return .bars }
        if columns[.close] != nil { return .closes }
        return .wide
    }

    private static func role(of name: String) -> Role? {
        if let base = BarSize.named(by: name.lowercased())?.base,
            ["date", "datetime", "timestamp", "time"].contains(base)
        {
            return .time
        }
        return switch plain(name) {
        case "date", "datetime", "timestamp", "day", "tradedate", "timestamplocal", "": .time
        case "time": .clock
        case "symbol", "ticker", "code", "instrument": .symbol
        case "open", "o", "openprice": .open
        case "high", "h", "highprice": .high
        case "low", "l", "lowprice": .low
        case "close", "c", "closeprice", "closelast", "last", "price": .close
        case "adjclose", "adjustedclose", "adjustclose", "closeadj": .adjusted
        case "volume", "v", "vol": .volume
        case "dividend", "dividends", "dividendamount", "divcash": .dividend
        case "split", "splits", "stocksplits", "splitcoefficient", "splitfactor": .split
        default: nil
        }
    }

    /// A name without case, spaces and signs, and without the number that Alpha Vantage puts before it.
    private static func plain(_ name: String) -> String {
        var letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
        if name.contains(". ") { letters = String(letters.drop { $0.isNumber }) }
        return letters
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(20).map { DataError.quoted($0) }.joined(separator: ", ")
    }
}
