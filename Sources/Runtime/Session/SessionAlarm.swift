import Model
package import Primitives
import Reporting
import TWSProtocol

/// A decision that the user should look at: what is of the severity of a warning or above.
package struct SessionAlarm: Hashable, Sendable, CustomStringConvertible {
    /// When it was decided, in session time.
    package let at: Timestamp
    /// How urgent it is.
    package let isCritical: Bool
    /// What was concluded: `HALTED DRAWDOWN`.
    package let text: String

    /// The alarm of a decision; `nil` for one that is none.
    ///
    /// - Parameters:
    ///   - symbols: the session's, in the order of their instruments.
    ///   - strategies: the names of the session's strategies, in their order.
    init?(_ decision: Decision, symbols: [String], strategies: [String] = []) {
        guard decision.kind.severity >= .warning else { return nil }
        // What is short is said symbol by symbol.
        if decision.kind == .historyShort, decision.subject.instrument == nil { return nil }
        at = decision.at
        isCritical = decision.kind.severity == .critical
        var parts: [String] = []
        switch decision.kind {
        case .conditionBegan(let condition): parts.append(controlWord(condition))
        default:
            parts.append(DecisionWords.kind(decision.kind))
            if let detail = DecisionWords.detail(decision.kind) { parts.append(detail) }
        }
        if case .strategyStopped = decision.kind, let strategy = decision.subject.strategy {
            let index = Int(strategy.index)
            parts.append(
                strategies.indices.contains(index) ? strategies[index] : "\(strategy)")
        }
        if let instrument = decision.subject.instrument {
            let index = Int(instrument.index)
            parts.append(symbols.indices.contains(index) ? symbols[index] : "\(instrument)")
        }
        if let order = decision.subject.order { parts.append("order \(order.number)") }
        let words = [Self.meaning(of: decision), Self.advice(about: decision)].compactMap(\.self)
        text =
            parts.joined(separator: " ") + (words.isEmpty ? "" : ": ")
            + words.joined(separator: "; ")
    }

    /// What a condition is, with what was measured; `nil` for other decisions.
    private static func meaning(of decision: Decision) -> String? {
        guard case .conditionBegan(let condition) = decision.kind else { return nil }
        let measured = condition.words(of: decision.figures).map { " \($0)" } ?? ""
        return "\(condition.name)\(measured)"
    }

    /// What the user can do about it, where that is known.
    private static func advice(about decision: Decision) -> String? {
        switch decision.kind {
        case .outcomeUnknown, .finding(.unresolved):
            "no answer came, and it is being asked for. A dialog of the gateway may hold orders: look at its window"
        case .conditionBegan(.dataMissing):
            decision.code.map { code in
                "\(code), \(CodePolicy.standard.reading(of: code, text: "", after: .begin).advice)"
            } ?? "nothing comes, and it is asked for again: look at the gateway's window"
        case .conditionBegan(.loginNeeded): "log in at the gateway; the session goes on by itself"
        case .conditionBegan(.clientIDInUse):
            "end the other program that uses it; this one keeps trying under the same"
        case .conditionBegan(.implausiblePrice):
            "no entry leaves in it until its history confirms them"
        case .strategyStopped(.overBudget):
            decision.duration.map {
                "a call took \($0), and \(CallMeter.budget) are allowed: its entries wait until you let them go on; "
                    + "exits and stops do not"
            }
        case .halted(.programHung):
            "the program was ended because its loop did not come back, and started again: look at where it hung, then "
                + "martlet ctl resume program_hung"
        case .strategyStopped: "its entries wait until you let them go on; exits and stops do not"
        case .cancelUnanswered: "it counts as working: look at the gateway's window"
        case .conditionBegan(.readOnlyGateway):
            "take 'Read-Only API' off in the gateway's settings and resume, or connect anew; until then nothing is ordered"
        case .conditionBegan(.contractUnknown):
            "nothing is entered in it until you have looked and cleared it, or the next start"
        case .finding(.numberInUse):
            "another program may use this client id: look for it. Orders go on above the gateway's next number"
        case .finding(.quantityChanged), .finding(.termsChanged):
            "others have changed the order: its prices are taken as they are"
        case .finding(.resubmitted):
            "the gateway has sent an order that was taken to be lost: look at its window"
        case .halted(.journalOutdated):
            "the broker has newer orders of this journal than the journal itself: it is an older copy. Compare orders and positions before martlet ctl resume journal_outdated"
        case .conditionBegan(.rateExceeded):
            "half as many messages leave for a while; look for other programs at this gateway"
        case .orderRejected:
            decision.code.map { code in
                "\(code), \(CodePolicy.standard.reading(of: code, text: "", after: .begin).advice)"
            }
        case .latched(.positionDiffers):
            "cash and profit are provisional until what moved it is known: book the execution that is missing, or say "
                + "that it is not yours"
        case .orderHeld:
            "the broker has it and does not let it work: look at the gateway's window. It counts as working"
        case .commissionMissing:
            "executions have no commission: compare the account's cash with its statement"
        case .latched(.executionTakenBack):
            "compare the account's trades with the session's; entries wait until you have looked"
        case .halted(.brokerLiquidation):
            "the broker has closed a position by itself: look at the account's margin, then martlet ctl resume "
                + "broker_liquidation"
        case .halted(.operatorRequest): nil
        case .halted(let cause):
            "no entries until " + (cause.endsWithDay ? "the next day, or " : "")
                + "martlet ctl resume \(cause.word)"
        case .historyShort:
            "\(decision.figures.amount(.value)) of \(decision.figures.amount(.asked)) past bars have come"
        default: nil
        }
    }

    /// `2026-01-05T15:00:00Z critical: HALTED DRAWDOWN`.
    package var description: String { "\(at) \(isCritical ? "critical" : "warning"): \(text)" }
}

