import Model
import Primitives
import Reporting

/// A decision with its words, for people and programs.
struct DecisionNote: Sendable {
    private let decision: Decision
    private let symbol: String?
    private let strategy: String?
    private let reason: String

    /// - Parameter reason: the words that the decision's reason stands for; empty without any.
    init(_ decision: Decision, _ names: SessionNames, reason: String) {
        self.decision = decision
        symbol = decision.subject.instrument.map(names.symbol)
        strategy = decision.subject.strategy.map(names.name)
        self.reason = reason
    }

    /// The members of an answer.
    var json: JSONValue {
        let kind = decision.kind
        var object = JSONObject()
        object.set("number", .integer(decision.number))
        object.set("at", .text("\(decision.at)"))
        object.set("severity", .text(DecisionWords.word("\(kind.severity)").lowercased()))
        object.set("kind", .text(DecisionWords.kind(kind)))
        object.set("detail", DecisionWords.detail(kind).map { .text($0) })
        object.set("symbol", symbol.map { .text($0) })
        object.set("strategy", strategy.map { .text($0) })
        object.set("intent", decision.subject.intent.map { .integer($0) })
        object.set("order", decision.subject.order.map { .integer($0.number) })
        object.set("words", kind.words.map { .text($0) })
        let figures = decision.figures.all
        if !figures.isEmpty {
            object.set(
                "figures",
                .object(
                    figures.map {
                        JSONValue.Member(DecisionWords.name($0.name), .text($0.text))
                    }))
        }
        if !reason.isEmpty { object.set("reason", .text(reason)) }
        return .object(object)
    }
}

extension Decision.Kind {
    /// What its detail means, in words; `nil` where the detail is the word.
    fileprivate var words: String? {
        switch self {
        case .refused(let refusal), .reduced(let refusal): refusal.reason
        case .halted(let cause), .resumed(let cause): "\(cause.name)"
        case .conditionBegan(let condition), .conditionEnded(let condition): "\(condition.name)"
        default: nil
        }
    }
}

/// A name of the program's as answers write words, without what belongs to it: `LIMIT`.
func controlWord(_ value: some Any) -> String {
    DecisionWords.word(String(String(describing: value).prefix { $0 != "(" }))
}
