import Accounting
import MarketState
public import Model
import Orders
import Primitives
import Risk
import Signals

extension Engine {
    /// Books what a company did, and goes on showing strategies prices without the jump.
    @usableFromInline
    mutating func recordAction(_ action: CorporateAction, into output: inout EngineOutput) {
        let close = context.market.latestPrice(of: action.instrument)
        var histories: [PortfolioLedger.OwnerHistory] = []
        for owner in portfolio.lateOwners(of: action) {
            histories.append(
                PortfolioLedger.OwnerHistory(
                    of: owner, orders.executions(of: owner.strategy, in: action.instrument)))
        }
        // What cannot be booked is a matter for a person.
        if !portfolio.apply(action, histories: histories) {
            let subject = Decision.Subject(instrument: action.instrument)
            decide(.actionNotBooked, about: subject, &output)
            latch(action.instrument, for: .actionNotBooked, subject, &output)
            monitor.unbooked.append(action)
        }
        adjustments.record(action, close: close)
        if case .split(let ratio) = action.kind {
            convertPendingIntents(ratio, of: action.instrument, &output)
            deferredExits.convert(by: ratio, of: action.instrument)
            unfinished.convert(by: ratio, of: action.instrument)
            convertOrders(ratio, of: action.instrument)
        }
        noteOutside(action)
        if case .split(let ratio) = action.kind, let close {
            context.state.record(adjusted: ratio.adjusted(close) ?? close, of: action.instrument)
        }
        for index in 0..<instances.count {
            refreshHolding(StrategyID(index: index), action.instrument)
            guard plans.count > 0 else { continue }
            if case .split(let ratio) = action.kind {
                adjustPlan(StrategyID(index: index), action.instrument, by: ratio, &output)
            }
            keepProtected(StrategyID(index: index), action.instrument, &output)
        }
        release(action.instrument, &output)
        context.valuation = Valuation(portfolio.equity)
    }

    /// Brings orders that work to new shares, as the venue does.
    private mutating func convertOrders(_ ratio: SplitRatio, of instrument: InstrumentID) {
        let ticks = context.market.instruments[Int(instrument.index)].tickSize
        orders.split(instrument, by: ratio, ticks, at: now)
        for id in orders.livePurchases where orders.request(of: id)?.instrument == instrument {
            if let price = monitor.purchases.price(of: id).flatMap(ratio.adjusted) {
                monitor.purchases.set(price, of: id)
            }
        }
    }

}

extension Attribution {
    /// A strategy's, or nobody's.
    init(_ strategy: StrategyID?) {
        self = strategy.map { .strategy($0) } ?? .unattributed
    }

    /// The strategy, if it is one.
    var strategy: StrategyID? {
        switch self {
        case .strategy(let strategy): strategy
        case .unattributed: nil
        }
    }
}
