package import Model
public import Primitives

/// The deepest fall of equity below its highest value so far, as a share of that value.
@usableFromInline
package struct Drawdown: Sendable {
    /// The deepest fall: from which value, to which, and when.
    @usableFromInline package internal(set) var deepest: PeakToTrough?
    /// The highest equity so far.
    @usableFromInline package internal(set) var peak: ExactMoney

    @usableFromInline var peakTime = Timestamp.distantPast
    /// A fall of at most this amount cannot be the deepest.
    @usableFromInline var shallow = ExactMoney.zero

    /// A fall of equity.
    @usableFromInline
    package struct PeakToTrough: Equatable, Sendable {
        /// The highest value before it.
        package let peak: ExactMoney
        /// The lowest value in it.
        package let trough: ExactMoney
        /// When the highest value was last seen.
        package let from: Timestamp
        /// When the lowest value was seen.
        package let to: Timestamp

        /// The depth as a share of the peak; 0.25 is a quarter lost.
        package let fraction: Double
    }

    /// Starts at that equity.
    package init(equity: ExactMoney) { peak = equity }

    /// Looks at equity at a timestamp.
    @inlinable
    package mutating func observe(_ equity: ExactMoney, at time: Timestamp) {
        if equity >= peak {
            peak = equity
            peakTime = time
            return
        }
        // The cheap comparison goes first: a larger share of a peak that only rises is a larger amount.
        if peak - equity > shallow { deepen(to: equity, at: time) }
    }

    /// Whether a look at any equity from `lowest` to `highest` would change nothing.
    func ignores(_ lowest: ExactMoney, _ highest: ExactMoney) -> Bool {
        highest < peak && peak - lowest <= shallow
    }

    @usableFromInline
    mutating func deepen(to equity: ExactMoney, at time: Timestamp) {
        guard peak > .zero else { return }
        let fraction = (peak - equity).asDouble / peak.asDouble
        guard fraction > deepest?.fraction ?? 0 else { return }
        deepest = PeakToTrough(
            peak: peak, trough: equity, from: peakTime, to: time, fraction: fraction)
        shallow = peak - equity
    }

    /// Moves the peak with money paid in or out.
    package mutating func shift(by amount: ExactMoney) {
        peak += amount
        // From a lower peak, a smaller amount may be a larger share.
        if amount < .zero { shallow = .zero }
    }
}

extension Drawdown: RecordValue {
    /// Writes the peak and the deepest fall.
    package func write(to writer: inout RecordWriter) {
        writer.write(peak)
        writer.write(peakTime)
        writer.write(shallow)
        writer.write(optional: deepest)
    }

    /// The drawdown as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        peak = try reader.exactMoney()
        peakTime = try reader.time()
        shallow = try reader.exactMoney()
        deepest = try reader.optional(PeakToTrough.self)
        guard shallow >= .zero else { throw reader.damage }
    }
}

extension Drawdown.PeakToTrough: RecordValue {
    /// Writes all of the fall.
    package func write(to writer: inout RecordWriter) {
        writer.write(peak)
        writer.write(trough)
        writer.write(from)
        writer.write(to)
        writer.write(fraction)
    }

    /// The fall as written. Throws unless it is one.
    package init(from reader: inout RecordReader) throws(RecordError) {
        peak = try reader.exactMoney()
        trough = try reader.exactMoney()
        from = try reader.time()
        to = try reader.time()
        fraction = try reader.double()
        guard peak > trough, fraction > 0, fraction.isFinite else { throw reader.damage }
    }
}
