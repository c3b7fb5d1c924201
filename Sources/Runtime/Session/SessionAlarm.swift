import Model
package import Primitives
import Reporting

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
    /// - Parameter symbols: the session's, in the order of their instruments.
    init?(_ decision: Decision, symbols: [String]) {
        guard decision.kind.severity >= .warning else { return nil }
        at = decision.at
        isCritical = decision.kind.severity == .critical
        var parts: [String] = []
        switch decision.kind {
        case .conditionBegan(let condition): parts.append("\(condition.name)")
        default:
            parts.append(DecisionWords.kind(decision.kind))
            if let detail = DecisionWords.detail(decision.kind) { parts.append(detail) }
        }
        if let instrument = decision.subject.instrument {
            let index = Int(instrument.index)
            parts.append(symbols.indices.contains(index) ? symbols[index] : "\(instrument)")
        }
        if let order = decision.subject.order { parts.append("order \(order.number)") }
        text = parts.joined(separator: " ")
    }

    /// `2026-01-05T15:00:00Z critical: HALTED DRAWDOWN`.
    package var description: String { "\(at) \(isCritical ? "critical" : "warning"): \(text)" }
}
