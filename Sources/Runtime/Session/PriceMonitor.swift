import Model
import Primitives

/// Admits prices that are near the last one known. What jumps beyond the band waits, and its bars come from history,
/// until history or the stream itself is where it was: a stream that lies by a constant offset makes no order, and a
/// real gap passes once history shows it.
struct PriceMonitor: Sendable {
    private let instruments: [InstrumentID]
    /// The last price admitted, by instrument; `nil` before the first.
    private var known: [Price?]
    /// The newest price that was not admitted; `nil` while all are.
    private var doubted: [Price?]
    /// When the stream is asked for anew, while it is doubted.
    private var renewals: [Timestamp?]
    private var reports: [ConditionReport] = []

    /// How far a price may be from the last one: a tenth of it.
    static let band = 10
    /// How often a stream that is doubted is asked for anew.
    static let renewalInterval = Duration.seconds(60)

    init(_ instruments: [InstrumentID]) {
        self.instruments = instruments
        known = instruments.map { _ in nil }
        doubted = known
        renewals = instruments.map { _ in nil }
    }

    /// Takes in a bar of the stream.
    ///
    /// - Returns: false where it is not to be used.
    mutating func admits(_ bar: Bar, at now: Timestamp) -> Bool {
        let index = Int(bar.instrument.index)
        guard let last = known[index] else {
            known[index] = bar.close
            return true
        }
        guard Self.isNear(bar.high, last), Self.isNear(bar.low, last) else {
            if doubted[index] == nil {
                reports.append(
                    ConditionReport(
                        .implausiblePrice, isPresent: true, of: bar.instrument,
                        value: bar.close.units))
                renewals[index] = now
            }
            doubted[index] = bar.close
            return false
        }
        known[index] = bar.close
        confirm(index)
        return true
    }

    /// Takes in bars of history: a second source.
    mutating func confirm(_ bars: [Bar]) {
        guard let newest = bars.max(by: { $0.end < $1.end }) else { return }
        let index = Int(newest.instrument.index)
        known[index] = newest.close
        if let price = doubted[index], Self.isNear(price, newest.close) { confirm(index) }
    }

    /// The instruments whose streams are to be asked for anew.
    mutating func takeRenewals(at now: Timestamp) -> [InstrumentID] {
        var due: [InstrumentID] = []
        for (index, instrument) in instruments.enumerated() {
            guard let time = renewals[index], now >= time else { continue }
            renewals[index] = now + Self.renewalInterval
            due.append(instrument)
        }
        return due
    }

    /// Takes what began and ended.
    mutating func takeReports() -> [ConditionReport] {
        defer { reports.removeAll() }
        return reports
    }

    private mutating func confirm(_ index: Int) {
        guard doubted[index] != nil else { return }
        doubted[index] = nil
        renewals[index] = nil
        reports.append(
            ConditionReport(.implausiblePrice, isPresent: false, of: instruments[index]))
    }

    private static func isNear(_ price: Price, _ last: Price) -> Bool {
        let difference = Int128(price.units) - Int128(last.units)
        return difference.magnitude * UInt128(band) <= Int128(last.units).magnitude
    }
}
