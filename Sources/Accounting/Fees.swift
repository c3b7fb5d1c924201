package import Model
package import Primitives

/// What a charge is for.
package enum FeePart: Hashable, Sendable {
    /// The broker's commission, and whatever it does not itemise.
    case commission
    /// The SEC's section 31 fee.
    case sec
    /// FINRA's trading activity fee.
    case taf
}

/// Charges by what they were for.
package struct Fees: Equatable, Sendable, BitwiseCopyable {
    /// The broker's commission, and whatever it does not itemise.
    package private(set) var commission = ExactMoney.zero
    /// The SEC's section 31 fee.
    package private(set) var sec = ExactMoney.zero
    /// FINRA's trading activity fee.
    package private(set) var taf = ExactMoney.zero

    /// All parts.
    package var total: ExactMoney { commission + sec + taf }

    /// Adds to a part; negative takes off.
    mutating func add(_ amount: ExactMoney, to part: FeePart) {
        switch part {
        case .commission: commission += amount
        case .sec: sec += amount
        case .taf: taf += amount
        }
    }

    /// Takes the parts into a digest.
    func hash(into hasher: inout StateHasher) {
        hasher.combine(commission)
        hasher.combine(sec)
        hasher.combine(taf)
    }
}

extension Fees: RecordValue {
    /// Writes the parts.
    package func write(to writer: inout RecordWriter) {
        writer.write(commission)
        writer.write(sec)
        writer.write(taf)
    }

    /// The charges as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        commission = try reader.exactMoney()
        sec = try reader.exactMoney()
        taf = try reader.exactMoney()
    }
}
