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
    private static let keptMax: Int64 = 20_000

    // Looked up only.
    private var known: [Int64: Known] = [:]
    /// How often all orders were looked through: for executions whose reports name no order that has them.
    private(set) var searchCount = 0

    /// What was written of an execution.
    private struct Known {
        let order: OrderID
        let version: Version
    }

    /// What there is to write of an execution.
    private struct Version: Equatable {
        let revision: Int32
        let commission: Money?
    }

    /// An execution that an event is about.
    fileprivate struct Mention {
        /// Its number.
        let base: Int64
        /// The order that it is of, as the event has it; `nil` where it names none.
        let order: OrderID?
    }

    /// An execution as the ledger has it.
    private struct Booked {
        let execution: Execution
        let ticket: OrderTicket
        /// What it has cost; `nil` while that is not known.
        let commission: Money?

        var known: Known {
            Known(
                order: ticket.id,
                version: Version(revision: execution.id.revision, commission: commission))
        }
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
        let mentions = events.compactMap { event in
            event.kind.execution.map { (at: event.at, execution: $0) }
        }
        guard !mentions.isEmpty else { return [] }
        let found = find(mentions.map { $0.execution }, in: engine)
        var entries: [LogEntry] = []
        for (time, mention) in mentions {
            guard let booked = found[mention.base],
                known[mention.base]?.version != booked.known.version
            else { continue }
            let former = known.updateValue(booked.known, forKey: mention.base)?.version
            entries.append(Self.entry(of: booked, behind: former, names, engine, at: time))
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

    /// Those of some executions that are of our orders, by number. Mostly it is known which order to look at.
    private mutating func find(
        _ mentions: [Mention], in engine: borrowing Engine
    ) -> [Int64: Booked] {
        var found: [Int64: Booked] = [:]
        var missing: Set<Int64> = []
        for mention in mentions where found[mention.base] == nil {
            if let order = known[mention.base]?.order ?? mention.order,
                let record = engine.orders.record(of: order),
                let booked = Self.executions(of: record).first(where: {
                    $0.execution.id.base == mention.base
                })
            {
                found[mention.base] = booked
            } else {
                missing.insert(mention.base)
            }
        }
        guard !missing.isEmpty else { return found }
        searchCount += 1
        // Once for all of them, the newest orders first.
        for index in engine.orders.records.indices.reversed() where !missing.isEmpty {
            var isAnyThere = false
            engine.orders.records[index].facts.forEachExecution { execution, _ in
                if missing.contains(execution.id.base) { isAnyThere = true }
            }
            guard isAnyThere else { continue }
            for booked in Self.executions(of: engine.orders.records[index])
            where missing.remove(booked.execution.id.base) != nil {
                found[booked.execution.id.base] = booked
            }
        }
        return found
    }

    private static func entry(
        of booked: Booked, behind former: Version?, _ names: SessionNames,
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
    fileprivate var execution: TradeEntries.Mention? {
        if case .brokerOrder(let report) = self {
            return report.fact.execution.map {
                TradeEntries.Mention(base: $0, order: report.key.reference?.order)
            }
        }
        if case .order(let report) = self {
            return report.fact.execution.map {
                TradeEntries.Mention(base: $0, order: report.order)
            }
        }
        if case .listing(.execution(let key, let execution)) = self {
            return TradeEntries.Mention(base: execution.id.base, order: key.reference?.order)
        }
        if case .operatorRequest(let request) = self,
            case .bookExecution(let order, let execution) = request.action
        {
            return TradeEntries.Mention(base: execution.id.base, order: order)
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
