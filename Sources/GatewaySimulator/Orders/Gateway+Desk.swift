import Model
import Primitives
import TWSProtocol

/// A fill that its account could not book.
package struct UnbookedFill: Hashable, Sendable {
    /// The fill.
    package let fill: DeskFill
    /// Why it could not be booked.
    package let fault: AccountFault
}

/// The gateway's other rooms, as its order desk sees them.
extension Gateway {
    /// Closures over those rooms.
    var deskWorld: DeskWorld {
        DeskWorld(
            standing: { [weak self] in self?.standingMarket($0) ?? StandingMarket() },
            preview: { [weak self] order, others in
                self?.preview(order, besides: others) ?? DeskPreview()
            },
            book: { [weak self] in self?.book($0) },
            held: { [weak self] account, id in
                self?.accounts.ledger(of: account)?.position(of: id)?.quantity ?? .zero
            },
            cushion: { [weak self] in self?.cushion(of: $0) ?? 100 })
    }

    private func preview(_ order: DeskProposal, besides others: [DeskProposal]) -> DeskPreview {
        var preview = DeskPreview()
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

    private static func step(_ before: ExactMoney, _ after: ExactMoney) -> DeskPreview.Step {
        var step = DeskPreview.Step()
        step.before = AccountMath.money(before).roundedToCents
        step.after = AccountMath.money(after).roundedToCents
        step.change = AccountMath.money(after - before).roundedToCents
        return step
    }

    /// An order as accounts see it; `nil` where nobody knows its price.
    private func accountOrder(_ order: DeskProposal) -> AccountOrder? {
        guard let price = order.price, order.quantity > .zero else { return nil }
        var own = AccountOrder(
            order.side, order.quantity, of: AccountInstrument(book[order.instrument]), at: price)
        own.commission = order.commission
        return own
    }

    private func book(_ fill: DeskFill) -> Money? {
        let id = "\(fill.execution.root).\(fill.execution.revision)"
        var own = AccountFill(
            id, fill.side, fill.quantity, of: AccountInstrument(book[fill.instrument]),
            at: fill.price, time: fill.time)
        own.commission = fill.commission
        own.permId = fill.permID
        own.orderRef = fill.orderRef
        let change: AccountDesk.Change = fill.quantity == .zero ? .bust(id) : .fill(own)
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
