package import Model
import Primitives

extension RunTables {
    /// `decisions.csv`.
    package static func decisions<Failure>(
        of record: RunRecord, _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.decisions, TextCells(of: record))
        for decision in record.decisions {
            csv.add(decision.number)
            csv.add(decision.at)
            if let strategy = decision.subject.strategy {
                csv.add(strategy)
            } else {
                csv.addNothing()
            }
            if let instrument = decision.subject.instrument {
                csv.add(symbolOf: instrument)
            } else {
                csv.addNothing()
            }
            csv.add(integer: decision.subject.intent.map { Int($0) })
            csv.add(integer: decision.subject.order.map { Int($0.number) })
            csv.add(text: DecisionWords.kind(decision.kind))
            csv.add(text: DecisionWords.detail(decision.kind) ?? "")
            add(decision.figures, to: &csv)
            csv.add(decision.reason)
            try csv.endRow(take)
        }
        try csv.hand(to: take)
    }

    /// The figures that have columns of their own.
    private static let ownColumns: [Figure.Name] = [.asked, .allowed, .value, .limit]

    private static func add(_ figures: Figures, to csv: inout CSVText) {
        for name in ownColumns { csv.add(numeral: figures[name]?.text ?? "") }
        let (value, limit) = (figures[.value], figures[.limit])
        if let value, let limit, value.unit == limit.unit {
            csv.add(numeral: value.text(of: value.amount.subtractingClamped(limit.amount)))
        } else {
            csv.addNothing()
        }
        csv.add(text: (value ?? limit).map { DecisionWords.unit($0.unit) } ?? "")
        let others = figures.all.filter { !ownColumns.contains($0.name) }
        csv.add(
            text: others.map { "\(DecisionWords.name($0.name))=\($0.text)" }
                .joined(separator: " "))
    }
}

extension Int64 {
    fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflowed) = subtractingReportingOverflow(other)
        return overflowed ? (self < 0 ? .min : .max) : difference
    }
}

extension Figure {
    /// The number as text, without its unit.
    package var text: String { text(of: amount) }

    /// Another number of the figure's unit as text.
    fileprivate func text(of amount: Int64) -> String {
        switch unit {
        case .shares: Quantity(units: amount).description
        case .price: Price(units: amount).description
        case .money: Money(units: amount).description
        case .percent: Percent(units: amount).description
        case .count: String(amount)
        case .time: Timestamp(nanoseconds: amount).description
        }
    }
}

/// The words of decisions, in tables and for people.
package enum DecisionWords {
    /// All kinds.
    static let kinds = Decision.Topic.allCases.map { word(String(describing: $0)) }
    /// All units.
    static let units = ["SHARES", "PRICE", "MONEY", "PERCENT", "COUNT", "TIME"]

    /// The word of a kind: `REFUSED`.
    package static func kind(_ kind: Decision.Kind) -> String {
        word(String(describing: kind.topic))
    }

    /// The word of what a kind is about in detail: `POSITION_LIMIT`.
    package static func detail(_ kind: Decision.Kind) -> String? {
        switch kind {
        case .intentReceived(let kind): word(String(describing: kind))
        case .sized(let method): word(String(describing: method))
        case .reduced(let refusal), .refused(let refusal): word(String(describing: refusal))
        case .dropped(let cause): word(String(describing: cause))
        case .held(let cause): word(String(describing: cause))
        case .submitted(let purpose), .modified(let purpose), .cancelRequested(let purpose):
            word(String(describing: purpose))
        case .halted(let cause), .resumed(let cause): word(String(describing: cause))
        case .latched(let cause): word(String(describing: cause))
        case .linkChanged(let state): word(String(describing: state))
        case .finding(let finding): word(String(describing: finding))
        case .instructed(let request): word(String(describing: request))
        case .damagedRecord(let topic): word(String(describing: topic))
        case .cashMoved(let cause), .accountCashMoved(let cause): word(String(describing: cause))
        case .accountDiffers(let comparison): word(String(describing: comparison))
        case .strategyStopped(let cause): word(String(describing: cause))
        case .conditionBegan(let condition), .conditionEnded(let condition):
            word(String(describing: condition))
        case .released, .latchCleared, .protectionPlaced, .protectionMoved, .protectionMissing,
            .overdrawn, .actionNotBooked, .reconciliationBegun, .reconciled, .historyShort,
            .signalRepeated, .orphaned, .protectionRestored, .protectionMended, .outcomeUnknown,
            .cancelUnanswered, .executionCorrected, .orderRejected, .orderNotSent, .orderHeld,
            .commissionMissing:
            nil
        }
    }

    /// The word of a unit: `SHARES`.
    static func unit(_ unit: Figure.Unit) -> String { word(String(describing: unit)) }

    /// The name of a figure: `take_profit`.
    package static func name(_ name: Figure.Name) -> String {
        word(String(describing: name)).lowercased()
    }

    /// A name of the program's as tables write words: `positionLimit` is `POSITION_LIMIT`.
    package static func word(_ name: String) -> String {
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            // The capitals of an abbreviation belong together: `clientIDInUse` is `CLIENT_ID_IN_USE`.
            let isInCapitals = index > 0 && characters[index - 1].isUppercase
            let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
            if character.isUppercase, !isInCapitals || isBeforeSmall { word.append("_") }
            word.append(contentsOf: character.uppercased())
        }
        return word
    }
}
