import Journal
import Model
import Primitives

/// The orders that a session has decided on, as far as the journal has them.
final class ChaosOrders {
    /// The newest terms of each order.
    private(set) var tickets: [OrderID: OrderTicket] = [:]
    /// The gateway's mark behind which the journal had each order.
    private(set) var written: [OrderID: Int] = [:]
    /// The entries that followed from each intent, oldest first.
    private(set) var entries: [Intent: [OrderID]] = [:]

    /// An intent about an instrument.
    struct Intent: Hashable, Comparable {
        let number: Int64
        let instrument: InstrumentID

        static func < (left: Intent, right: Intent) -> Bool {
            (left.number, left.instrument) < (right.number, right.instrument)
        }
    }

    /// Takes in a batch that is durable now.
    ///
    /// - Parameter mark: what leaves from now on is behind this mark of the gateway's.
    func take(_ batch: RecordBatch, at mark: Int) {
        for recorded in batch.commands {
            switch recorded.command {
            case .submit(let ticket):
                tickets[ticket.id] = ticket
                written[ticket.id] = written[ticket.id] ?? mark
            case .modify(let ticket, _): tickets[ticket.id] = ticket
            case .cancel, .probe, .query, .setTimer: break
            }
        }
        for decision in batch.decisions ?? [] {
            guard decision.kind == .submitted(.entry), let number = decision.subject.intent,
                let instrument = decision.subject.instrument, let order = decision.subject.order
            else { continue }
            let intent = Intent(number: number, instrument: instrument)
            if entries[intent]?.contains(order) != true {
                entries[intent, default: []].append(order)
            }
        }
    }

    /// The newest terms of the order that carries a reference; `nil` for one that is not the session's.
    func ticket(of reference: String) -> OrderTicket? {
        OrderReference(parsing: reference).flatMap { tickets[$0.order] }
    }
}

/// A journal of which is noted when it has the orders that it was given.
final class ChaosRecord: SessionRecord {
    private let base: any SessionRecord
    private let orders: ChaosOrders
    private let gateway: SimulatedGateway
    /// What was given and is not durable.
    private var pending: [RecordBatch] = []

    init(_ base: any SessionRecord, _ orders: ChaosOrders, _ gateway: SimulatedGateway) {
        self.base = base
        self.orders = orders
        self.gateway = gateway
    }

    var freeSpace: Int64? { base.freeSpace }

    var isAwaited: Bool { base.isAwaited }

    func append(_ batch: RecordBatch, at time: Timestamp) {
        base.append(batch, at: time)
        if !batch.commands.isEmpty { pending.append(batch) }
    }

    func commit() throws(JournalError) {
        try base.commit()
        guard !pending.isEmpty else { return }
        let mark = gateway.mark()
        for batch in pending { orders.take(batch, at: mark) }
        pending.removeAll(keepingCapacity: true)
    }
}
