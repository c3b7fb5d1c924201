import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// Accounts that may spend settled cash only.
extension Engine {
    /// What purchases may still use of settled cash: what is not taken by those that are done, nor set
    /// aside for those that work. `nil` when it cannot be computed.
    ///
    /// An order that works is counted at the price it was approved at, or at what it would be approved at
    /// now if that is more, with the cash buffer; what of it is done but not charged yet, with the cash buffer
    /// alone.
    func spendableCash(_ cashBuffer: CashBuffer) -> ExactMoney? {
        var left = portfolio.spendableCash
        for id in orders.livePurchases {
            guard let request = orders.request(of: id),
                let price = reservedPrice(of: id, request),
                let cost = cashBuffer.cost(
                    of: orders.open(id), at: price, multiplier: multiplier(of: request.instrument)),
                let remaining = left.less(cost)
            else { return nil }
            left = remaining
        }
        for entry in monitor.purchases.entries {
            let uncharged = orders.uncharged(entry.order)
            guard uncharged > .zero, let request = orders.request(of: entry.order) else { continue }
            guard
                let costs = cashBuffer.part(
                    of: uncharged, at: entry.price, multiplier: multiplier(of: request.instrument)),
                let remaining = left.less(costs)
            else { return nil }
            left = remaining
        }
        return left
    }

    /// Sets cash aside for an order that was approved, if it is a purchase.
    mutating func reserveCash(for command: Command) {
        guard case .submit(let ticket) = command, ticket.request.side == .buy,
            let price = price(toBuy: ticket.request)
        else { return }
        forgetPurchases { $0 > .zero || $1 > .zero }
        monitor.purchases.add(ticket.id, at: price)
    }

    /// A day begins: costs that were not reported by the end of the one before are not waited for.
    mutating func forgetUnchargedPurchases() { forgetPurchases { open, _ in open > .zero } }

    /// Counts when purchases have cost more than was there: what was set aside did not cover them.
    mutating func checkCash(after order: OrderID, _ output: inout EngineOutput) {
        guard orders.request(of: order)?.side == .buy else { return }
        let isOverdrawn = portfolio.spendableCash < .zero
        if isOverdrawn && !monitor.isOverdrawn {
            let cash = portfolio.spendableCash
            decide(.overdrawn, about: Decision.Subject(order: order), &output) {
                Figures(.money(.cash, cash))
            }
        }
        monitor.isOverdrawn = isOverdrawn
    }

    private mutating func forgetPurchases(
        unless mayCost: (_ open: Quantity, _ uncharged: Quantity) -> Bool
    ) {
        guard !monitor.purchases.entries.isEmpty else { return }
        var purchases = monitor.purchases
        purchases.keep { mayCost(orders.open($0), orders.uncharged($0)) }
        monitor.purchases = purchases
    }

    private func reservedPrice(of id: OrderID, _ request: OrderRequest) -> Price? {
        let approved = monitor.purchases.price(of: id)
        guard let today = price(toBuy: request) else { return approved }
        return max(approved ?? today, today)
    }

    private func price(toBuy request: OrderRequest) -> Price? {
        gate.purchasePrice(
            of: request, latest: context.market.latestPrice(of: request.instrument))
    }

    private func multiplier(of instrument: InstrumentID) -> Int64 {
        context.market.instruments[Int(instrument.index)].multiplier
    }
}

extension ExactMoney {
    /// The difference; `nil` beyond the type's range.
    fileprivate func less(_ other: ExactMoney) -> ExactMoney? {
        let (difference, overflowed) = units.subtractingReportingOverflow(other.units)
        return overflowed ? nil : ExactMoney(units: difference)
    }
}
