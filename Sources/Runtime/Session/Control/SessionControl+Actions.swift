import Configuration
import Model
import Orders
import Primitives
import TWSProtocol
import TradingEngine

/// Instructions in the session's own terms.
extension SessionControl {
    /// What the engine is asked to do.
    ///
    /// - Parameter notes: gains what the user should know besides.
    /// - Throws: when the session does not have what is named, or does not permit it.
    func actions(
        of instruction: ControlInstruction, _ live: LiveSession, at now: Timestamp,
        _ notes: inout [String]
    ) throws(ControlRefusal) -> [OperatorRequest.Action] {
        switch instruction {
        case .halt: return [.halt]
        case .kill: return [.kill]
        case .resumeAll:
            if live.isKilled {
                notes.append("the kill stays: resume killed, with the account, lifts it")
            }
            return [.resumeAll]
        case .resume(let cause, let account):
            if cause == .killed { try permitResuming(account) }
            return [.resume(cause)]
        case .stop(let name): return [.stopEntries(try strategy(name, live))]
        case .start(let name): return [.startEntries(try strategy(name, live))]
        case .cancel(let scope, let includesProtective):
            return [
                .cancel(try self.scope(scope, live, includesProtective: includesProtective))
            ]
        case .flatten(let scope):
            return [.flatten(try self.scope(scope, live, includesProtective: true))]
        case .resolve(let order, let evidence):
            try check(order, live)
            return [.resolve(order, evidence)]
        case .bookExecution(let booking): return try book(booking, live, at: now, &notes)
        case .adopt(let symbol): return [.adopt(try instrument(symbol, live))]
        case .disown(let symbol): return [.disown(try instrument(symbol, live))]
        case .clear(let symbol): return [.clearLatch(try instrument(symbol, live))]
        case .split(let symbol, let ratio):
            return [.confirmSplit(try instrument(symbol, live), ratio)]
        case .cash(let payment):
            let instrument = try payment.symbol.map { symbol throws(ControlRefusal) in
                try self.instrument(symbol, live)
            }
            guard !isRepeated(payment) else {
                notes.append(
                    "the same was booked in this run already and is not booked again: --repeated books it once more"
                )
                return []
            }
            return [.cash(CashMovement(payment.cause, payment.amount, of: instrument))]
        }
    }

    private func permitResuming(_ typed: String?) throws(ControlRefusal) {
        guard let account else {
            throw ControlRefusal("The account is not known yet.", .notPermitted)
        }
        guard typed == account else {
            throw ControlRefusal(
                typed == nil
                    ? "A kill is lifted with the account's number: --account."
                    : "The account is not the one that is traded (\(AccountID(account).redacted)).",
                .notPermitted)
        }
    }

    private func instrument(
        _ symbol: String, _ live: LiveSession
    ) throws(ControlRefusal) -> InstrumentID {
        InstrumentID(index: try index(of: symbol, among: live.names.symbols, as: "symbol"))
    }

    private func strategy(
        _ name: String, _ live: LiveSession
    ) throws(ControlRefusal) -> StrategyID {
        StrategyID(index: try index(of: name, among: live.names.strategies, as: "strategy"))
    }

    private func index(
        of name: String, among names: [String], as kind: StaticString
    ) throws(ControlRefusal) -> Int {
        if let index = names.firstIndex(of: name) { return index }
        throw ControlRefusal(
            "The session has no \(kind) \(name.printable). "
                + SettingsSuggestion.sentence(for: name, among: names))
    }

    private func check(_ order: OrderID, _ live: LiveSession) throws(ControlRefusal) {
        guard live.withEngine({ $0.orders.request(of: order) }) == nil else { return }
        throw ControlRefusal(
            "The session has no order \(order.number): 'orders' lists those that work, and 'orders --finished' all."
        )
    }

    private func scope(
        _ scope: ControlInstruction.Scope, _ live: LiveSession, includesProtective: Bool
    ) throws(ControlRefusal) -> OperatorRequest.Scope {
        switch scope {
        case .all: return .all
        case .symbol(let symbol): return .instrument(try instrument(symbol, live))
        case .strategy(let name): return .strategy(try strategy(name, live))
        case .order(let order):
            try check(order, live)
            let purpose = live.withEngine { $0.orders.request(of: order)?.purpose }
            guard purpose != .protection || includesProtective else {
                throw ControlRefusal(
                    "Order \(order.number) protects a position: --include-protective cancels it all the same, and "
                        + "'flatten' closes the position.", .notPermitted)
            }
            return .order(order)
        }
    }

    private func book(
        _ booking: ControlInstruction.Booking, _ live: LiveSession, at now: Timestamp,
        _ notes: inout [String]
    ) throws(ControlRefusal) -> [OperatorRequest.Action] {
        try check(booking.order, live)
        let record = live.withEngine { $0.orders.record(of: booking.order) }
        guard let record else { return [] }
        let (id, request) = (live.execution(named: booking.execution), record.ticket.request)
        if record.facts.allExecutions.contains(where: { $0.id.base == id.base }) {
            notes.append("the execution \(booking.execution) is booked already")
            return []
        }
        let remaining = request.quantity - record.facts.filled
        guard booking.quantity <= remaining else {
            throw ControlRefusal(
                "Order \(booking.order.number) has \(remaining) of \(request.quantity) left: \(booking.quantity) "
                    + "cannot be its execution.")
        }
        let execution = Execution(
            id: id, instrument: request.instrument, side: request.side,
            quantity: booking.quantity, price: booking.price, time: booking.time ?? now)
        return [.bookExecution(booking.order, execution)]
    }
}
