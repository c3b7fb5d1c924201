import Accounting
import Configuration
import Model
import Orders
import Primitives
import Reporting
import TWSProtocol
import TWSVenue
import Risk
import TradingEngine

/// How a session stands, as its control socket answers.
extension SessionControl {
    /// How a session stands that has no engine yet.
    static func early(_ status: SessionDriver.Status, _ killFile: KillFile) -> JSONObject {
        var object = JSONObject()
        object.set("state", .text(status.step.words))
        object.set("link", .text(controlWord(status.link)))
        object.set("now", .text("\(status.now)"))
        object.set("killed", .bool(killFile.isPresent))
        object.set("missing", .texts(status.missing))
        return object
    }

    /// How a session stands.
    func status(_ live: LiveSession, _ status: SessionDriver.Status) -> JSONValue {
        var object = Self.early(status, killFile)
        object.set("killed", .bool(live.isKilled || killFile.isPresent))
        object.set("account", account.map { .text(AccountID($0).redacted) })
        object.set("equity", .exact(status.equity))
        live.withEngine { engine in
            object.set("cash", .exact(engine.portfolio.cash.rounded()))
            object.set(
                "profit",
                .array(
                    [Self.profit(of: engine), live.profit?.newest.map { Self.profit($0) }]
                        .compactMap(\.self)))
            object.set(
                "strategies",
                .array(
                    live.names.strategies.indices.map {
                        Self.strategy(StrategyID(index: $0), engine, live.names)
                    }))
            object.set("orders_sent", .integer(status.orderCount))
            object.set("fills", .integer(status.fillCount))
            object.set("live_orders", .integer(engine.orders.allLive.count))
            object.set("pending_intents", .integer(engine.pendingIntentCount))
            object.set("halts", .array(engine.gate.haltCauses.map(Self.halt)))
            object.set("latched", .array(latched(engine, live.names)))
            let indices = live.names.strategies.indices
            object.set(
                "stopped",
                .texts(
                    indices.filter { engine.areEntriesStopped(of: StrategyID(index: $0)) }
                        .map { live.names.strategies[$0] }))
            object.set(
                "disowned", .texts(Self.symbols(live.names) { engine.isDisowned($0) }))
            object.set("foreign", .texts(Self.symbols(live.names) { engine.isForeign($0) }))
            object.set(
                "unknown",
                .array(
                    engine.orders.allLive.filter { engine.isInDoubt($0) }
                        .map { .integer($0.number) }))
            object.set(
                "conditions",
                .array(engine.presentConditions.map { Self.condition($0, live.names) }))
        }
        object.set("journal_failure", live.journalFailure.map { .text("\($0)") })
        return .object(object)
    }

    /// The account's profit by our ledger: since the session's first start, and of the session day.
    private static func profit(of engine: borrowing Engine) -> JSONValue {
        var object: JSONObject = [.init("of", .text("session"))]
        object += members(of: engine.portfolio.profit)
        object.set("day", engine.dayProfit.map { .exact($0.rounded()) })
        object.set("day_realized", engine.dayRealized.map { .exact($0.rounded()) })
        return .object(object)
    }

    /// The account's profit by the broker's stream: what was realised is today's.
    private static func profit(_ figures: ProfitFeed.Figures) -> JSONValue {
        var object: JSONObject = [.init("of", .text("broker"))]
        object.set("unrealized", figures.unrealized.map { .exact($0) })
        object.set("day_realized", figures.realized.map { .exact($0) })
        object.set("day", figures.daily.map { .exact($0) })
        return .object(object)
    }

    private static func members(of profit: Profit) -> JSONObject {
        var object = JSONObject()
        object.set("unrealized", .exact(profit.unrealized.rounded()))
        object.set("realized", .exact(profit.realized.rounded()))
        object.set("income", .exact((profit.income + profit.interest).rounded()))
        object.set("charges", .exact(profit.charges.rounded()))
        object.set("net", .exact(profit.net.rounded()))
        return object
    }

    /// A strategy's profit, and how many messages its orders took today.
    private static func strategy(
        _ strategy: StrategyID, _ engine: borrowing Engine, _ names: SessionNames
    ) -> JSONValue {
        var object = JSONObject()
        object.set("strategy", .text(names.name(of: strategy)))
        object += members(of: engine.portfolio.profit(of: .strategy(strategy)))
        let count = engine.orderMessages(of: strategy)
        object.set("day_messages", .integer(count.messages))
        object.set("day_executed_orders", .integer(count.executed))
        return .object(object)
    }

    private static func halt(_ cause: HaltCause) -> JSONValue {
        .members([
            "cause": .text(cause.word), "words": .text("\(cause.name)"),
            "ends_with_day": .bool(cause.endsWithDay),
            "command": .text(
                "martlet ctl resume \(cause.word)" + (cause == .killed ? " --account NUMBER" : "")),
        ])
    }

