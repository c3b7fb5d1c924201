import Model
import Primitives
import TWSProtocol

/// The gateway's other modules, as its order manager sees them.
extension Gateway {
    /// Closures over those modules.
    var orderManagerDependencies: OrderManagerDependencies {
        OrderManagerDependencies(
            snapshot: { [weak self] in self?.instrumentSnapshot($0) ?? InstrumentSnapshot() },
            preview: { [weak self] order, others in
                self?.preview(order, besides: others) ?? WhatIfPreview()
            },
            bookFill: { [weak self] in self?.book($0) },
            held: { [weak self] account, id in
                self?.accounts.ledger(of: account)?.position(of: id)?.quantity ?? .zero
            },
            cushion: { [weak self] in self?.cushion(of: $0) ?? 100 })
    }

    private func preview(_ order: OrderProposal, besides others: [OrderProposal]) -> WhatIfPreview {
        var preview = WhatIfPreview()
        guard let ledger = accounts.ledger(of: order.account) else { return preview }
        let held = ledger.position(of: order.instrument)?.quantity ?? .zero
        preview.isShortSale = order.side == .sell && held < order.quantity
        guard let own = accountOrder(order) else { return preview }
        let margins = ledger.preview(own)
        let (before, after) = (margins.before, margins.after)
        preview.initialMargin = Self.step(before.initialMargin, after.initialMargin)
        preview.maintenanceMargin = Self.step(before.maintenanceMargin, after.maintenanceMargin)
        preview.equityWithLoan = Self.step(before.equityWithLoan, after.equityWithLoan)
        preview.refusal = ledger.refusal(of: own, besides: others.compactMap { accountOrder($0) })
        return preview
    }

    private static func step(_ before: ExactMoney, _ after: ExactMoney) -> WhatIfPreview.Step {
        var step = WhatIfPreview.Step()
        step.before = AccountMath.money(before).roundedToCents
        step.after = AccountMath.money(after).roundedToCents
        step.change = AccountMath.money(after - before).roundedToCents
        return step
    }

    /// An order as accounts see it; `nil` where nobody knows its price.
    private func accountOrder(_ order: OrderProposal) -> AccountOrder? {
        guard let price = order.price, order.quantity > .zero else { return nil }
        var own = AccountOrder(
            order.side, order.quantity, of: AccountInstrument(contracts[order.instrument]),
            at: price)
        own.commission = order.commission
        return own
    }

    private func book(_ fill: OrderFill) -> Money? {
        let id = "\(fill.execution.root).\(fill.execution.revision)"
        var own = AccountFill(
            id, fill.side, fill.quantity, of: AccountInstrument(contracts[fill.instrument]),
            at: fill.price, time: fill.time)
        own.commission = fill.commission
        own.permId = fill.permID
        own.orderRef = fill.orderRef
        let change: AccountService.Change = fill.quantity == .zero ? .bust(id) : .fill(own)
        stateRevision += 1
        do throws(AccountFault) {
            return try accounts.book(
                change, for: fill.account, at: now, accountView, into: &accountNews)
        } catch {
            unbookedFills.append(UnbookedFill(fill: fill, fault: error))
            return nil
        }
    }

    private func cushion(of account: AccountID) -> Int32 {
        guard let figures = accounts.ledger(of: account)?.figures,
            figures.netLiquidation > .zero
        else { return 0 }
        let part = figures.excessLiquidity.units * 100 / figures.netLiquidation.units
        return Int32(clamping: part)
    }
}
