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
    static let spikeRest = 0.25
    /// The smallest jump that is told: 1 %.
    static let spikeMin = 0.01
    /// How far prices may be from a split's ratio.
    static let splitTolerance = 0.03
    /// The smallest split that is looked for, 3:2, as a change of price.
    static let splitMin = 0.30
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
        checkSplitsWithoutJump(&findings)
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
            } else if abs(change) > Self.splitMin || isOpenFar(index) {
                checkSplit(index, &findings)
            }
        }
    }

    private func isSpike(_ index: Int, _ change: Double) -> Bool {
        let rows = series.rows
        guard rows[index + 1].isPriced else { return false }
        let before = Double(rows[index - 1].close.units)
        let rest = Double(rows[index + 1].close.units) / before - 1
        return abs(rest) <= Self.spikeRest * abs(change)
            && abs(change) > Self.spikeDeviations * localDeviation(index)
    }

    private func isOpenFar(_ index: Int) -> Bool {
        let change =
            Double(series.rows[index].open.units) / Double(series.rows[index - 1].close.units) - 1
        return abs(change) > Self.splitMin
    }

    /// A row whose open and close both lie a split's ratio from the close before, and which begins a day.
    private func checkSplit(_ index: Int, _ findings: inout FindingList) {
        let rows = series.rows
        guard splitRatio(index) == nil, isOvernight(index) else { return }
        let before = Double(rows[index - 1].close.units)
        let atOpen = before / Double(rows[index].open.units)
        let atClose = before / Double(rows[index].close.units)
        guard
            let match = Self.splits.first(where: {
                abs(atOpen / $0.ratio - 1) < Self.splitTolerance
            }),
            abs(atClose / match.ratio - 1) < 5 * Self.splitTolerance
        else { return }
        findings.add(
            .split, line: Int(series.lines[index]),
            "found open \(rows[index].open) at \(name(index)) behind close "
                + "\(rows[index - 1].close): like a split \(match.name) that no column names")
    }

    /// A split that a column names, but whose jump the prices do not have: they were adjusted for it.
    private func checkSplitsWithoutJump(_ findings: inout FindingList) {
        for index in series.rows.indices.dropFirst() {
            guard !series.actions.isEmpty else { return }
            guard let ratio = splitRatio(index), ratio > 1.4 || ratio < 0.7,
                series.rows[index].isPriced, series.rows[index - 1].isPriced
            else { continue }
            let before = Double(series.rows[index - 1].close.units)
            let jump = before / Double(series.rows[index].open.units)
            // Nearer to no jump than to the split's.
            guard abs(jump - 1) < abs(jump / ratio - 1) else { continue }
            findings.add(
                .split, line: Int(series.lines[index]),
                "the split column says \(Self.text(ratio)) at \(name(index)), but the price went from "
                    + "\(series.rows[index - 1].close) to \(series.rows[index].open): these prices "
                    + "are adjusted for splits")
        }
    }

    private func splitRatio(_ index: Int) -> Double? {
        guard let actions = series.actions[series.lines[index]] else { return nil }
        for case .split(let ratio) in actions {
            return Double(ratio.units) / Double(Quantity.unitsPerOne)
        }
        return nil
    }

    private func isOvernight(_ index: Int) -> Bool {
        let calendar = series.calendar
        return calendar.day(of: series.rows[index].start)
            != calendar.day(of: series.rows[index - 1].start)
    }

    /// Ratios of old to new price of the usual splits, forward and reverse.
    private static let splits: [(name: String, ratio: Double)] = {
        let forward = [
            (3, 2), (2, 1), (5, 2), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (10, 1),
            (15, 1),
            (20, 1), (25, 1), (50, 1),
        ]
        return forward.map { ("\($0.0):\($0.1)", Double($0.0) / Double($0.1)) }
            + forward.dropFirst().map { ("\($0.1):\($0.0)", Double($0.1) / Double($0.0)) }
    }()

    private static func text(_ ratio: Double) -> String {
        ratio == ratio.rounded() ? "\(Int(ratio))" : "\(ratio)"
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
            neighbourhood(index).compactMap { place in
                guard place > 0, place != index, place != index + 1 else { return nil }
                return Self.change(series.rows, place).map { abs($0) }
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
