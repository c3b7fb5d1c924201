package import Model
package import Primitives

/// What the account earned on the money it had, whenever money came or went.
///
/// Linked at every cash flow: each batch between two flows grows by its end over its beginning, where
/// the flow comes after the end of one and before the beginning of the next, and the batches multiply
/// (GIPS: the true time-weighted return). Flows are valued at the marks of their instant.
///
/// What one unit of currency became is kept in steps of 10^-16, each link rounded towards zero.
package struct TimeWeightedReturn: Equatable, Sendable, BitwiseCopyable {
    /// What 1.00 of the start had become at the newest flow; `nil` once no return can be computed: a batch
    /// began with nothing or with debt and made a profit or loss, or the growth left its range.
    private var linked: ExactMoney?
    /// Equity behind the newest flow.
    private var start: ExactMoney

    /// An account that begins with that equity.
    package init(equity: ExactMoney) {
        linked = ExactMoney(Money(units: Money.unitsPerOne))
        start = equity
    }

    /// What 1.00 of the start is now; 1.25 is a return of 25 %. Never below zero: a debt after the loss of
    /// everything counts as the loss of everything.
    package func growth(to equity: ExactMoney) -> ExactMoney? {
        guard let linked else { return nil }
        if equity == start { return linked }
        guard start > .zero else { return nil }
        guard equity > .zero else { return .zero }
        return linked.scaled(by: equity.units.magnitude, over: start.units.magnitude)
    }

    /// Ends a batch at a flow.
    ///
    /// - Parameters:
    ///   - amount: paid in, or out when negative.
    ///   - equity: just before it.
    mutating func record(flow amount: ExactMoney, at equity: ExactMoney) {
        linked = growth(to: equity)
        start = equity + amount
    }

    /// Takes the return so far into a digest.
    func hash(into hasher: inout StateHasher) {
        hasher.combine(linked ?? ExactMoney(units: -1))
        hasher.combine(start)
    }
}

extension TimeWeightedReturn: RecordValue {
    /// Writes what the start had become, and equity behind the newest flow.
    package func write(to writer: inout RecordWriter) {
        writer.write(optional: linked)
        writer.write(start)
    }

    /// The return as written. Throws when it is below the loss of everything.
    package init(from reader: inout RecordReader) throws(RecordError) {
        linked = try reader.optional(ExactMoney.self)
        start = try reader.exactMoney()
        guard linked ?? .zero >= .zero else { throw reader.damage }
    }
}
