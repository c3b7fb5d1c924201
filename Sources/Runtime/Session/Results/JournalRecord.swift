import Accounting
import Journal
import MarketState
import Model
import Orders
import Primitives
import Reporting
import TradingEngine

/// What the journals of a folder come to, as the reports of a backtest have it.
///
/// Orders, executions and equity are rebuilt from the files, from the first one to what is durable of the newest: no
/// strategy decides again, and a start in the middle of a day changes nothing.
struct JournalRecord {
    /// The record.
    private(set) var record: RunRecord
    /// The files that it was made of, oldest first.
    private(set) var files: [File] = []

    /// A file of the journal.
    struct File {
        /// Its name.
        let name: String
        /// The session day that it was begun on.
        let day: Day
        /// How many events it has.
        let events: Int
        /// The digest of its rows, in hexadecimal.
        let hash: String
    }

    /// What the newest engine says and no rebuilding does.
    struct Conclusions {
        /// How often the risk gate refused.
        var refusals: [RefusalCount] = []
        /// Limits on the account that were reached.
        var breaches: [BreachRecord] = []
        /// Why entries are halted.
        var haltCauses: [String] = []
        /// True if a halt lasts until a person lifts it.
        var isHalted = false
    }

    /// Reads the journals of a folder.
    ///
    /// - Throws: also where no session has begun yet.
    init(
        of folder: String, _ calendar: SessionCalendar, _ conclusions: Conclusions
    ) throws(RunFailure) {
        var collected = Collected(calendar)
        var newest: (file: String, before: Collected)?
        for part in JournalFolder.parts(in: folder) {
            let file = JournalFolder.file(of: part, in: folder)
            let before = collected
            guard let read = try collected.read(file) else { continue }
            files.append(
                File(
                    name: part.name, day: part.day, events: read.events,
                    hash: read.hash))
            newest = (file, before)
        }
        // Of all orders at once: the newest file's engine knows how they stand.
        guard var newest, var record = try newest.before.read(newest.file, concludes: true)?.record
        else {
            throw .file("\(folder): no session has begun in this journal.")
        }
        record.refusals = conclusions.refusals
        record.breaches = conclusions.breaches
        record.haltCauses = conclusions.haltCauses
        record.endedHalted = conclusions.isHalted
        self.record = record
    }
}

/// What was read of a journal so far.
private struct Collected {
    private let calendar: SessionCalendar
    private var orders: [OrderID: Known] = [:]
    private var revisions: [RevisionRecord] = []
    private var equity: [EquityPoint] = []
    private var flows: [CashFlow] = []
    private var exposed: [Day: Set<String>] = [:]
    private var capital: Money?
    private var from: Timestamp?
    private var bars = 0
    private var ticks = 0

    /// An order as the newest file that knows it has it.
    private struct Known {
        let order: OrderLedger.Record
        let words: IDWords
    }

    /// What a file has come to.
    struct Read {
        /// What all files have come to; `nil` where that was not asked for.
        let record: RunRecord?
        let events: Int
        let hash: String
    }

    init(_ calendar: SessionCalendar) { self.calendar = calendar }

    /// Reads a file behind those before.
    ///
    /// - Parameter concludes: whether it is the last.
    /// - Returns: `nil` where no session has begun in it.
    mutating func read(_ file: String, concludes: Bool = false) throws(RunFailure) -> Read? {
        var copy = self
        do throws(JournalReplay.Failure) {
            let journal = try JournalReplay(file) { begun throws(JournalReplay.Failure) in
                JournalReplay.Way(
                    .rebuilds, (try? begun.configuredThen()) ?? begun.saved.configuredOrphaned,
                    opening: begun.recorded)
            } follow: { batch, replay in
                replay.withEngine { copy.take(batch, $0) }
            }
            self = copy
            guard let answered = journal.answered else { return nil }
            let hash = journal.head.hash.map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
            let (events, setup) = (answered.replay.eventCount, answered.setup)
            let record = answered.replay.withEngine { engine in
                let words = IDWords(setup, reasons: engine.reasons)
                note(engine, words)
                return concludes ? finish(engine, words) : nil
            }
            return Read(record: record, events: events, hash: hash)
        } catch {
            throw error.runFailure
        }
    }

