import Primitives

/// A run on one screen: at most 80 columns and 24 lines.
package enum TerminalSummary {
    private static let columnsMax = 80
    private static let linesMax = 24
    private static let labelWidth = 17
    private static let figureWidth = 38
    private static let itemsMax = 3
    private static let warningsMax = 2

    /// A name and what stands behind it.
    private struct Figure {
        let label: String
        let value: String

        init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// The screen, every line ended by LF.
    ///
    /// - Parameters:
    ///   - summary: the figures of the same record.
    ///   - unicode: whether the terminal shows more than ASCII.
    package static func text(
        of record: RunRecord, summary: PerformanceSummary, unicode: Bool
    ) -> String {
        // With several strategies, theirs are the lines that other lists give up.
        let isShared = summary.strategies.count > 1
        let sections = [
            heading(record, summary), figures(record, summary), equity(record, unicode: unicode),
            strategies(record, summary), positions(record, max: isShared ? 2 : itemsMax),
            refusals(record, max: isShared ? 1 : itemsMax), halts(record), warnings(record),
        ].filter { !$0.isEmpty }
        let lineCount = sections.reduce(sections.count - 1) { $0 + $1.count }
        let gap = lineCount <= linesMax ? "\n" : ""
        return sections.map { lines in
            lines.map { clipped(printable($0, unicode: unicode)) + "\n" }.joined()
        }.joined(separator: gap)
    }

    private static func heading(_ record: RunRecord, _ summary: PerformanceSummary) -> [String] {
        var counts = [
            "\(grouped(summary.sessionCount)) sessions",
            "\(grouped(record.instruments.count)) symbols",
        ]
        if record.tickCount > 0 { counts.append("\(grouped(record.tickCount)) ticks") }
        if record.barCount > 0 || record.tickCount == 0 {
            counts.append("\(grouped(record.barCount)) bars")
        }
        return [
            record.strategies.joined(separator: ", "),
            "\(record.from.day) to \(record.to.day), \(counts.joined(separator: ", "))",
        ]
    }

    private static func figures(_ record: RunRecord, _ summary: PerformanceSummary) -> [String] {
        let figures =
            zip(accountFigures(record, summary), tradingFigures(summary)).map { [$0, $1] }
            + [benchmarkFigures(summary)].filter { !$0.isEmpty }
        return figures.map { row in row.map(pair).joined(separator: "  ") }
    }

    private static func accountFigures(
        _ record: RunRecord, _ summary: PerformanceSummary
    ) -> [Figure] {
        let returns = summary.returns
        return [
            Figure("Starting capital", amount(record.startingCapital)),
            Figure("Final equity", amount(record.finalEquity)),
            Figure("Total return", percent(summary.totalReturn)),
            Figure("CAGR", percent(returns.cagr)),
            Figure("Volatility", percent(returns.volatility)),
            Figure("Sharpe", ratio(returns.sharpe)), Figure("Sortino", ratio(returns.sortino)),
            Figure("Calmar", ratio(summary.calmar)),
            Figure("Max drawdown", percent(summary.deepestDrawdown)),
            Figure(
                "High to low",
                summary.maxDrawdown.map { "\($0.from.day) to \($0.to.day)" } ?? "n/a"),
            Figure("Under water", underWater(summary.drawdowns)),
            Figure("Exposure", percent(summary.exposure)),
        ]
    }

    private static func tradingFigures(_ summary: PerformanceSummary) -> [Figure] {
        let (trades, periods) = (summary.trades, summary.periods)
        return [
            Figure("Orders", grouped(summary.orderCount)),
            Figure("Fills", grouped(summary.fillCount)),
            Figure("Round trips", grouped(trades.count)),
            Figure("Win rate", percent(trades.winRate)),
            Figure("Profit factor", ratio(trades.profitFactor)),
            Figure("Expectancy", amount(trades.expectancy)),
            Figure("Best trip", amount(trades.best)), Figure("Worst trip", amount(trades.worst)),
            Figure("Commissions", amount(summary.commissions)),
            Figure("Best day", day(periods.bestDay)), Figure("Worst day", day(periods.worstDay)),
            Figure("Worst month", month(periods.worstMonth)),
        ]
    }

    private static func benchmarkFigures(_ summary: PerformanceSummary) -> [Figure] {
        guard let comparison = summary.comparison else { return [] }
        return [
            Figure(
                summary.benchmarkSymbol ?? "Benchmark",
                "CAGR " + percent(comparison.benchmarkCAGR)),
            Figure(
                "Alpha, beta", percent(comparison.alpha) + ", " + ratio(comparison.beta)),
        ]
    }

    private static func underWater(_ drawdowns: Drawdowns) -> String {
        let longest = drawdowns.longestDays.map { ", \(grouped($0)) day\($0 == 1 ? "" : "s") max" }
        return percent(drawdowns.underWater) + (longest ?? "")
    }

    private static func day(_ daily: DailyReturn?) -> String {
        daily.map { "\($0.day) \(percent($0.value))" } ?? "n/a"
    }

    private static func month(_ period: PeriodReturn?) -> String {
        period.map { "\($0.name) \(percent($0.value))" } ?? "n/a"
    }

    private static func equity(_ record: RunRecord, unicode: Bool) -> [String] {
        guard !record.equity.isEmpty else { return [] }
        let curve = Sparkline.text(record.equity.map { $0.equity }, unicode: unicode)
        return list("Equity \(record.currency)", [curve], of: 1)
    }

    /// Each by its own ledger, when there are several.
    private static func strategies(
        _ record: RunRecord, _ summary: PerformanceSummary
    ) -> [String] {
        guard summary.strategies.count > 1 else { return [] }
        let lines = summary.strategies.prefix(itemsMax).map { strategy in
            """
            \(record.name(of: strategy.strategy)) \(amount(strategy.record.netProfit)), \
            \(grouped(strategy.trades.count)) trips, won \(percent(strategy.trades.winRate)), \
            exposed \(percent(strategy.exposure))
            """
        }
        return list("Strategies", lines, of: summary.strategies.count)
    }

    /// The largest by value.
    private static func positions(_ record: RunRecord, max: Int) -> [String] {
        let largest = record.openPositions.enumerated().sorted {
            let (first, second) = (
                $0.element.marketValue.magnitude, $1.element.marketValue.magnitude
            )
            return first != second ? first > second : $0.offset < $1.offset
        }.prefix(max)
        let lines = largest.map { _, position in
            """
            \(record.symbol(of: position.instrument)) \(position.quantity) \
            at \(position.averagePrice), worth \(amount(position.marketValue)), \
            \(record.name(of: position.strategy))
            """
        }
        return list("Open", lines, of: record.openPositions.count)
    }

    /// The most frequent.
    private static func refusals(_ record: RunRecord, max: Int) -> [String] {
        let frequent = record.refusals.enumerated().sorted {
            let (first, second) = ($0.element.count, $1.element.count)
            return first != second ? first > second : $0.offset < $1.offset
        }.prefix(Swift.max(0, max - halts(record).count))
        let lines = frequent.map { "\(grouped($1.count)) x \($1.reason)" }
        return list("Refused", lines, of: record.refusals.count)
    }

    /// The newest breach and whether entries were still halted at the end, in one line at most.
    private static func halts(_ record: RunRecord) -> [String] {
        var parts = record.breaches.suffix(1).map { breach in
            switch breach.figures {
            case .percent(let limit, let value):
                "\(breach.at.day) \(breach.cause) \(twoDecimals(value))% of \(limit)%"
            case .amount(let limit, let value):
                "\(breach.at.day) \(breach.cause) \(amount(value)) of \(amount(limit))"
            }
        }
        if !record.haltCauses.isEmpty { parts.append("halted at the end") }
        guard !parts.isEmpty else { return [] }
        return list(
            "Halts", [parts.joined(separator: "; ")], of: max(record.breaches.count, 1))
    }

    private static func twoDecimals(_ percent: Percent) -> Percent {
        let step = Percent.unitsPerOne / 100
        return Percent(units: percent.units / step * step)
    }

    private static func warnings(_ record: RunRecord) -> [String] {
        list("Warnings", Array(record.warnings.prefix(warningsMax)), of: record.warnings.count)
    }

    /// Lines behind a label, which says so when they are not all.
    private static func list(_ name: String, _ lines: [String], of total: Int) -> [String] {
        let label = lines.count < total ? "\(name) \(lines.count)/\(total)" : name
        return lines.enumerated().map { position, line in
            padded(position == 0 ? label : "", to: labelWidth) + line
        }
    }

    private static func pair(_ figure: Figure) -> String {
        padded(figure.label, to: figureWidth - figure.value.count) + figure.value
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func percent(_ fraction: Double?) -> String {
        fraction.map { decimal($0 * 100) + "%" } ?? "n/a"
    }

    private static func ratio(_ ratio: Double?) -> String { ratio.map(decimal) ?? "n/a" }

    private static func amount(_ money: Money?) -> String {
        money.map { grouped($0.roundedToCents.description) } ?? "n/a"
    }

    private static func decimal(_ number: Double) -> String {
        var digits: [UInt8] = []
        digits.append(number, decimals: 2)
        return String(decoding: digits, as: UTF8.self)
    }

    /// A count with a comma between thousands.
    static func grouped(_ count: Int) -> String { grouped(String(count)) }

    /// A decimal number with a comma between thousands.
    private static func grouped(_ number: String) -> String {
        let whole = number.prefix { $0 != "." }
        var grouped = ""
        for (position, character) in whole.enumerated() {
            let remainingDigits = whole.count - position
            if remainingDigits.isMultiple(of: 3), grouped.last?.isNumber == true {
                grouped.append(",")
            }
            grouped.append(character)
        }
        return grouped + number.dropFirst(whole.count)
    }

    /// The text without anything a terminal would act on: control and formatting characters.
    private static func printable(_ text: String, unicode: Bool) -> String {
        var printable = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: continue
            default: printable.append(unicode || scalar.isASCII ? scalar : "?")
            }
        }
        return String(printable)
    }

    /// The text, cut where it would pass the last column.
    private static func clipped(_ text: String) -> String {
        guard columns(text) > columnsMax else { return text }
        var clipped = ""
        for character in text {
            guard columns(clipped) + columns(String(character)) <= columnsMax - 3 else { break }
            clipped.append(character)
        }
        return clipped + "..."
    }

    /// Columns a terminal may use: two for what could be a wide character.
    private static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + ($1.isASCII || Sparkline.blocks.contains($1) ? 1 : 2) }
    }
}

/// A curve of one line.
enum Sparkline {
    /// The levels, lowest first.
    static let blocks = Array("▁▂▃▄▅▆▇█")
    /// The same for terminals without them.
    static let marks = Array("_.:-=+*#")
    /// The most characters it takes.
    static let bucketsMax = 60

    /// The last value of each of up to 60 equal parts of the curve, between its own lowest and
    /// highest; a flat curve is drawn in the middle.
    static func text(_ curve: [Money], unicode: Bool) -> String {
        let bucketCount = min(curve.count, bucketsMax)
        let values = (0..<bucketCount).map { curve[($0 + 1) * curve.count / bucketCount - 1] }
        let levels = unicode ? blocks : marks
        guard let low = values.min(), let high = values.max(), low < high else {
            return String(repeating: levels[levels.count / 2 - 1], count: bucketCount)
        }
        let range = Int128(high.units) - Int128(low.units)
        return String(
            values.map { value in
                let level = (Int128(value.units) - Int128(low.units)) * Int128(levels.count) / range
                return levels[min(Int(level), levels.count - 1)]
            })
    }
}
