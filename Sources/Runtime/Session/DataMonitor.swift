import MarketState
import Model
import Primitives

/// Watches that every instrument's data come: what is refused or stays away is reported and asked for again.
struct DataMonitor: Sendable {
    private let instruments: [InstrumentID]
    private let calendar: SessionCalendar
    /// When something came last, or was asked for.
    private var newest: [Timestamp]
    /// When to ask again; `nil` for instruments whose data come.
    private var retries: [Timestamp?]
    private var reports: [ConditionReport] = []

    /// How long nothing may come while the market is open: bars of five seconds come even when nothing trades.
    static let silenceMax = Duration.seconds(30)
    /// How long after an alarm data are asked for again, while none come.
    static let retryInterval = Duration.seconds(60)

    init(_ instruments: [InstrumentID], _ calendar: SessionCalendar) {
        self.instruments = instruments
        self.calendar = calendar
        newest = instruments.map { _ in .distantPast }
        retries = instruments.map { _ in nil }
    }

    /// Takes in that all data were asked for.
    mutating func began(at now: Timestamp) { newest = newest.map { _ in now } }

    /// Takes in that something came of an instrument.
    mutating func received(_ instrument: InstrumentID, at now: Timestamp) {
        let index = Int(instrument.index)
        newest[index] = now
        guard retries[index] != nil else { return }
        retries[index] = nil
        reports.append(ConditionReport(.dataMissing, isPresent: false, of: instrument))
    }

    /// Takes in that an instrument's data do not come.
    ///
    /// - Parameter code: the gateway's; 0 where they stay away without a word.
    mutating func lacks(_ instrument: InstrumentID, code: Int, at now: Timestamp) {
        let index = Int(instrument.index)
        if retries[index] == nil {
            reports.append(
                ConditionReport(.dataMissing, isPresent: true, of: instrument, value: Int64(code)))
        }
        retries[index] = now + Self.retryInterval
    }

    /// The instruments whose data are to be asked for again: they have been silent for too long while the market is
    /// open.
    mutating func takeSilent(at now: Timestamp) -> [InstrumentID] {
        guard let open = calendar.session(containing: now)?.open else { return [] }
        var silent: [InstrumentID] = []
        for (index, instrument) in instruments.enumerated() {
            if let retry = retries[index] {
                guard now >= retry else { continue }
            } else {
                guard now - max(newest[index], open) > Self.silenceMax else { continue }
            }
            lacks(instrument, code: 0, at: now)
            silent.append(instrument)
        }
        return silent
    }

    /// Takes what began and ended.
    mutating func takeReports() -> [ConditionReport] {
        defer { reports.removeAll() }
        return reports
    }
}
