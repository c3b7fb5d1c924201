internal import MarketState
import Model
internal import Primitives

/// Looks for prices and volumes that do not fit their neighbours.
///
/// The measure is the median of the absolute returns, once of the whole file (of at most 20,000 returns
/// spread evenly over it) and once of the 40 bars around, times 1.4826, which makes it a standard
/// deviation if returns are normal. Nothing a single wrong price can pull along.
struct PriceCheck {
    /// How many deviations a jump must have, by the file's measure and by its surroundings'.
    static let spikeDeviations = 8.0
    /// How much of a jump may be left when it has come back.
    static let spikeRemainder = 0.25
    /// The smallest jump that is reported: 1 %.
    static let spikeMin = 0.01
    /// How much less than usual a session's volume must be: a fiftieth.
    static let lowVolumeShare = 0.02

    private let series: CheckedSeries
    private let deviation: Double
    private static let sampleMax = 20_000
    private static let neighbours = 20

    init(_ series: CheckedSeries) {
        self.series = series
        let count = series.rows.count
        let step = max(1, count / Self.sampleMax)
        let sample = stride(from: 1, to: max(1, count), by: step).compactMap { index in
            Self.change(series.rows, index).map { abs($0) }
        }
        deviation = Self.deviation(sample)
    }

    /// Adds what is found.
    func check(hasVolume: Bool, into findings: inout FindingList) {
        checkJumps(&findings)
        checkWicks(&findings)
        checkActions(&findings)
        checkStale(&findings)
        if hasVolume { checkVolumes(&findings) }
    }

    // MARK: Spikes and splits

    private func checkJumps(_ findings: inout FindingList) {
        let rows = series.rows
        let threshold = max(Self.spikeMin, Self.spikeDeviations * deviation)
        var lastSpike = 0
        for index in rows.indices.dropFirst() {
            guard let change = Self.change(rows, index) else { continue }
            if abs(change) > threshold, index + 1 < rows.count, isSpike(index, change) {
                findings.add(
                    .spike, line: Int(series.lines[index]),
                    "found close \(rows[index].close) at \(name(index)) between "
                        + "\(rows[index - 1].close) and \(rows[index + 1].close)")
                lastSpike = index
            } else if index - 1 == lastSpike, lastSpike > 0 {
                // The way back.
                continue
            } else if abs(change) > PriceJump.splitMin || isOpenFar(index) {
                checkJump(index, &findings)
            }
        }
    }

    private func isSpike(_ index: Int, _ change: Double) -> Bool {
        let rows = series.rows
        guard rows[index + 1].isPriced else { return false }
        let before = Double(rows[index - 1].close.units)
        let remainder = Double(rows[index + 1].close.units) / before - 1
        return abs(remainder) <= Self.spikeRemainder * abs(change)
            && abs(change) > Self.spikeDeviations * localDeviation(index)
    }

    private func isOpenFar(_ index: Int) -> Bool {
        let change =
            Double(series.rows[index].open.units) / Double(series.rows[index - 1].close.units) - 1
        return abs(change) > PriceJump.splitMin
    }

    /// A row that lies a split's ratio from the close before and begins a day, or a change of unit.
    private func checkJump(_ index: Int, _ findings: inout FindingList) {
        guard splitRatio(index) == nil else { return }
        let rows = series.rows
        if let scale = PriceJump.scale(bars(index)) {
            findings.add(
                .scale, line: Int(series.lines[index]),
                "found open \(rows[index].open) at \(name(index)) behind close "
                    + "\(rows[index - 1].close): \(scale), like prices in another unit")
        } else if isOvernight(index), let split = PriceJump.split(bars(index)) {
            findings.add(
                .split, line: Int(series.lines[index]),
                "found open \(rows[index].open) at \(name(index)) behind close "
                    + "\(rows[index - 1].close): like a split \(split) that no column names")
        }
    }

    private func bars(_ index: Int) -> PriceJump.Bars {
        let row = series.rows[index]
        return PriceJump.Bars(
            before: series.rows[index - 1].close, open: row.open, close: row.close,
            dividend: dividend(index) ?? .zero)
    }

    // MARK: Open, high and low