    private mutating func take(_ batch: RecordBatch, _ engine: borrowing Engine) {
        let now = engine.now
        if capital == nil { capital = engine.portfolio.equity.rounded() }
        // The opening is of an earlier time, or of none.
        if case .sessionOpened? = batch.events.first?.kind { return }
        for event in batch.events { take(event) }
        for recorded in batch.commands {
            guard case .modify(let ticket, _) = recorded.command else { continue }
            let at =
                batch.events.indices.contains(recorded.event)
                ? batch.events[recorded.event].at : now
            revisions.append(RevisionRecord(order: ticket.id, at: at))
        }
        noteEquity(engine)
    }

    private mutating func take(_ event: Event) {
        if case .bar(let bar) = event.kind {
            bars += 1
            from = from ?? bar.start
        } else if event.kind.isTick {
            ticks += 1
            from = from ?? event.at
        } else if case .cashMovement(let movement) = event.kind {
            note(movement, at: event.at)
        } else if case .operatorRequest(let request) = event.kind,
            case .cash(let movement) = request.action
        {
            note(movement, at: event.at)
        }
    }

    /// The last value of a day with a session is that of the day.
    private mutating func noteEquity(_ engine: borrowing Engine) {
        let day = calendar.day(of: engine.now)
        guard calendar.hasSession(on: day) else { return }
        let point = EquityPoint(
            day: day, at: engine.now, equity: engine.portfolio.equity.rounded(),
            cash: engine.portfolio.cash.rounded(),
            grossExposure: engine.portfolio.grossExposure.rounded())
        if equity.last?.day == day {
            equity[equity.count - 1] = point
        } else {
            equity.append(point)
        }
    }

    /// Money that came or went; what it was before is what the batch before has left.
    private mutating func note(_ movement: CashMovement, at time: Timestamp) {
        guard movement.cause == .transfer else { return }
        flows.append(
            CashFlow(
                day: calendar.day(of: time), at: time, amount: movement.amount,
                equityBefore: equity.last?.equity ?? capital ?? .zero))
    }

    // MARK: The end of a file

    private mutating func note(_ engine: borrowing Engine, _ words: IDWords) {
        for index in engine.orders.records.indices {
            let order = engine.orders.records[index]
            orders[order.ticket.id] = Known(order: order, words: words)
        }
        noteExposure(engine, words)
    }

    private func finish(_ engine: borrowing Engine, _ words: IDWords) -> RunRecord {
        var changes: [OrderID: Int] = [:]
        for revision in revisions { changes[revision.order, default: 0] += 1 }
        var numbers = IDNumbers(words)
        var (records, fills) = ([OrderRecord](), [FillRecord]())
        // In the order of their numbers: a dictionary has none.
        for id in orders.keys.sorted() {
            guard let known = orders[id] else { continue }
            records.append(
                numbers.record(
                    of: known.order, known.words, changes: changes[id] ?? 0, &fills))
        }
        fills.sort {
            ($0.execution.time, $0.execution.id.base, $0.order)
                < ($1.execution.time, $1.execution.id.base, $1.order)
        }
        let names = words.strategies
        let recorded = RunRecorder.Recorded(
            orders: records, fills: fills, revisions: revisions, equity: equity,
            cashFlows: flows, decisions: [], scores: [],
            exposedSessions: names.count > 1
                ? names.map { name in exposed.values.count { $0.contains(name) } } : [])
        var run = RunFrame(
            instruments: words.instruments, names: names, capital: capital ?? .zero,
            from: from ?? engine.now, to: engine.now)
        run.barCount = bars
        run.tickCount = ticks
        var record = RunRecord(recorded, of: run, behind: engine)
        record.instruments = numbers.instruments
        record.strategies = numbers.strategies
        record.reasons = numbers.reasons
        return record
    }