    private func latched(_ engine: borrowing Engine, _ names: SessionNames) -> [JSONValue] {
        names.symbols.indices.map(InstrumentID.init(index:)).filter { engine.gate.isLatched($0) }
            .map { instrument in
                let symbol = names.symbol(of: instrument)
                var object = JSONObject()
                object.set("symbol", .text(symbol))
                object.set(
                    "cause", latches[instrument].map { .text(controlWord($0).lowercased()) })
                object.set("command", .text("martlet ctl clear \(symbol)"))
                return .object(object)
            }
    }

    private static func symbols(
        _ names: SessionNames, where isMeant: (InstrumentID) -> Bool
    ) -> [String] {
        names.symbols.indices.filter { isMeant(InstrumentID(index: $0)) }.map { names.symbols[$0] }
    }

    private static func condition(_ report: ConditionReport, _ names: SessionNames) -> JSONValue {
        var object = JSONObject()
        object.set("condition", .text(controlWord(report.condition)))
        object.set("symbol", report.instrument.map { .text(names.symbol(of: $0)) })
        object.set("strategy", report.strategy.map { .text(names.name(of: $0)) })
        object.set("words", .text("\(report.condition.name)"))
        return .object(object)
    }

    /// What is held, by strategy and symbol, and what others hold in the session's symbols.
    func positions(_ live: LiveSession) -> JSONValue {
        live.withEngine { engine in
            var rows: [JSONValue] = []
            var others: [JSONValue] = []
            var brokers: [JSONValue] = []
            for index in live.names.symbols.indices {
                let instrument = InstrumentID(index: index)
                for strategy in live.names.strategies.indices {
                    let row = Self.position(
                        engine, StrategyID(index: strategy), instrument, live.names)
                    if let row { rows.append(row) }
                }
                if let row = Self.brokerPosition(engine, instrument, live) { brokers.append(row) }
                let foreign = engine.foreignQuantity(of: instrument)
                guard foreign != .zero else { continue }
                others.append(
                    .members([
                        "symbol": .text(live.names.symbols[index]), "quantity": .exact(foreign),
                    ]))
            }
            return .members([
                "positions": .array(rows), "broker": .array(brokers), "others": .array(others),
            ])
        }
    }

    /// The account's whole position in a symbol as the broker has it: its quantity, average cost and profit.
    private static func brokerPosition(
        _ engine: borrowing Engine, _ instrument: InstrumentID, _ live: LiveSession
    ) -> JSONValue? {
        guard let position = engine.brokerPosition(of: instrument), position.quantity != .zero
        else { return nil }
        var object = JSONObject()
        object.set("symbol", .text(live.names.symbol(of: instrument)))
        object.set("quantity", .exact(position.quantity))
        object.set("average_price", position.averageCost.map { .exact($0) })
        if let figures = live.profit?.figures(of: instrument) {
            object.set("unrealized", figures.unrealized.map { .exact($0) })
            object.set("day_realized", figures.realized.map { .exact($0) })
        }
        return .object(object)
    }

    private static func position(
        _ engine: borrowing Engine, _ strategy: StrategyID, _ instrument: InstrumentID,
        _ names: SessionNames
    ) -> JSONValue? {
        let ledger = engine.portfolio.ledger(of: .strategy(strategy), in: instrument)
        guard ledger.quantity != .zero else { return nil }
        var object = JSONObject()
        object.set("symbol", .text(names.symbol(of: instrument)))
        object.set("strategy", .text(names.name(of: strategy)))
        object.set("quantity", .exact(ledger.quantity))
        object.set("average_price", ledger.averagePrice(multiplier: 1).map { .exact($0) })
        if let price = engine.portfolio.mark(of: instrument) {
            object.set("price", .exact(price))
            object.set("value", .exact((price * ledger.quantity).rounded()))
            object.set(
                "unrealized", .exact((price * ledger.quantity - ledger.cost).rounded()))
        }
        object.set("realized", .exact(ledger.realized.rounded()))
        object.set("charges", .exact(ledger.charges.rounded()))
        object.set(
            "broker_average_price",
            engine.brokerPosition(of: instrument)?.averageCost.map { .exact($0) })
        var exits = Quantity.zero
        for order in engine.orders.liveOrders(of: strategy, in: instrument)
        where engine.orders.request(of: order)?.purpose == .protection
            && engine.orders.request(of: order)?.type.stopPrice != nil
        {
            let open = engine.orders.open(order).units
            let (sum, overflowed) = exits.units.addingReportingOverflow(open)
            exits = overflowed ? .magnitudeMax : Quantity(units: sum)
        }
        object.set("stopped_quantity", .exact(exits))
        return .object(object)
    }

    /// Orders, oldest first.
    func orders(_ live: LiveSession, includesFinished: Bool) -> JSONValue {
        live.withEngine { engine in
            let all =
                includesFinished
                ? engine.orders.records.indices.map { engine.orders.records[$0].ticket.id }
                : engine.orders.allLive
            let rows = all.suffix(ControlRequest.rowsMax)
            var object: JSONObject = [
                .init(
                    "orders", .array(rows.compactMap { Self.order($0, engine, live) }))
            ]
            if rows.count < all.count {
                object.set("left_out", .integer(all.count - rows.count))
            }
            return .object(object)
        }
    }

