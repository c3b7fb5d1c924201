import MarketState
import Model
import Primitives

/// Watches that every instrument's data come: what is refused or stays away is reported and asked for again.
struct DataMonitor: Sendable {
    private let instruments: [InstrumentID]
    private let calendar: SessionCalendar
    private let patience: Int64
    /// When something came last, or was asked for.
    private var newest: [Timestamp]
    /// When to ask again; `nil` for instruments whose data come.
    private var retries: [Timestamp?]
    /// How often was asked again without success.
    private var tries: [Int]
    /// The codes that were reported since an instrument's data stay away.
    private var codes: [Set<Int>]
    private var reports: [ConditionReport] = []

    /// How long nothing may come while the market is open: bars of five seconds come even when nothing trades.
    static let silenceMax = Duration.seconds(30)
    /// How long after an alarm data are asked for again, while none come: twice as long after each try.
    static let retryInterval = Duration.seconds(60)
    /// How long that becomes at most.
    static let retryIntervalMax = Duration.minutes(8)

    /// - Parameters:
    ///   - instruments: those that are traded.
    ///   - count: how many the run has.
    ///   - patience: how many times as long data may stay away.
    init(
        _ instruments: [InstrumentID], of count: Int, _ calendar: SessionCalendar, patience: Int64
    ) {
        self.instruments = instruments
        self.calendar = calendar
        self.patience = patience
        newest = Array(repeating: .distantPast, count: count)
        retries = Array(repeating: nil, count: count)
        tries = Array(repeating: 0, count: count)
        codes = Array(repeating: [], count: count)
    }

    /// Takes in that all data were asked for.
    mutating func began(at now: Timestamp) { newest = newest.map { _ in now } }

    /// Takes in that something came of an instrument.
    mutating func received(_ instrument: InstrumentID, at now: Timestamp) {
        let index = Int(instrument.index)
        newest[index] = now
        guard retries[index] != nil else { return }
        retries[index] = nil
        tries[index] = 0
        codes[index].removeAll()
        reports.append(ConditionReport(.dataMissing, isPresent: false, of: instrument))
    }

    /// When something came of an instrument, or was asked for; `nil` before.
    func newest(of instrument: InstrumentID) -> Timestamp? {
        let time = newest[Int(instrument.index)]
        return time > .distantPast ? time : nil
    }

    /// True while an instrument's data are missing.
    func isAway(_ instrument: InstrumentID) -> Bool { retries[Int(instrument.index)] != nil }

    /// Takes in that an instrument's data do not come. Each reason is reported once while they stay away.
    ///
    /// - Parameter code: the gateway's; 0 where they stay away without a word.
    mutating func lacks(_ instrument: InstrumentID, code: Int, at now: Timestamp) {
        let index = Int(instrument.index)
        let isNews = code == 0 ? retries[index] == nil : codes[index].insert(code).inserted
        if isNews {
            reports.append(
                ConditionReport(.dataMissing, isPresent: true, of: instrument, value: Int64(code)))
        }
        // A refusal answers the try that counts already.
        retries[index] = now + wait(behind: tries[index])
    }

    /// The instruments whose data are to be asked for again: they have been silent for too long while the market is
    /// open.
    mutating func takeSilent(at now: Timestamp) -> [InstrumentID] {
        let silenceMax = Self.silenceMax.times(patience)
        return takeSilent(at: now) { _, newest in now - newest > silenceMax }
    }

    /// The same, of streams that may be silent for good reasons.
    ///
    /// - Parameter isSilent: says whether an instrument's stream has been silent for too long, by when something came.
    mutating func takeSilent(
        at now: Timestamp, _ isSilent: (InstrumentID, Timestamp) -> Bool
    ) -> [InstrumentID] {
        if PlantedBug.silenceIgnored.isPlanted || PlantedBug.subscriptionsLost.isPlanted {
            return []
        }
        guard let open = calendar.session(containing: now)?.open else { return [] }
        var silent: [InstrumentID] = []
        for instrument in instruments {
            let index = Int(instrument.index)
            if let retry = retries[index] {
                guard now >= retry else { continue }
            } else {
                guard isSilent(instrument, max(newest[index], open)) else { continue }
            }
            lacks(instrument, code: 0, at: now)
            tries[index] += 1
            silent.append(instrument)
        }
        return silent
    }

    private func wait(behind tries: Int) -> Duration {
        let nanoseconds = Self.retryInterval.nanoseconds << Int64(min(tries, 3))
        return min(Duration(nanoseconds: nanoseconds), Self.retryIntervalMax).times(patience)
    }

    /// Takes what began and ended.
    mutating func takeReports() -> [ConditionReport] {
        defer { reports.removeAll() }
        return reports
    }
}
