import Catalog
import Model
import Orders
import Primitives
import Reporting
import Signals

/// What a run's report says of orders and fills, from what the engine knows of them.
struct TradeRecords {
    /// By number.
    private(set) var orders: [OrderRecord] = []
    /// In the order in which the venue executed them.
    private(set) var fills: [FillRecord] = []
    /// In the order in which they were asked for.
    private(set) var revisions: [RevisionRecord] = []

    init(of ledger: borrowing OrderLedger) {
        orders.reserveCapacity(ledger.records.count)
        fills.reserveCapacity(ledger.records.count)
        for place in ledger.records.indices { add(ledger.records[place]) }
        for (order, at) in ledger.revisions { addRevision(of: order, at: at) }
        // The venue numbers executions in the order in which they happen.
        fills.sort { $0.execution.id.base < $1.execution.id.base }
    }

    private mutating func add(_ record: OrderLedger.Record) {
        let request = record.ticket.request
        var sums = Sums()
        record.facts.forEachExecution { execution, commission in
            // One that the venue took back is none.
            guard execution.quantity > .zero else { return }
            sums.add(execution, commission)
            fills.append(
                FillRecord(
                    execution: execution, order: record.ticket.id, strategy: request.strategy,
                    commission: commission, reason: request.reason))
        }
        orders.append(
            OrderRecord(
                ticket: record.ticket, submitted: record.submitted,
                state: record.facts.outcome(ordered: request.quantity), filled: sums.quantity,
                averagePrice: sums.averagePrice, commission: sums.commission,
                finishedAt: record.ended))
    }

    private mutating func addRevision(of order: OrderID, at time: Timestamp) {
        revisions.append(RevisionRecord(order: order, at: time))
        // Numbers rise, and leave out what others have used.
        let place = orders.firstIndex(behind: { $0.ticket.id < order })
        guard place < orders.count, orders[place].ticket.id == order else { return }
        orders[place].revisionCount += 1
    }

    /// What the executions of one order come to.
    private struct Sums {
        var quantity = Quantity.zero
        var value = ExactMoney.zero
        var commission = Money.zero

        mutating func add(_ execution: Execution, _ commission: Money) {
            quantity += execution.quantity
            value += execution.price * execution.quantity
            self.commission += commission
        }

        var averagePrice: Price? {
            guard quantity > .zero else { return nil }
            let units = value.units.dividedHalfToEven(by: Int128(quantity.units))
            return Int64(exactly: units).map(Price.init(units:))
        }
    }
}

extension OrderFacts {
    /// What became of an order for `quantity`.
    fileprivate func outcome(ordered quantity: Quantity) -> OrderOutcome {
        switch state(ordered: quantity) {
        case .unacknowledged, .working, .unknown, .executionsMissing: .working
        case .filled, .overfilled: .filled
        // The state says that there is a cause.
        case .cancelled, .notSent, .closed: .cancelled(cancelled ?? .external)
        case .rejected: .rejected(rejected ?? .notTradable)
        }
    }
}

extension ScoreRecord {
    /// A score that a strategy noted.
    init(_ note: ScoreNote) {
        self.init(
            at: note.at, strategy: note.strategy, instrument: note.instrument, score: note.score,
            rank: note.rank > 0 ? Int(note.rank) : nil, held: note.held)
    }
}
