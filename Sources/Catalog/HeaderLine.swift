internal import Primitives

/// What the columns of a bar file hold, from its first line.
struct HeaderLine {
    /// The columns' names as written.
    let names: [String]
    /// What each column holds.
    let roles: [Role]
    /// How long bars last by the name of the time column: `timestamp_15m`.
    let barSize: Duration?

    /// What a column can hold.
    enum Role: Equatable {
        /// The bar's time.
        case time
        /// Its first price.
        case open
        /// Its highest price.
        case high
        /// Its lowest price.
        case low
        /// Its last price.
        case close
        /// What was traded.
        case volume
        /// Cash a share, by ex-date.
        case dividend
        /// New shares for an old one, by the day it takes effect.
        case split
        /// Whose row it is.
        case symbol
        /// Something else.
        case other

        /// What a column of that name holds.
        init(name: String) {
            let name = name.lowercased()
            switch BarSize.named(by: name)?.base ?? name[...] {
            case "date", "datetime", "timestamp", "time":
                self = .time
                return
            default: break
            }
            switch name {
            case "open": self = .open
            case "high": self = .high
            case "low": self = .low
            case "close": self = .close
            case "volume": self = .volume
            case "dividend", "dividends": self = .dividend
            case "split", "splits", "stock splits": self = .split
            case "symbol", "ticker": self = .symbol
            default: self = .other
            }
        }
    }

    /// Reads the first line of `file`.
    init(_ line: ArraySlice<UInt8>, file: String) throws(DataError) {
        func fault(_ finding: String, _ remedy: String) -> DataError {
            DataError(file: file, line: 1, finding: finding, remedy: remedy)
        }
        let names = try Self.names(in: line, of: file)
        let roles = names.map(Role.init(name:))
        let needed: [(Role, String)] = [
            (.time, "a time (date, datetime, timestamp or time)"), (.open, "open"),
            (.high, "high"), (.low, "low"), (.close, "close"),
        ]
        let missing = needed.filter { !roles.contains($0.0) }.map(\.1)
        guard missing.isEmpty else {
            if TickHeader.isMeant(by: names) {
                throw fault(
                    "found the columns of quotes and trades, where bars were expected",
                    "Keep bars and ticks in folders of their own; a backtest over ticks has "
                        + "backtest.data.kind: ticks.")
            }
            let found = names.prefix(20).map { DataError.quoted($0) }.joined(separator: ", ")
            throw fault(
                "found no column for \(missing.joined(separator: ", ")) among \(found)",
                "The first line must name the columns: date,open,high,low,close,volume.")
        }
        for (index, role) in roles.enumerated() where role != .other && role != .symbol {
            guard let first = roles.firstIndex(of: role), first != index else { continue }
            throw fault(
                "found columns \(first + 1) (\(names[first])) and \(index + 1) (\(names[index])) "
                    + "for the same value", "Keep one of them.")
        }
        self.names = names
        self.roles = roles
        barSize = roles.firstIndex(of: .time).flatMap {
            BarSize.named(by: names[$0].lowercased())?.length
        }
    }

    /// The columns' names of the first line of `file`.
    static func names(
        in line: ArraySlice<UInt8>, of file: String
    ) throws(DataError) -> [String] {
        func fault(_ finding: String, _ remedy: String) -> DataError {
            DataError(file: file, line: 1, finding: finding, remedy: remedy)
        }
        if let name = TextEncoding.unreadable(line) { throw TextEncoding.fault(name, file) }
        let mark = TextEncoding.mark
        let text = line.starts(with: mark) ? line.dropFirst(mark.count) : line
        guard let names = CSVLine.fields(of: text) else {
            throw fault("found a quotation mark that is not closed", "Correct the header.")
        }
        for (separator, name) in [(";", "semicolons"), ("\t", "tabs")]
        where names.count == 1 && names[0].contains(separator) {
            throw fault(
                "found a header separated by \(name)", "Write the file with commas as separators.")
        }
        return names
    }
}