    private mutating func noteExposure(_ engine: borrowing Engine, _ words: IDWords) {
        guard words.strategies.count > 1, let day = equity.last?.day else { return }
        var held: Set<String> = []
        for (index, name) in words.strategies.enumerated() {
            let owner = Attribution.strategy(StrategyID(index: index))
            for instrument in words.instruments
            where engine.portfolio.ledger(of: owner, in: instrument.id).quantity != .zero {
                held.insert(name)
            }
        }
        exposed[day] = held
    }
}

extension Event.Kind {
    fileprivate var isTick: Bool {
        if case .quote = self { return true }
        if case .trade = self { return true }
        return false
    }
}

/// The words that a file's ids stand for.
private struct IDWords {
    let instruments: [Instrument]
    let strategies: [String]
    let reasons: [String]

    init(_ setup: SessionSetup, reasons: [String]) {
        instruments = setup.engine.instruments
        strategies = setup.strategies.map(\.name)
        self.reasons = reasons
    }
}

/// The newest file's ids; what only older files know comes behind.
private struct IDNumbers {
    private(set) var instruments: [Instrument]
    private(set) var strategies: [String]
    private(set) var reasons: [String]

    init(_ words: IDWords) {
        instruments = words.instruments
        strategies = words.strategies
        reasons = words.reasons
    }

    /// An order of a file, and its executions.
    mutating func record(
        of order: OrderLedger.Record, _ words: IDWords, changes: Int, _ fills: inout [FillRecord]
    ) -> OrderRecord {
        let request = request(order.ticket.request, words)
        var (value, commission) = (ExactMoney.zero, Money.zero)
        order.facts.forEachExecution { execution, charged in
            guard execution.quantity > .zero else { return }
            value += execution.price * execution.quantity
            commission += charged
            fills.append(
                FillRecord(
                    execution: Execution(
                        id: execution.id, instrument: request.instrument, side: execution.side,
                        quantity: execution.quantity, price: execution.price,
                        time: execution.time),
                    order: order.ticket.id, strategy: request.strategy, commission: charged,
                    reason: request.reason))
        }
        let filled = order.facts.filled
        let average =
            filled > .zero
            ? Int64(exactly: value.units.dividedHalfToEven(by: Int128(filled.units))) : nil
        var record = OrderRecord(
            ticket: OrderTicket(id: order.ticket.id, request: request),
            submitted: order.submitted,
            state: order.facts.outcome(ordered: request.quantity), filled: filled,
            averagePrice: average.map(Price.init(units:)), commission: commission,
            finishedAt: order.endedAt)
        record.revisionCount = changes
        return record
    }

    private mutating func request(_ request: OrderRequest, _ words: IDWords) -> OrderRequest {
        OrderRequest(
            strategy: strategy(request.strategy, words),
            instrument: instrument(request.instrument, words), side: request.side,
            quantity: request.quantity, type: request.type, timeInForce: request.timeInForce,
            purpose: request.purpose, reason: reason(request.reason, words),
            parent: request.parent, group: request.group, outsideRTH: request.outsideRTH)
    }

    private mutating func instrument(_ id: InstrumentID, _ words: IDWords) -> InstrumentID {
        let index = Int(id.index)
        let known = words.instruments[index]
        if instruments.indices.contains(index), instruments[index].symbol == known.symbol {
            return id
        }
        if let found = instruments.first(where: { $0.symbol == known.symbol }) { return found.id }
        var added = Instrument(
            id: InstrumentID(index: instruments.count), symbol: known.symbol)
        added.tickSize = known.tickSize
        instruments.append(added)
        return added.id
    }

    private mutating func strategy(_ id: StrategyID, _ words: IDWords) -> StrategyID {
        StrategyID(index: Self.number(of: words.strategies, Int(id.index), in: &strategies))
    }

    private mutating func reason(_ id: TextID, _ words: IDWords) -> TextID {
        guard words.reasons.indices.contains(Int(id.index)) else { return .none }
        return TextID(index: Self.number(of: words.reasons, Int(id.index), in: &reasons))
    }

    private static func number(
        of words: [String], _ index: Int, in known: inout [String]
    ) -> Int {
        let word = words[index]
        if known.indices.contains(index), known[index] == word { return index }
        if let found = known.firstIndex(of: word) { return found }
        known.append(word)
        return known.count - 1
    }
}
