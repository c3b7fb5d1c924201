import Accounting
import Journal
import Model
import Orders
import Primitives
import Reporting
import TradingEngine

/// `martlet replay FOLDER --tables FILE`: the content of a journal as tables for queries.
///
/// A second engine answers the recorded events; what it concludes and comes to fills the tables.
package struct JournalTables: Sendable {
    /// How many rows each table has.
    package private(set) var counts: [(table: String, rows: Int)] = []

    /// Makes the tables anew.
    ///
    /// - Parameters:
    ///   - path: a journal's folder, or one of its files.
    ///   - file: where the tables go; one that is there is replaced.
    package init(of path: String, into file: String) throws(RunFailure) {
        let parts = JournalFolder.parts(in: path).map { JournalFolder.file(of: $0, in: path) }
        guard !parts.contains(file), path != file else {
            throw .usage("\(file) is the journal itself: name another file for its tables.")
        }
        do throws(JournalError) {
            let projection = try JournalProjection(creating: file)
            var counts = Dictionary(
                uniqueKeysWithValues: JournalProjection.Table.allCases.map { ($0, 0) })
            var orders: Set<Int64> = []
            var executions: Set<Int64> = []
            var brokerWords: [OrderID: BrokerWords] = [:]
            for part in parts.isEmpty ? [path] : parts {
                let rows: FileRows
                do throws(RunFailure) { rows = try Self.rows(of: part, &brokerWords) } catch {
                    throw JournalError.file(part, "\(error)")
                }
                try projection.add(rows.tables)
                orders.formUnion(rows.orderIDs)
                executions.formUnion(rows.executionIDs)
                counts[.files, default: 0] += rows.files.values.count
                counts[.positions, default: 0] += rows.positions.values.count
                counts[.equity, default: 0] += rows.equity.values.count
                counts[.decisions, default: 0] += rows.decisions.values.count
                counts[.instructions, default: 0] += rows.instructions.values.count
            }
            counts[.orders] = orders.count
            counts[.executions] = executions.count
            try projection.finish()
            self.counts = JournalProjection.Table.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
        } catch {
            throw .file("\(error)")
        }
    }

    // MARK: One file

    private struct FileRows {
        var files = JournalProjection.Rows(.files)
        var orders = JournalProjection.Rows(.orders)
        var executions = JournalProjection.Rows(.executions)
        var positions = JournalProjection.Rows(.positions)
        var equity = JournalProjection.Rows(.equity)
        var decisions = JournalProjection.Rows(.decisions)
        var instructions = JournalProjection.Rows(.instructions)

        var tables: [JournalProjection.Rows] {
            [files, orders, executions, positions, equity, decisions, instructions]
        }
        var orderIDs: [Int64] { orders.values.compactMap(\.first?.number) }
        var executionIDs: [Int64] { executions.values.compactMap(\.first?.number) }
    }

    private static func rows(
        of file: String, _ brokerWords: inout [OrderID: BrokerWords]
    ) throws(RunFailure) -> FileRows {
        do throws(JournalReplay.Failure) {
            if let rows = try rows(of: file, under: .decides, &brokerWords) { return rows }
            // Of another program's answers only what happened is known.
            return try rows(of: file, under: .rebuilds, &brokerWords) ?? FileRows()
        } catch {
            throw error.runFailure
        }
    }

    /// `nil` if the answers are not the recorded ones.
    private static func rows(
        of file: String, under law: Replay.Law, _ brokerWords: inout [OrderID: BrokerWords]
    ) throws(JournalReplay.Failure) -> FileRows? {
        var decisions: [Decision] = []
        var equity: [[JournalProjection.Value]] = []
        var messages = BrokerMessages()
        let name = name(of: file)
        var instructions = InstructionRows(of: name)
        let journal = try JournalReplay(file) { begun throws(JournalReplay.Failure) in
            do throws(RunFailure) {
                return JournalReplay.Way(
                    law, try begun.configuredThen(), opening: begun.recorded)
            } catch {
                throw .run(error)
            }
        } follow: { batch, replay in
            messages.take(batch.events)
            instructions.take(batch)
            guard law == .decides else { return }
            decisions += replay.decisions
            guard batch.events.contains(where: { $0.kind.isSliceEnd }) else { return }
            equity.append(replay.withEngine { $0.equityRow })
        }
        guard let answered = journal.answered else { return FileRows() }
        guard answered.replay.difference == nil else { return nil }
        let setup = answered.setup
        var rows = answered.replay.withEngine { engine in
            let words = RowWords(setup, reasons: engine.reasons)
            var rows = FileRows()
            rows.orders.values = words.orders(of: engine, messages, &brokerWords)
            rows.executions.values = words.executions(of: engine)
            rows.positions.values = words.positions(of: engine, in: name)
            rows.decisions.values = decisions.map { words.decision($0) }
            return rows
        }
        rows.equity.values = equity
        rows.instructions.values = instructions.rows(SessionNames(setup))
        rows.files.values = [
            [
                .text(name), .text("\(answered.begun.recorded.day)"),
                .integer(Int64(journal.head.batchCount)),
                .integer(Int64(answered.replay.eventCount)), .integer(law == .decides ? 1 : 0),
            ]
        ]
        return rows
    }

    private static func name(of file: String) -> String {
        let name = file.split(separator: "/").last.map { String($0) } ?? file
        return name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    }
}

