import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// Entries that are kept back for what strategies of ours have sent besides: they could trade with each other, or are too
/// many. Never exits or protection.
extension Engine {
    /// What keeps an entry back; `nil` where nothing does. With one strategy and no limits nothing is asked.
    func ownRestriction(of request: OrderRequest, behind others: Int = 0) -> Refusal? {
        // What waits for an auction, or for the open, trades at its one price.
        if instances.count > 1, days.isInSession(now), crossed(by: request) != nil {
            return .selfCrossing
        }
        guard rates.isOn else { return nil }
        let breach = rates.breach(
            of: request.strategy, at: now, on: days.today, behind: others)
        return breach == nil ? nil : .orderRate
    }

    /// The figures that explain a refusal of a request.
    mutating func figures(
        of refusal: Refusal, _ request: OrderRequest, _ facts: RiskFacts,
        allowed: Quantity? = nil
    ) -> Figures {
        let asked = Figure.shares(.asked, request.side.signed(request.quantity))
        if refusal == .selfCrossing, let id = crossed(by: request),
            let other = orders.request(of: id)
        {
            return Figures(
                asked, .shares(.working, other.side.signed(orders.openNow(id))),
                request.type.limitPrice.map { .price(.limit, $0) } ?? .none,
                other.type.limitPrice.map { .price(.price, $0) } ?? .none)
        }
        if refusal == .orderRate,
            let breach = rates.breach(of: request.strategy, at: now, on: days.today)
        {
            return Figures(
                asked, .count(.value, breach.count), .count(.limit, breach.limit),
                breach.executed.map { .count(.count, $0) } ?? .none)
        }
        return gate.figures(of: refusal, request, facts, allowed: allowed)
    }

    /// Does what follows from a refusal besides: a strategy that sends too much is stopped until the user lets it go on.
    mutating func noteRefusal(
        _ refusal: Refusal, of strategy: StrategyID, _ output: inout EngineOutput
    ) {
        guard refusal == .orderRate, !permissions.isStopped(strategy) else { return }
        stopEntries(of: strategy, because: .orderRate, &output)
    }

    // MARK: Messages

    /// Counts a message about an order of ours that goes to the broker.
    mutating func countMessage(about order: OrderID) {
        guard rates.isOn, let strategy = orders.request(of: order)?.strategy else { return }
        rates.countMessage(of: strategy, on: days.today)
    }

    /// Counts an order as executed with its first execution.
    mutating func countExecuted(
        _ execution: Execution, of order: OrderID, _ strategy: StrategyID
    ) {
        guard rates.isOn, orders.filled(order) == execution.quantity else { return }
        rates.countExecuted(of: strategy, on: days.today)
    }

    /// The oldest order of another strategy's that an entry could trade with.
    private func crossed(by request: OrderRequest) -> OrderID? {
        let working = orders.working.account(in: request.instrument)
        let others = request.side == .buy ? working.sells : working.buys
        guard others > .zero || working.protection > .zero, let reach = reach(of: request) else {
            return nil
        }
        for id in orders.allLive {
            guard let other = orders.request(of: id), other.instrument == request.instrument,
                other.side != request.side, other.strategy != request.strategy,
                orders.openNow(id) > .zero, let theirs = self.reach(of: other),
                reach.meets(theirs)
            else { continue }
            return id
        }
        return nil
    }

    private func reach(of request: OrderRequest) -> OrderReach? {
        OrderReach(
            of: request, market: marketPrice(for: request.side, of: request.instrument))
    }
}

/// Where an order may trade as it stands.
struct OrderReach: Hashable, Sendable {
    /// Which way.
    private let side: Side
    /// The worst price that it trades at; `nil` for any.
    private let bound: Price?

    /// The reach of an order; `nil` for a stop, which does not trade before it triggers, and for one that waits for an
    /// auction.
    ///
    /// - Parameter market: what trading at once costs or brings. An order at the market is taken to trade within a
    ///   hundredth of it: the price moves until it arrives.
    init?(of request: OrderRequest, market: Price?) {
        side = request.side
        switch request.type {
        case .market:
            bound = market.map { price in
                let margin = Price(units: price.units / 100)
                return request.side == .buy ? price + margin : price - margin
            }
        case .limit(let price): bound = price
        case .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose, .stop, .stopLimit,
            .trailingStop:
            return nil
        }
    }

    /// True if the two orders could trade with each other: on opposite sides, at prices that meet.
    func meets(_ other: OrderReach) -> Bool {
        guard side != other.side else { return false }
        guard let bound, let others = other.bound else { return true }
        return side == .buy ? bound >= others : bound <= others
    }
}
