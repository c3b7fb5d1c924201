import Accounting
import MarketState
import Model
import Orders
import Primitives
import Signals

/// What planted defects do, where it is more than leaving something out. Nothing else calls it.
extension Engine {
    /// True for a fill that a planted defect loses.
    @inline(__always)
    func isFillLost(_ report: OrderReport) -> Bool {
        if PlantedBug.fillLost.isPlanted { return hasBroker && permissions.link != .ready }
        guard PlantedBug.earlyFillLost.isPlanted, hasBroker else { return false }
        return orders.record(of: report.order)?.facts.wasAtBroker == false
    }

    /// False for an execution of an order of ours that is not known yet.
    func isBooked(_ execution: ExecutionID, of order: OrderID) -> Bool {
        guard let record = orders.record(of: order) else { return true }
        return record.facts.allExecutions.contains { $0.id.base == execution.base }
    }

    /// Books the executions that the saved positions have already.
    mutating func bookExecutionsTwice() {
        for strategy in 0..<instances.count {
            let owner = StrategyID(index: strategy)
            for instrument in 0..<instrumentCount {
                for execution in orders.executions(of: owner, in: InstrumentID(index: instrument)) {
                    portfolio.apply(execution, for: .strategy(owner))
                }
            }
        }
    }

    /// Makes our position the broker's by a fill that never was.
    mutating func bookSyntheticFill(of gap: Quantity, in instrument: InstrumentID) {
        let execution = Execution(
            id: ExecutionID(base: .max), instrument: instrument, side: gap > .zero ? .buy : .sell,
            quantity: gap.magnitude, price: context.market.latestPrice(of: instrument) ?? .zero,
            time: now)
        portfolio.apply(execution, for: .strategy(StrategyID(index: 0)))
    }
}

extension OrderFact {
    /// True if the broker reports with it that an order was cancelled.
    var isCancel: Bool {
        switch self {
        case .status(let status): status == .cancelled || status == .apiCancelled
        case .cancelledByBroker: true
        case .acknowledged, .executed, .commission, .cancelled, .rejected, .modified,
            .modificationRefused, .notSent, .sendInterrupted, .listedOpen, .listedCompleted,
            .rejectedByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            false
        }
    }
}