extension SessionCondition {
    /// What was measured, for people; `nil` where the condition says it all.
    fileprivate func words(of figures: Figures) -> String? {
        guard let value = figures[.value]?.amount else { return nil }
        switch self {
        case .openOrdersMissing, .completedOrdersMissing, .executionsMissing, .positionsMissing,
            .accountValuesMissing:
            return "(asked for \(value) times)"
        case .clockDrifting, .clockSkewed:
            let size = value.magnitude / 1_000_000
            return "(the gateway's is \(size) ms \(value < 0 ? "behind" : "ahead"))"
        case .processPaused, .fallingBehind:
            return "(\(Duration.milliseconds(value / 1_000_000)))"
        case .strategyOverBudget: return "(\(Duration.milliseconds(value / 1_000_000)))"
        case .memoryHigh, .filesHigh: return "(\(value) percent)"
        case .dataShed, .historyMissing: return "(\(value))"
        case .journalFailing, .diskLow, .diskFilling, .readOnlyGateway, .dataMissing,
            .strategySlow, .strategyStuck, .contractUnknown, .hoursDiffer, .marketClosed,
            .calendarOld, .lineSilent, .linkLost, .loginNeeded, .clientIDInUse, .implausiblePrice,
            .liquidated, .rateExceeded:
            return nil
        }
    }
}

extension Figures {
    /// The amount of a figure; 0 without one.
    fileprivate func amount(_ name: Figure.Name) -> Int64 { self[name]?.amount ?? 0 }
}

extension Decision {
    /// The time that it names, where its figure is one.
    fileprivate var duration: Duration? {
        figures[.value].map { Duration.milliseconds($0.amount / 1_000_000) }
    }

    /// The gateway's code that it names, if it names one.
    fileprivate var code: Int? {
        guard let figure = figures.all.first(where: { $0.name == .value && $0.unit == .count }),
            figure.amount > 0
        else { return nil }
        return Int(figure.amount)
    }
}
