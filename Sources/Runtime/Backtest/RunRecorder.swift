import Accounting
import Model
import Orders
import Primitives
import Reporting
import TradingEngine

/// Writes down what a run's report is made of, from the engine's events and commands.
struct RunRecorder: Sendable {
    private(set) var fills: [FillRecord] = []
    private var orders: [OrderTrace] = []
    private(set) var equity: [EquityPoint] = []
    /// Charges that overtook their execution, by its base id.
    private var earlyCharges: [Int64: Money] = [:]

    /// What has become of one order so far.
    private struct OrderTrace: Sendable {
        let ticket: OrderTicket
        let submitted: Timestamp
        var outcome = OrderOutcome.working
        var filled = Quantity.zero
        var value = ExactMoney.zero
        var commission = Money.zero
        var ended: Timestamp?

        var averagePrice: Price? {
            guard filled > .zero else { return nil }
            let units = value.units.dividedHalfToEven(by: Int128(filled.units))
            return Int64(exactly: units).map(Price.init(units:))
        }
    }

    /// Nothing recorded yet. Memory for many orders is set aside, and taken when it is used.
    init() {
        fills.reserveCapacity(Self.capacity)
        orders.reserveCapacity(Self.capacity)
    }

    private static let capacity = 1 << 16

    /// An order leaves.
    mutating func submitted(_ ticket: OrderTicket, at instant: Timestamp) {
        orders.append(OrderTrace(ticket: ticket, submitted: instant))
    }

    /// The venue said something about an order of this run.
    mutating func reported(_ report: OrderReport, at instant: Timestamp) {
        let index = Int(report.order.number) - 1
        switch report.fact {
        case .acknowledged: return
        case .cancelled(let cause): end(index, .cancelled(cause), instant)
        case .rejected(let cause): end(index, .rejected(cause), instant)
        case .executed(let execution): executed(execution, index, instant)
        case .commission(let report): charged(report, index)
        }
    }

    /// Writes down the account as it is now, in the session of `day`.
    mutating func noteEquity(_ day: Day, _ engine: borrowing Engine) {
        equity.append(
            EquityPoint(
                day: day, at: engine.now, equity: engine.books.equity.rounded(),
                cash: engine.books.cash.rounded(),
                grossExposure: engine.books.grossExposure.rounded()))
    }

    /// The orders recorded.
    var orderRecords: [OrderRecord] {
        orders.map { trace in
            OrderRecord(
                ticket: trace.ticket, submitted: trace.submitted, state: trace.outcome,
                filled: trace.filled, averagePrice: trace.averagePrice,
                commission: trace.commission, ended: trace.ended)
        }
    }

    private mutating func executed(_ execution: Execution, _ index: Int, _ instant: Timestamp) {
        let request = orders[index].ticket.request
        fills.append(
            FillRecord(
                execution: execution, order: orders[index].ticket.id, strategy: request.strategy,
                commission: earlyCharge(of: execution.id),
                reason: request.reason))
        orders[index].filled += execution.quantity
        orders[index].value += execution.price * execution.quantity
        if orders[index].filled >= request.quantity { end(index, .filled, instant) }
    }

    private mutating func earlyCharge(of execution: ExecutionID) -> Money {
        guard !earlyCharges.isEmpty else { return .zero }
        return earlyCharges.removeValue(forKey: execution.base) ?? .zero
    }

    private mutating func charged(_ report: CommissionReport, _ index: Int) {
        orders[index].commission += report.amount
        // The newest fills are charged first: the search ends at once.
        guard let place = fills.lastIndex(where: { $0.execution.id == report.execution }) else {
            earlyCharges[report.execution.base] = report.amount
            return
        }
        let fill = fills[place]
        fills[place] = FillRecord(
            execution: fill.execution, order: fill.order, strategy: fill.strategy,
            commission: fill.commission + report.amount, reason: fill.reason)
    }

    private mutating func end(_ index: Int, _ outcome: OrderOutcome, _ instant: Timestamp) {
        orders[index].outcome = outcome
        orders[index].ended = instant
    }
}
