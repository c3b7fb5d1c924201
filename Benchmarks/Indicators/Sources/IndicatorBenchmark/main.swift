// W5: six indicators over 10,000,000 numbers into buffers that are kept, ns a value, least of the
// rounds; and what one update of each costs in a stream of prices or bars.
//
//     IndicatorBenchmark [COUNT] [ROUNDS]
//
// The C program keeps its arrays in huge pages. So does this one, by the C library's leave:
//
//     GLIBC_TUNABLES=glibc.malloc.hugetlb=1 IndicatorBenchmark
//
// The last line is JSON as Benchmarks/Peers/compare.py reads it. Ends with 1 when a last value is
// not the one of the C program (which is known for 10,000,000 numbers).
import Foundation
import Model
import Primitives
import Signals

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let count = arguments.first ?? 10_000_000
let rounds = arguments.dropFirst().first ?? 5
precondition(count >= 100 && rounds > 0, "IndicatorBenchmark [COUNT >= 100] [ROUNDS]")

/// The least time of the rounds in ns, for each of `values`.
func measure(_ values: Int, _ body: () -> Void) -> Double {
    (0..<rounds).reduce(.infinity) { least, _ in
        let start = ContinuousClock.now
        body()
        return min(least, (ContinuousClock.now - start) / .nanoseconds(values))
    }
}

/// The time of one `update`, and a value that depends on all results, so that none is left out.
func measureUpdates<Kind: Indicator>(
    of indicator: Kind, with inputs: [Kind.Input], _ number: (Kind.Output) -> Double
) -> (ns: Double, sum: Double) {
    var sum = 0.0
    let time = measure(inputs.count) {
        var indicator = indicator
        for input in inputs {
            if let output = indicator.update(input) { sum += number(output) }
        }
    }
    return (time, sum)
}

let workload = Workload(count: count)
let closes = workload.closes
let columns = BarColumns(high: workload.highs, low: workload.lows, close: closes)
var results = [Double](repeating: 0, count: count)
var bands = BollingerBands.Columns(count: count)
var lines = MovingAverageConvergenceDivergence.Columns(count: count)
let last = count - 1

var found: [(name: String, ns: Double, last: Double)] = []
var time = measure(count) { SimpleMovingAverage(length: 30).fill(&results, from: closes) }
found.append(("SMA30", time, results[last]))
time = measure(count) { ExponentialMovingAverage(length: 30).fill(&results, from: closes) }
found.append(("EMA30", time, results[last]))
time = measure(count) { RelativeStrengthIndex(length: 14).fill(&results, from: closes) }
found.append(("RSI14", time, results[last]))
time = measure(count) { AverageTrueRange(length: 14).fill(&results, from: columns) }
found.append(("ATR14", time, results[last]))
time = measure(count) { BollingerBands(length: 20).fill(&bands, from: closes) }
found.append(("BBANDS20", time, bands.upper[last]))
time = measure(count) { MovingAverageConvergenceDivergence().fill(&lines, from: closes) }
found.append(("MACD", time, lines.line[last]))

let bars = workload.bars(count: min(count, 200_000))
let prices = bars.map(\.close)
var updates: [(name: String, cost: (ns: Double, sum: Double))] = []
updates.append(("SMA30", measureUpdates(of: SimpleMovingAverage(length: 30), with: prices) { $0 }))
updates.append(
    ("EMA30", measureUpdates(of: ExponentialMovingAverage(length: 30), with: prices) { $0 }))
updates.append(
    ("WMA30", measureUpdates(of: WeightedMovingAverage(length: 30), with: prices) { $0 }))
updates.append(
    ("RSI14", measureUpdates(of: RelativeStrengthIndex(length: 14), with: prices) { $0 }))
updates.append(("ATR14", measureUpdates(of: AverageTrueRange(length: 14), with: bars) { $0 }))
updates.append(
    ("BBANDS20", measureUpdates(of: BollingerBands(length: 20), with: prices) { $0.upper }))
updates.append(("ZSCORE20", measureUpdates(of: ZScore(length: 20), with: prices) { $0 }))
updates.append(
    ("MACD", measureUpdates(of: MovingAverageConvergenceDivergence(), with: prices) { $0.line }))
updates.append(
    ("ADX14", measureUpdates(of: AverageDirectionalIndex(length: 14), with: bars) { $0.plus }))
updates.append(
    ("STOCH14", measureUpdates(of: StochasticOscillator(length: 14), with: bars) { $0.percentK }))
updates.append(
    ("DONCHIAN20", measureUpdates(of: DonchianChannel(length: 20), with: bars) { $0.upper }))
updates.append(
    ("CCI20", measureUpdates(of: CommodityChannelIndex(length: 20), with: bars) { $0 }))
updates.append(("MFI14", measureUpdates(of: MoneyFlowIndex(length: 14), with: bars) { $0 }))

var wrong: [String] = []
for (name, _, last) in found where count == 10_000_000 {
    guard let expected = Workload.lastOfTenMillion[name] else { continue }
    // The C program moves one sum of squares through all numbers: its bands are good to nine
    // digits.
    if !(abs(last - expected) <= 1e-9 * max(abs(expected), 1)) {
        wrong.append("\(name): \(last), not \(expected)")
    }
}
for line in wrong { print(line) }
let sums = updates.reduce(0) { $0 + $1.cost.sum }
print("sum of all streamed results: \(sums)")
let perValue = found.map {
    String(format: "\"%@\":{\"ns\":%.3f,\"last\":%.12g}", $0.name, $0.ns, $0.last)
}
let perUpdate = updates.map { String(format: "\"%@\":%.3f", $0.name, $0.cost.ns) }
print(
    "{\"peer\":\"martlet\",\"n\":\(count),\"agrees\":\(wrong.isEmpty),"
        + "\"per_value\":{\(perValue.joined(separator: ","))},"
        + "\"per_update\":{\(perUpdate.joined(separator: ","))}}")
exit(wrong.isEmpty ? 0 : 1)
