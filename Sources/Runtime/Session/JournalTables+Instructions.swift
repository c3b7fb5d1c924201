import Journal
import Model
import Orders
import Primitives
import Reporting
import TradingEngine

/// What the user has said, as a journal's file has it.
struct InstructionRows {
    private let file: String
    private var texts = NameTable()
    private var instructions: [Instruction] = []

    private struct Instruction {
        let at: Timestamp
        let request: OperatorRequest
        /// Who said it, and why.
        let words: String?
        /// What was sent for it at once.
        let commands: [Command]
    }

    /// None of a file.
    init(of file: String) { self.file = file }

    /// Takes in what of a batch the user has said, and what followed from it.
    mutating func take(_ batch: RecordBatch) {
        for (index, event) in batch.events.enumerated() {
            if case .name(let chunk) = event.kind {
                _ = texts.add(chunk)
            } else if case .operatorRequest(let request) = event.kind {
                instructions.append(
                    Instruction(
                        at: event.at, request: request, words: texts[request.reason],
                        commands: batch.commands.filter { $0.event == index }.map(\.command)))
            }
        }
    }

    /// The rows, under the names of a session.
    func rows(_ names: SessionNames) -> [[JournalProjection.Value]] {
        instructions.enumerated().map { index, one in
            let effect = one.commands.compactMap(\.effect).joined(separator: ", ")
            let words = one.words.flatMap { $0.isEmpty ? nil : $0 }
            let about = one.request.action.words(names)
            return [
                .text(file), .integer(Int64(index + 1)), .text("\(one.at)"),
                .text(DecisionWords.word(String(describing: one.request.kind))),
                about.map { .text($0) } ?? .absent, words.map { .text($0) } ?? .absent,
                effect.isEmpty ? .absent : .text(effect),
            ]
        }
    }
}

extension Command {
    /// What is sent, in a few words; `nil` for what goes to no broker.
    fileprivate var effect: String? {
        switch self {
        case .submit(let ticket):
            "SUBMIT \(ticket.id.number)"
        case .modify(let ticket, _): "MODIFY \(ticket.id.number)"
        case .cancel(let order): "CANCEL \(order.number)"
        case .probe(let order): "PROBE \(order.number)"
        case .query, .setTimer: nil
        }
    }
}

extension OperatorRequest.Action {
    /// What it is about, in words; `nil` for what is about everything.
    fileprivate func words(_ names: SessionNames) -> String? {
        switch self {
        case .halt, .resumeAll, .kill: nil
        case .resume(let cause): cause.word
        case .clearLatch(let instrument), .adopt(let instrument), .disown(let instrument):
            names.symbol(of: instrument)
        case .stopEntries(let strategy), .startEntries(let strategy): names.name(of: strategy)
        case .cancel(let scope), .flatten(let scope): scope.words(names)
        case .resolve(let order, let evidence):
            "order \(order.number) \(DecisionWords.word(String(describing: evidence)))"
        case .bookExecution(let order, let execution):
            "order \(order.number): \(execution.quantity) at \(execution.price)"
        case .confirmSplit(let instrument, let ratio):
            "\(names.symbol(of: instrument)) \(ratio.new):\(ratio.old)"
        case .cash(let movement):
            "\(DecisionWords.word(String(describing: movement.cause))) \(movement.amount)"
        }
    }
}

extension OperatorRequest.Scope {
    fileprivate func words(_ names: SessionNames) -> String {
        switch self {
        case .order(let order): "order \(order.number)"
        case .instrument(let instrument): names.symbol(of: instrument)
        case .strategy(let strategy): names.name(of: strategy)
        case .all: "all"
        }
    }
}