extension Event.Kind {
    fileprivate var isSliceEnd: Bool { if case .sliceClosed = self { true } else { false } }
}

extension JournalProjection.Value {
    fileprivate var number: Int64? { if case .integer(let number) = self { number } else { nil } }

    fileprivate init(_ text: String?) { self = text.map { .text($0) } ?? .absent }

    fileprivate init(_ id: Int64?) { self = id.map { .integer($0) } ?? .absent }

    fileprivate init(decimal value: (some CustomStringConvertible)?) {
        self = value.map { .number("\($0)") } ?? .absent
    }

    /// A name of the program's as tables write words.
    fileprivate init(word value: some Any) {
        // Of a case with a payload the name alone.
        let name = String(describing: value).prefix { $0 != "(" }
        self = .text(DecisionWords.word(String(name)))
    }
}

extension Engine {
    fileprivate var equityRow: [JournalProjection.Value] {
        [
            .text("\(now)"), .number("\(portfolio.equity.rounded())"),
            .number("\(portfolio.cash.rounded())"),
        ]
    }
}

/// What the broker has said about orders, as a journal's file has it.
private struct BrokerMessages {
    private var names = NameTable()
    // Looked up only.
    private var newest: [BrokerOrderID: Report] = [:]

    private struct Report {
        let key: BrokerOrderKey
        let message: BrokerMessage
        let isEnd: Bool
    }

    /// Takes in what of a batch was said about orders.
    mutating func take(_ events: [Event]) {
        for event in events {
            if case .name(let chunk) = event.kind {
                _ = names.add(chunk)
            } else if case .brokerOrder(let report) = event.kind {
                take(report)
            }
        }
    }

    private mutating func take(_ report: BrokerReport) {
        guard let number = report.key.order else { return }
        if case .rejectedByBroker(let message) = report.fact {
            newest[number] = Report(key: report.key, message: message, isEnd: true)
        } else if case .cancelledByBroker(let message) = report.fact {
            newest[number] = Report(key: report.key, message: message, isEnd: true)
        } else if case .message(let message) = report.fact, newest[number]?.isEnd != true {
            // What has ended an order says more than what came before or behind it.
            newest[number] = Report(key: report.key, message: message, isEnd: false)
        }
    }

    /// The newest about an order, that of its end first; `nil` where nothing was said.
    func words(about order: OrderID, _ engine: borrowing Engine) -> BrokerWords? {
        guard let key = engine.brokerKey(of: order), let number = key.order,
            let report = newest[number], report.key.client == nil || report.key.client == key.client
        else { return nil }
        return BrokerWords(code: report.message.code, text: names[report.message.text])
    }
}

/// A code and its text.
private struct BrokerWords {
    let code: Int32
    let text: String?
}

/// Rows of tables, with the names that ids stand for.
private struct RowWords {
    private let symbols: [String]
    private let strategies: [String]
    private let reasons: [String]

    init(_ setup: SessionSetup, reasons: [String]) {
        symbols = setup.engine.instruments.map(\.symbol)
        strategies = setup.strategies.map(\.name)
        self.reasons = reasons
    }

    private func symbol(_ id: InstrumentID?) -> JournalProjection.Value {
        JournalProjection.Value(id.flatMap { name(Int($0.index), in: symbols) })
    }

