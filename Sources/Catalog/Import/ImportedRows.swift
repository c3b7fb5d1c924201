internal import MarketState
import Model
internal import Primitives

/// The rows of a foreign file, by symbol.
struct ImportedRows {
    private let layout: ImportLayout
    private let separator: UInt8
    private let settings: DataImport
    private let file: DataFolder.File
    private var line: Int32 = 1
    private var findings = FindingList()
    private var emptyCount = 0
    /// The symbols in the order of their first row, and where each one's rows are.
    private var tables: [Table] = []
    private var indexes: [String: Int] = [:]
    /// Whether every time so far was a date, or midnight of one.
    private var isDated = true

    /// One symbol's rows.
    private struct Table {
        let symbol: String
        var rows: [Row] = []
    }

    /// One row.
    private struct Row {
        /// The date as written, for sessions.
        let day: Day
        var bar: BarRow
        let adjusted: Int64?
        let dividend: Int64
        let split: Int64
    }

    init(
        _ layout: ImportLayout, separator: UInt8, settings: DataImport, file: DataFolder.File
    ) {
        self.layout = layout
        self.separator = separator
        self.settings = settings
        self.file = file
    }

    // MARK: Reading

    /// Takes in one line.
    mutating func take(_ text: ArraySlice<UInt8>) {
        line += 1
        guard !CSVLine.trimmed(text).isEmpty else { return }
        guard let fields = CSVLine.fields(of: text, separator: separator),
            fields.count == layout.names.count
        else {
            findings.add(
                .format, line: Int(line),
                "found no \(layout.names.count) fields as in the header: "
                    + DataError.quoted(String(decoding: CSVLine.trimmed(text), as: UTF8.self)))
            return
        }
        guard let time = time(fields) else { return }
        if layout.shape == .wide {
            for (symbol, column) in layout.closes {
                takeClose(symbol, fields[column], at: time)
            }
        } else {
            takeBar(fields, at: time)
        }
    }

    private mutating func takeClose(
        _ symbol: String, _ text: String, at time: (day: Day, start: Timestamp)
    ) {
        if OddNumber.read(text) == .missing {
            emptyCount += 1
            return
        }
        guard let close = price(text, symbol) else { return }
        let bar = BarRow(
            start: time.start, open: close, high: close, low: close, close: close, volume: .zero)
        add(Row(day: time.day, bar: bar, adjusted: nil, dividend: 0, split: 0), of: symbol)
    }

    private mutating func takeBar(_ fields: [String], at time: (day: Day, start: Timestamp)) {
        func text(_ role: ImportLayout.Role) -> String? { layout.columns[role].map { fields[$0] } }
        guard let close = price(text(.close) ?? "", "close") else { return }
        var prices: [Price] = []
        for role in [ImportLayout.Role.open, .high, .low] {
            guard let text = text(role) else {
                prices.append(close)
                continue
            }
            guard let price = price(text, role.rawValue) else { return }
            prices.append(price)
        }
        guard let volume = number(text(.volume), "volume", missing: 0),
            let dividend = number(text(.dividend), "dividend", missing: 0),
            let split = split(text(.split)),
            let adjusted = number(text(.adjusted), "adjusted", missing: 0)
        else { return }
        guard volume <= Quantity.magnitudeMax.units else {
            findings.add(.format, line: Int(line), "found a volume that is too large")
            return
        }
        guard adjusted > 0 || !settings.isAdjusting else {
            findings.add(.missingValue, line: Int(line), "found no adjusted close")
            return
        }
        let bar = BarRow(
            start: time.start, open: prices[0], high: prices[1], low: prices[2], close: close,
            volume: Quantity(units: volume))
        add(
            Row(
                day: time.day, bar: bar, adjusted: adjusted > 0 ? adjusted : nil,
                dividend: dividend, split: split),
            of: text(.symbol) ?? settings.symbol ?? file.symbol)
    }

    private mutating func add(_ row: Row, of symbol: String) {
        let index: Int
        if let known = indexes[symbol] {
            index = known
        } else {
            index = tables.count
            indexes[symbol] = index
            tables.append(Table(symbol: symbol))
        }
        tables[index].rows.append(row)
    }