    private func checkWicks(_ findings: inout FindingList) {
        let check = WickCheck(series.rows, threshold: Self.spikeDeviations * deviation)
        for index in series.rows.indices {
            let wicks = check.wicks(index)
            guard !wicks.isEmpty else { continue }
            let local = Self.spikeDeviations * localDeviation(index)
            for wick in wicks {
                let distance = Double(wick.price.units) / Double(wick.nearest.units)
                guard max(distance, 1 / distance) > 1 + local else { continue }
                findings.add(
                    .spike, line: Int(series.lines[index]),
                    "found \(wick.name) \(wick.price) at \(name(index)), and nothing nearer than "
                        + "\(wick.nearest) in the bar and beside it")
            }
        }
    }

    // MARK: Splits and dividends

    private func checkActions(_ findings: inout FindingList) {
        guard !series.actions.isEmpty else { return }
        let paid = series.rows.indices.compactMap { dividend($0) }.map { Double($0.units) }
        let usual = Self.median(paid)
        for index in series.rows.indices.dropFirst() {
            guard series.actions[series.lines[index]] != nil, series.rows[index].isPriced,
                series.rows[index - 1].isPriced
            else { continue }
            checkNamedSplit(index, &findings)
            checkDividend(index, usual: usual, &findings)
        }
    }

    /// A split that a column names, but whose jump the prices do not have: they were adjusted for it.
    private func checkNamedSplit(_ index: Int, _ findings: inout FindingList) {
        guard let ratio = splitRatio(index), PriceJump.lacksSplit(bars(index), ratio: ratio) else {
            return
        }
        findings.add(
            .split, line: Int(series.lines[index]),
            "the split column says \(ratio) at \(name(index)), but the price went from "
                + "\(series.rows[index - 1].close) to \(series.rows[index].open): these prices "
                + "are adjusted for splits")
    }

    /// A dividend of a tenth of the price or more, or far above the file's others, by which the price did
    /// not fall: probably in another unit.
    private func checkDividend(_ index: Int, usual: Double, _ findings: inout FindingList) {
        guard let dividend = dividend(index), splitRatio(index) == nil else { return }
        let before = Double(series.rows[index - 1].close.units)
        let amount = Double(dividend.units)
        let isLarge = amount > Self.dividendLarge * before
        let isUnusual =
            amount > Self.dividendNotable * before && amount > Self.dividendUnusual * usual
        guard isLarge || isUnusual else { return }
        let drop = before - Double(series.rows[index].open.units)
        guard amount >= before || drop < amount / 2 else { return }
        findings.add(
            .dividend, line: Int(series.lines[index]),
            "found a dividend of \(dividend) at \(name(index)) behind close "
                + "\(series.rows[index - 1].close), and open \(series.rows[index].open), which did "
                + "not fall by it")
    }

    /// The part of the price above which a dividend is doubted.
    private static let dividendLarge = 0.1
    /// The part of the price below which none is.
    private static let dividendNotable = 0.02
    /// How many times the file's usual dividend one between is doubted at.
    private static let dividendUnusual = 20.0

    private func dividend(_ index: Int) -> Price? {
        guard !series.actions.isEmpty, let actions = series.actions[series.lines[index]] else {
            return nil
        }
        for case .dividend(let amount) in actions { return amount }
        return nil
    }

    // MARK: Repeats

    /// Bars that repeat the one before to the last share. A bar without any range may do so by chance.
    private func checkStale(_ findings: inout FindingList) {
        let rows = series.rows
        var first = 0
        for index in 1..<max(1, rows.count + 1) {
            if index < rows.count, Self.repeats(rows[index], rows[index - 1]) { continue }
            defer { first = index }
            let repeats = index - first - 1
            guard repeats >= repeatsMin(rows[first]) else { continue }
            findings.add(
                .stale, line: Int(series.lines[first + 1]), count: repeats,
                "found the bar of \(name(first)) again at \(name(first + 1))"
                    + (repeats == 1 ? "" : " and in the \(repeats - 1) bars behind")
                    + ", to the last share")
        }
    }

    /// Fewer shares may be traded twice by chance.
    private static let repeatedVolumeMin = Quantity(shares: 1_000)