    private func strategy(_ id: StrategyID?) -> JournalProjection.Value {
        JournalProjection.Value(id.flatMap { name(Int($0.index), in: strategies) })
    }

    private func reason(_ id: TextID) -> JournalProjection.Value {
        JournalProjection.Value(name(Int(id.index), in: reasons).flatMap { $0.isEmpty ? nil : $0 })
    }

    private func name(_ index: Int, in names: [String]) -> String? {
        names.indices.contains(index) ? names[index] : nil
    }

    func orders(
        of engine: borrowing Engine, _ messages: BrokerMessages,
        _ brokerWords: inout [OrderID: BrokerWords]
    ) -> [[JournalProjection.Value]] {
        var rows: [[JournalProjection.Value]] = []
        for index in engine.orders.records.indices {
            let record = engine.orders.records[index]
            let request = record.ticket.request
            // What an earlier file has of it holds while nothing more is said.
            let order = record.ticket.id
            brokerWords[order] = messages.words(about: order, engine) ?? brokerWords[order]
            rows.append([
                .integer(record.ticket.id.number), .text("\(record.submitted)"),
                symbol(request.instrument), strategy(request.strategy),
                JournalProjection.Value(word: request.purpose),
                JournalProjection.Value(word: request.side),
                JournalProjection.Value(word: request.type), .number("\(request.quantity)"),
                JournalProjection.Value(decimal: request.type.limitPrice),
                JournalProjection.Value(decimal: request.type.stopPrice),
                JournalProjection.Value(word: request.timeInForce),
                JournalProjection.Value(request.parent?.number),
                JournalProjection.Value(request.group.map { Int64($0.number) }),
                JournalProjection.Value(word: record.state), .number("\(record.facts.filled)"),
                reason(request.reason),
                JournalProjection.Value(brokerWords[order].map { Int64($0.code) }),
                JournalProjection.Value(brokerWords[order]?.text.flatMap { $0.isEmpty ? nil : $0 }),
            ])
        }
        return rows
    }

    func executions(of engine: borrowing Engine) -> [[JournalProjection.Value]] {
        var rows: [[JournalProjection.Value]] = []
        for index in engine.orders.records.indices {
            let record = engine.orders.records[index]
            let owner = record.ticket.request.strategy
            let uncharged = record.facts.unchargedExecutions.map(\.id)
            record.facts.forEachExecution { execution, commission in
                rows.append([
                    .integer(execution.id.base), .integer(Int64(execution.id.revision)),
                    .integer(record.ticket.id.number), .text("\(execution.time)"),
                    symbol(execution.instrument), strategy(owner),
                    JournalProjection.Value(word: execution.side),
                    .number("\(execution.quantity)"), .number("\(execution.price)"),
                    uncharged.contains(execution.id) ? .absent : .number("\(commission)"),
                ])
            }
        }
        return rows
    }

    func positions(of engine: borrowing Engine, in file: String) -> [[JournalProjection.Value]] {
        var rows: [[JournalProjection.Value]] = []
        for index in symbols.indices {
            let instrument = InstrumentID(index: index)
            let quantity = engine.portfolio.quantity(of: instrument)
            guard quantity != .zero else { continue }
            rows.append([
                .text(file), .text(symbols[index]), .text("\(engine.now)"),
                .number("\(quantity)"),
                JournalProjection.Value(decimal: engine.portfolio.mark(of: instrument)),
                .number("\(engine.portfolio.value(of: instrument).rounded())"),
            ])
        }
        return rows
    }

    func decision(_ decision: Decision) -> [JournalProjection.Value] {
        let figures = decision.figures.all.map { "\(DecisionWords.name($0.name))=\($0.text)" }
        return [
            .integer(decision.number), .text("\(decision.at)"),
            JournalProjection.Value(word: decision.kind.severity),
            .text(DecisionWords.kind(decision.kind)),
            JournalProjection.Value(DecisionWords.detail(decision.kind)),
            symbol(decision.subject.instrument), strategy(decision.subject.strategy),
            JournalProjection.Value(decision.subject.intent),
            JournalProjection.Value(decision.subject.order?.number),
            JournalProjection.Value(figures.isEmpty ? nil : figures.joined(separator: " ")),
            reason(decision.reason),
        ]
    }
}
