import Configuration
import Model
import Orders
import Primitives
import Reporting
import TradingEngine

/// Entries about executions: one when it is booked, one when its commission comes later, one when the broker corrects
/// it. They go by the ledger, so that what comes twice, or late, or from a list, is written once.
struct TradeEntries {
    /// How many executions are known at least: none that old comes again.
    private static let keptMax: Int64 = 50_000

    // Looked up only.
    private var known: [Int64: Known] = [:]

    /// What was written of an execution.
    private struct Known: Equatable {
        let revision: Int32
        let commission: Money?
    }

    /// An execution as the ledger has it.
    private struct Booked {
        let execution: Execution
        let ticket: OrderTicket
        /// What it has cost; `nil` while that is not known.
        let commission: Money?

        var known: Known { Known(revision: execution.id.revision, commission: commission) }
    }

    /// Takes everything that an engine begins with for written.
    mutating func begin(with engine: borrowing Engine) {
        for index in engine.orders.records.indices {
            for one in Self.executions(of: engine.orders.records[index]) {
                known[one.execution.id.base] = one.known
            }
        }
    }

    /// Makes entries of the executions that events have changed.
    mutating func take(
        _ events: [Event], _ names: SessionNames, _ engine: borrowing Engine
    ) -> [LogEntry] {
        var entries: [LogEntry] = []
        for event in events {
            guard let base = event.kind.execution, let booked = Self.find(base, in: engine),
                known[base] != booked.known
            else { continue }
            let former = known.updateValue(booked.known, forKey: base)
            entries.append(Self.entry(of: booked, behind: former, names, engine, at: event.at))
        }
        forgetOldest()
        return entries
    }

    private mutating func forgetOldest() {
        guard known.count > 2 * Int(Self.keptMax), let newest = known.keys.max() else { return }
        known = known.filter { $0.key > newest - Self.keptMax }
    }

    private static func executions(of record: OrderLedger.Record) -> [Booked] {
        let uncharged = record.facts.unchargedExecutions.map(\.id)
        var executions: [Booked] = []
        record.facts.forEachExecution { execution, commission in
            executions.append(
                Booked(
                    execution: execution, ticket: record.ticket,
                    commission: uncharged.contains(execution.id) ? nil : commission))
        }
        return executions
    }

    /// The newest orders first: mostly it is of one of them.
    private static func find(_ base: Int64, in engine: borrowing Engine) -> Booked? {
        for index in engine.orders.records.indices.reversed() {
            var isThere = false
            engine.orders.records[index].facts.forEachExecution { execution, _ in
                if execution.id.base == base { isThere = true }
            }
            guard isThere else { continue }
            return executions(of: engine.orders.records[index])
                .first { $0.execution.id.base == base }
        }
        return nil
    }

    private static func entry(
        of booked: Booked, behind former: Known?, _ names: SessionNames,
        _ engine: borrowing Engine, at now: Timestamp
    ) -> LogEntry {
        let (execution, request) = (booked.execution, booked.ticket.request)
        let isNews = former?.revision != execution.id.revision
        let word = former == nil ? "FILL" : isNews ? "CORRECTION" : "COMMISSION"
        var entry = LogEntry(at: now, isNews ? .info : .debug, .executions, word)
        entry.isTrade = true
        entry.set("time", .text("\(execution.time)"))
        entry.set("symbol", .text(names.symbol(of: execution.instrument)))
        entry.set("side", .text(controlWord(execution.side)))
        entry.set("quantity", .exact(execution.quantity))
        entry.set("price", .exact(execution.price))
        entry.set("commission", booked.commission.map { .exact($0) })
        entry.set("order", .integer(booked.ticket.id.number))
        entry.set("execution", .text("\(execution.id.base).\(execution.id.revision)"))
        entry.set("strategy", .text(names.name(of: request.strategy)))
        entry.set("purpose", .text(controlWord(request.purpose)))
        let reason = Int(request.reason.index)
        let words = engine.reasons.indices.contains(reason) ? engine.reasons[reason] : ""
        entry.set("reason", words.isEmpty ? nil : .text(words))
        return entry
    }
}

extension Event.Kind {
    /// The execution that it is about; `nil` for none.
    fileprivate var execution: Int64? {
        if case .brokerOrder(let report) = self { return report.fact.execution }
        if case .order(let report) = self { return report.fact.execution }
        if case .listing(.execution(_, let execution)) = self { return execution.id.base }
        if case .operatorRequest(let request) = self,
            case .bookExecution(_, let execution) = request.action
        {
            return execution.id.base
        }
        return nil
    }
}

extension OrderFact {
    fileprivate var execution: Int64? {
        if case .executed(let execution) = self { return execution.id.base }
        if case .commission(let report) = self { return report.execution.base }
        return nil
    }
}
