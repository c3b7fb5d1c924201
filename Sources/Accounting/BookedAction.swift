package import Model
package import Primitives

/// A corporate action as it was booked: with the price at which fractions of a share were paid.
package struct BookedAction: Hashable, Sendable, BitwiseCopyable {
    /// What was booked.
    package let action: CorporateAction
    /// What an old share was worth when its fractions were paid; `nil` when nobody knew, and nobody had
    /// any: then they are worth nothing.
    package let price: Price?

    /// An action, and what an old share was worth at the close before its ex-day.
    package init(_ action: CorporateAction, price: Price?) {
        self.action = action
        self.price = price
    }

    /// What is paid for the rest of a share, in units of `Quantity` times the ratio's `old`, rounded half
    /// to even to 10^-16. Not rounded to cents, as a broker would.
    package func worth(ofRemainder remainder: Int128, after ratio: SplitRatio) -> ExactMoney {
        guard let price else { return .zero }
        // A rest is less than a share: 5·10^9 times a price always fits.
        return ExactMoney(
            units: (remainder * Int128(price.units)).dividedHalfToEven(by: Int128(ratio.new)))
    }
}

extension CorporateAction {
    /// The instant from which executions are without it.
    package var exOpening: Timestamp { NewYork.timestamp(on: exDay, at: .zero) }
}

/// What moves a position, in the order of its time.
enum LedgerEntry {
    /// Somebody traded.
    case execution(Execution)
    /// The company did something.
    case action(BookedAction)

    /// An instrument's executions with its corporate actions between them: an action goes before the
    /// first execution of its ex-day.
    ///
    /// - Parameters:
    ///   - executions: oldest first.
    ///   - actions: of the same instrument, by ex-day.
    static func merged(_ executions: [Execution], _ actions: [BookedAction]) -> [LedgerEntry] {
        var entries: [LedgerEntry] = []
        var next = actions.startIndex
        for execution in executions {
            while next < actions.endIndex, actions[next].action.exOpening <= execution.time {
                entries.append(.action(actions[next]))
                next += 1
            }
            entries.append(.execution(execution))
        }
        return entries + actions[next...].map(LedgerEntry.action)
    }
}

extension BookedAction: RecordValue {
    /// Writes the action and the price.
    package func write(to writer: inout RecordWriter) {
        writer.write(action)
        writer.write(optional: price)
    }

    /// The booked action as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        action = try reader.value(CorporateAction.self)
        price = try reader.optional(Price.self)
    }
}
