import Model
import Primitives

/// Counts the bars that strategies were shown of each instrument: one with fewer than they ask for to begin with is not
/// entered, unless the user allows it, until enough have come.
struct WarmupReview: Sendable {
    private let instruments: [InstrumentID]
    private let asked: Int
    private let allowsPartial: Bool
    /// How many bars were shown of those with too few; `nil` for others.
    private var have: [Int?]
    /// How often the history of each was asked for since the connection began.
    private var askedCounts: [Int]
    private var events: [Event.Kind] = []
    private var reports: [ConditionReport] = []

    /// How often history is asked for that does not come.
    static let askedMax = 3

    /// - Parameters:
    ///   - instruments: those that are traded.
    ///   - count: how many the run has.
    ///   - asked: how many bars strategies want.
    init(_ instruments: [InstrumentID], of count: Int, asked: Int, allowsPartial: Bool) {
        self.instruments = instruments
        self.asked = asked
        self.allowsPartial = allowsPartial
        have = Array(repeating: nil, count: count)
        askedCounts = Array(repeating: 0, count: count)
    }

    /// Takes in that all history is asked for.
    mutating func began() { askedCounts = askedCounts.map { _ in 1 } }

    /// True if an instrument's history may be asked for once more, which then counts.
    mutating func mayAskAgain(_ instrument: InstrumentID) -> Bool {
        let index = Int(instrument.index)
        guard askedCounts[index] < Self.askedMax else { return false }
        askedCounts[index] += 1
        return true
    }

    /// How many bars there were of those with too few.
    var counts: [(instrument: InstrumentID, count: Int)] {
        instruments.compactMap { instrument in
            have[Int(instrument.index)].map { (instrument, $0) }
        }
    }

    /// Takes in the past bars that strategies are shown to begin with.
    mutating func completed(_ bars: [Bar]) {
        for instrument in instruments {
            note(instrument, bars.count { $0.instrument == instrument })
        }
    }

    /// Goes on with what an earlier process has counted.
    mutating func resume(with counts: [InstrumentID: Int]) {
        for instrument in instruments { counts[instrument].map { note(instrument, $0) } }
    }

    private mutating func note(_ instrument: InstrumentID, _ count: Int) {
        events.append(
            .historyComplete(HistoryCoverage(have: count, asked: asked, of: instrument)))
        guard count < asked else { return }
        have[Int(instrument.index)] = count
        guard !allowsPartial else { return }
        reports.append(
            ConditionReport(
                .historyMissing, isPresent: true, of: instrument, value: Int64(count)))
    }

    /// Takes in that strategies are shown one more bar.
    mutating func shown(_ instrument: InstrumentID) {
        guard let count = have[Int(instrument.index)] else { return }
        let isEnough = count + 1 >= asked
        have[Int(instrument.index)] = isEnough ? nil : count + 1
        guard isEnough, !allowsPartial else { return }
        reports.append(ConditionReport(.historyMissing, isPresent: false, of: instrument))
    }

    /// Takes what strategies are to be told.
    mutating func takeEvents() -> [Event.Kind] {
        defer { events.removeAll() }
        return events
    }

    /// Takes what has begun and ended.
    mutating func takeReports() -> [ConditionReport] {
        defer { reports.removeAll() }
        return reports
    }
}