    private static func order(
        _ id: OrderID, _ engine: borrowing Engine, _ live: LiveSession
    ) -> JSONValue? {
        guard let record = engine.orders.record(of: id) else { return nil }
        let names = live.names
        let request = record.ticket.request
        var object = JSONObject()
        object.set("order", .integer(id.number))
        object.set("symbol", .text(names.symbol(of: request.instrument)))
        object.set("strategy", .text(names.name(of: request.strategy)))
        object.set("purpose", .text(controlWord(request.purpose)))
        object.set("side", .text(controlWord(request.side)))
        object.set("type", .text(controlWord(request.type)))
        object.set("quantity", .exact(request.quantity))
        object.set("filled", .exact(record.facts.filled))
        object.set("limit_price", request.type.limitPrice.map { .exact($0) })
        object.set("stop_price", request.type.stopPrice.map { .exact($0) })
        object.set("price_cap", live.priceCap(of: id).map { .exact($0) })
        object.set("time_in_force", .text(controlWord(request.timeInForce)))
        object.set("submitted", .text("\(record.submitted)"))
        object.set("state", .text(engine.stateWords(of: id, record)))
        object.set(
            "reference", engine.brokerKey(of: id)?.reference.map { .text("\($0)") })
        return .object(object)
    }

    /// What has followed from an instruction: decisions, and the orders that they are about as they stand now.
    func answer(
        _ request: ControlRequest, _ consequences: LiveSession.Consequences, _ notes: [String],
        _ live: LiveSession
    ) -> JSONValue {
        var notes = notes
        if let failure = live.journalFailure {
            notes.append(
                "the journal cannot be written (\(failure)): nothing leaves before it can")
        }
        if live.link != .ready, consequences.commands.contains(where: \.isForBroker) {
            notes.append(
                "the link is \(controlWord(live.link)): what was decided leaves when it is READY")
        }
        var orders: [OrderID] = []
        for order in consequences.decisions.compactMap(\.subject.order)
            + consequences.commands.compactMap(\.order)
        where !orders.contains(order) {
            orders.append(order)
        }
        return live.withEngine { engine in
            .members([
                "done": .text(request.name),
                "decisions": .array(
                    consequences.decisions.map {
                        DecisionNote($0, live.names, reason: engine.reason(of: $0)).json
                    }),
                "orders": .array(orders.compactMap { Self.order($0, engine, live) }),
                "notes": .texts(notes),
            ])
        }
    }
}

extension Engine {
    /// True if it is not known what became of an order.
    fileprivate func isInDoubt(_ order: OrderID) -> Bool {
        switch orders.record(of: order)?.state {
        case .unknown, .executionsMissing: true
        case .unacknowledged, .working, .filled, .overfilled, .cancelled, .rejected, .notSent,
            .closed, nil:
            false
        }
    }

    /// Where an order stands, in words.
    func stateWords(of order: OrderID, _ record: OrderLedger.Record) -> String {
        let state = record.state
        if state == .working || state == .unacknowledged, let pending = pendingCancel(of: order) {
            switch pending {
            case .answer: return "cancel requested"
            case .marketClosed(let time): return "cancel requested, market closed until \(time)"
            case .link: return "cancel requested, waits for the link"
            }
        }
        return switch state {
        case .unacknowledged: "sent, not acknowledged"
        case .working: record.facts.filled > .zero ? "working, filled in part" : "working"
        case .filled: "filled"
        case .overfilled: "filled beyond its quantity"
        case .cancelled: "cancelled"
        case .rejected: "rejected"
        case .unknown: "unknown: it is being asked for"
        case .executionsMissing: "filled by the broker's word, executions are missing"
        case .notSent: "not sent"
        case .closed: "not at the broker any more"
        }
    }
}

extension Command {
    /// True if it is for the broker.
    fileprivate var isForBroker: Bool {
        switch self {
        case .submit, .modify, .cancel, .probe: true
        case .query, .setTimer: false
        }
    }

    /// The order that it is about.
    fileprivate var order: OrderID? {
        switch self {
        case .submit(let ticket), .modify(let ticket, _): ticket.id
        case .cancel(let order), .probe(let order): order
        case .query, .setTimer: nil
        }
    }
}

extension ControlRequest {
    /// The word of its command.
    var name: String {
        switch self {
        case .status: "status"
        case .positions: "positions"
        case .orders: "orders"
        case .decisions: "decisions"
        case .instruction(let instruction, _):
            switch instruction {
            case .halt: "halt"
            case .kill: "kill"
            case .resume, .resumeAll: "resume"
            case .stop: "stop"
            case .start: "start"
            case .cancel: "cancel"
            case .flatten: "flatten"
            case .resolve: "resolve"
            case .bookExecution: "book"
            case .adopt: "adopt"
            case .disown: "disown"
            case .clear: "clear"
            case .split: "split"
            case .cash: "cashflow"
            }
        }
    }
}