    private mutating func time(_ fields: [String]) -> (day: Day, start: Timestamp)? {
        var text = layout.columns[.time].map { fields[$0] } ?? ""
        if let clock = layout.columns[.clock] { text += " " + fields[clock] }
        guard let stamp = ForeignStamp.read(text, isDayFirst: settings.isDayFirst) else {
            findings.add(
                .format, line: Int(line), "found \(DataError.quoted(text)), which is no time")
            return nil
        }
        let calendar = settings.source.calendar
        let day: Day
        let start: Timestamp
        switch stamp {
        case .date(let date): (day, start) = (date, calendar.open(on: date))
        case .epoch(let timestamp):
            // Midnight UTC is the date that was counted, not New York's evening before.
            let isMidnight = timestamp.sinceMidnight == .zero
            (day, start) = (isMidnight ? timestamp.day : calendar.day(of: timestamp), timestamp)
        case .reading(let date, let sinceMidnight, let offset?):
            (day, start) = (date, Timestamp(day: date, sinceMidnight: sinceMidnight) - offset)
        case .reading(let date, let sinceMidnight, nil):
            day = date
            switch settings.source.zone {
            case .utc: start = Timestamp(day: date, sinceMidnight: sinceMidnight)
            case .newYork: start = NewYork.timestamp(on: date, at: sinceMidnight)
            case nil where sinceMidnight == .zero: start = calendar.open(on: date)
            case nil:
                findings.add(
                    .zoneUnstated, line: Int(line),
                    "found \(DataError.quoted(text)), which does not say its zone: give --zone")
                return nil
            }
        }
        guard start >= StampReader.earliest, start < StampReader.latest else {
            findings.add(
                .format, line: Int(line),
                "found \(DataError.quoted(text)), which is not within 1900 to 2189")
            return nil
        }
        isDated = isDated && Self.isDate(stamp)
        return (day, start)
    }

    /// Whether a time is a date, or midnight: pandas and others write dates so.
    private static func isDate(_ stamp: StampText) -> Bool {
        switch stamp {
        case .date: true
        case .reading(_, let sinceMidnight, _): sinceMidnight == .zero
        case .epoch(let time): time.sinceMidnight == .zero
        }
    }

    private mutating func price(_ text: String, _ name: String) -> Price? {
        guard case .number(let units, _) = OddNumber.read(text), units > 0,
            units <= Price.magnitudeMax.units
        else {
            findings.add(
                OddNumber.read(text) == .missing ? .missingValue : .price, line: Int(line),
                "found \(DataError.quoted(text)), which is no price (\(name))")
            return nil
        }
        return Price(units: units)
    }

    /// A number that must not be negative; `missing` where there is none.
    private mutating func number(_ text: String?, _ name: String, missing: Int64) -> Int64? {
        guard let text else { return missing }
        switch OddNumber.read(text) {
        case .missing: return missing
        case .number(let units, _) where units >= 0: return units
        case .number, .unreadable:
            findings.add(
                .format, line: Int(line),
                "found \(DataError.quoted(text)), which is no number to use (\(name))")
            return nil
        }
    }

    /// A ratio of new to old shares, as the loader takes it; zero where there is none.
    private mutating func split(_ text: String?) -> Int64? {
        guard let text, let units = number(text, "split", missing: 0) else {
            return text == nil ? 0 : nil
        }
        let ratio = Quantity(units: units)
        guard units > 0, ratio < Quantity(shares: 1) else { return units }
        if let split = SplitRatio(snapping: ratio, decimals: FieldText.decimals(of: text)) {
            return split.decimal.units
        }
        findings.add(
            .format, line: Int(line),
            "found \(DataError.quoted(text)), which is no ratio of new to old shares (split): "
                + "write more digits, such as 0.00333333 for 1:300")
        return nil
    }

    // MARK: Writing

    /// Writes a file a symbol.
    consuming func write(to folder: String) throws(DataError) -> DataImport.Report {
        var written: [(symbol: String, path: String, rowCount: Int)] = []
        let barSize = barSize
        for index in tables.indices.sorted(by: { tables[$0].symbol < tables[$1].symbol }) {
            let name = Self.fileName(tables[index].symbol)
            guard OutputFolder.isFileName(name) else {
                findings.add(
                    .format,
                    "found the symbol \(DataError.quoted(tables[index].symbol)), which cannot "
                        + "be a file's name")
                continue
            }
            guard let bars = bars(of: tables[index].rows, barSize: barSize) else { continue }
            let path = OutputFolder.path(name + settings.ending, in: folder)
            try write(bars, to: path)
            written.append((name, path, bars.rows.count))
        }
        return DataImport.Report(
            path: file.path, shape: layout.shape.rawValue, written: written, findings: findings,
            emptyCount: emptyCount)
    }