    private static func repeats(_ row: BarRow, _ other: BarRow) -> Bool {
        row.close == other.close && row.volume == other.volume && row.open == other.open
            && row.high == other.high && row.low == other.low
    }

    /// How often a bar must be repeated to be doubted.
    private func repeatsMin(_ row: BarRow) -> Int {
        guard row.isPriced, row.volume == .zero || row.volume >= Self.repeatedVolumeMin else {
            return .max
        }
        if row.high > row.low, row.volume > .zero { return series.isDated ? 1 : 2 }
        // Without a trade prices stay, as they do in thin trading.
        return series.isDated ? 4 : .max
    }

    private func splitRatio(_ index: Int) -> Quantity? {
        guard let actions = series.actions[series.lines[index]] else { return nil }
        for case .split(let ratio) in actions { return ratio }
        return nil
    }

    private func isOvernight(_ index: Int) -> Bool {
        let calendar = series.calendar
        return calendar.day(of: series.rows[index].start)
            != calendar.day(of: series.rows[index - 1].start)
    }

    // MARK: Volume

    private func checkVolumes(_ findings: inout FindingList) {
        let rows = series.rows
        let zeros = rows.indices.filter { rows[$0].volume == .zero && rows[$0].isPriced }
        if let first = zeros.first, zeros.count == rows.count {
            return findings.add(
                .zeroVolume, line: Int(series.lines[first]), count: zeros.count,
                "found no volume in any bar: an index, or a source without volume")
        }
        for run in Self.runs(zeros) {
            findings.add(
                .zeroVolume, line: Int(series.lines[run.lowerBound]), count: run.count,
                "found no volume at \(name(run.lowerBound))"
                    + (run.count == 1 ? "" : " and in the \(run.count - 1) bars behind"))
        }
        guard series.isDated else { return }
        for index in rows.indices where rows[index].volume > .zero {
            checkLowVolume(index, &findings)
        }
    }

    private func checkLowVolume(_ index: Int, _ findings: inout FindingList) {
        let volume = Double(series.rows[index].volume.units)
        let around = neighbourhood(index).filter { $0 != index }
        // Most files have no such day: a neighbour with fifty times the volume is a cheap first test.
        guard let next = around.last,
            volume < Self.lowVolumeShare * Double(series.rows[next].volume.units) * 4
        else { return }
        let usual = Self.median(around.map { Double(series.rows[$0].volume.units) })
        guard volume < Self.lowVolumeShare * usual else { return }
        findings.add(
            .lowVolume, line: Int(series.lines[index]),
            "found volume \(series.rows[index].volume) at \(name(index)), less than a fiftieth of "
                + "the usual \(Int(usual / Double(Quantity.unitsPerOne)))")
    }

    /// Neighbouring numbers as ranges.
    private static func runs(_ indexes: [Int]) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for index in indexes {
            if let last = runs.last, last.upperBound + 1 == index {
                runs[runs.count - 1] = last.lowerBound...index
            } else {
                runs.append(index...index)
            }
        }
        return runs
    }

    // MARK: Measures

    private func neighbourhood(_ index: Int) -> Range<Int> {
        max(0, index - Self.neighbours)..<min(series.rows.count, index + Self.neighbours + 1)
    }

    /// The deviation of the returns around, without the jump and its way back.
    private func localDeviation(_ index: Int) -> Double {
        Self.deviation(
            neighbourhood(index).compactMap { lineIndex in
                guard lineIndex > 0, lineIndex != index, lineIndex != index + 1 else { return nil }
                return Self.change(series.rows, lineIndex).map { abs($0) }
            })
    }

    /// The relative change of the close, where both can be used.
    private static func change(_ rows: [BarRow], _ index: Int) -> Double? {
        guard rows[index].isPriced, rows[index - 1].isPriced else { return nil }
        return Double(rows[index].close.units) / Double(rows[index - 1].close.units) - 1
    }

    private static func deviation(_ magnitudes: [Double]) -> Double { 1.4826 * median(magnitudes) }

    /// The middle value, the upper of two; zero of none.
    private static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    private func name(_ index: Int) -> String {
        StampName.text(series.rows[index].start, isDated: series.isDated, series.calendar)
    }
}