    /// How long bars that are no sessions last: as declared, or by the symbol with most rows.
    private var barSize: Duration? {
        guard !isDated else { return nil }
        if let given = settings.source.barSize { return given }
        let longest = tables.max { $0.rows.count < $1.rows.count }
        return StepCount((longest?.rows ?? []).map(\.bar).sorted { $0.start < $1.start })
            .mostFrequent
    }

    /// One symbol's rows, ready to be written.
    private struct Bars {
        var rows: [Row]
        /// Whether times are dates.
        var isDated: Bool
        /// How long bars last, if they are no sessions and it is known.
        var barSize: Duration?
    }

    /// The rows in time order, each at its bar's start; `nil` when the starts cannot be known.
    private mutating func bars(of rows: [Row], barSize: Duration?) -> Bars? {
        let source = settings.source
        let placed = rows.map { row in
            var row = row
            if isDated { row.bar.start = source.calendar.open(on: row.day) }
            return row
        }
        let order = placed.indices.sorted {
            (placed[$0].bar.start, $0) < (placed[$1].bar.start, $1)
        }
        var bars = Bars(rows: order.map { placed[$0] }, isDated: isDated, barSize: nil)
        guard !isDated else { return bars }
        let stamped = bars.rows.map(\.bar)
        let steps = StepCount(stamped)
        if let days = DailyStamps.days(of: stamped, steps, declared: source.barSize, source) {
            for index in bars.rows.indices {
                bars.rows[index].bar.start = source.calendar.open(on: days[index])
            }
            bars.isDated = true
            return bars
        }
        if DailyStamps.areOdd(steps, declared: source.barSize, source), let first = stamped.first {
            findings.add(
                .barSize,
                DailyStamps.finding(first, source.calendar)
                    + ": write dates alone, give --stamp end for times of the close, or --bar-size")
            return nil
        }
        bars.barSize = barSize
        if let barSize, source.stamp == .end {
            for index in bars.rows.indices {
                bars.rows[index].bar.start = bars.rows[index].bar.start - barSize
            }
        }
        return bars
    }

    private func write(_ bars: Bars, to path: String) throws(DataError) {
        var text = BarText(isDated: bars.isDated, calendar: settings.source.calendar)
        let hasVolume = layout.columns[.volume] != nil
        let hasAdjusted = !settings.isAdjusting && layout.columns[.adjusted] != nil
        let hasDividend = !settings.isAdjusting && layout.columns[.dividend] != nil
        let hasSplit = !settings.isAdjusting && layout.columns[.split] != nil
        let columns = [
            hasVolume ? "volume" : nil, hasAdjusted ? "adj_close" : nil,
            hasDividend ? "dividend" : nil, hasSplit ? "split" : nil,
        ]
        var output = try OutputFile(path: path)
        try output.write(text.header(columns.compactMap(\.self), barSize: bars.barSize))
        for row in bars.rows {
            let bar = settings.isAdjusting ? Self.adjusted(row) : row.bar
            var line = text.stamp(bar.start) + "," + text.prices(bar)
            if hasVolume { line += ",\(bar.volume)" }
            if hasAdjusted { line += "," + (row.adjusted.map(OddNumber.text) ?? "") }
            if hasDividend { line += "," + OddNumber.text(row.dividend) }
            if hasSplit {
                line += "," + OddNumber.text(row.split == 0 ? Quantity.unitsPerOne : row.split)
            }
            try output.write(line + "\n")
        }
        try output.finish()
    }

    /// The bar times adjusted close / close, each price rounded half to even.
    private static func adjusted(_ row: Row) -> BarRow {
        guard let adjusted = row.adjusted else { return row.bar }
        func scaled(_ price: Price) -> Price {
            let product = Int128(price.units) * Int128(adjusted)
            let divisor = Int128(row.bar.close.units)
            var (quotient, remainder) = product.quotientAndRemainder(dividingBy: divisor)
            if 2 * remainder > divisor || (2 * remainder == divisor && quotient % 2 == 1) {
                quotient += 1
            }
            return Price(units: Int64(clamping: max(1, quotient)))
        }
        var bar = row.bar
        bar.open = scaled(bar.open)
        bar.high = scaled(bar.high)
        bar.low = scaled(bar.low)
        bar.close = scaled(bar.close)
        return bar
    }

    /// The symbol as files are called: `BRK.B` for `BRK B` and `BRK/B`.
    private static func fileName(_ symbol: String) -> String {
        String(symbol.uppercased().map { $0 == " " || $0 == "/" ? "." : $0 })
    }
}
