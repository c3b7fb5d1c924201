import Accounting
import MarketState
package import Model
import Orders
import Primitives
import Risk
import Signals

/// An exit that stands until it is done: one whose order the venue has ended, or one that a halt wants.
@usableFromInline
package struct UnfinishedExit: Sendable {
    /// What is wanted; its goal is the position to be left.
    package fileprivate(set) var intent: Intent
    /// The halt that wants it, whatever the strategy wants; `nil` for the strategy's own.
    package let cause: HaltCause?

    /// How many of its orders the venue has ended since `day` began.
    private var losses = 0
    /// The day of the newest of these ends.
    private var day: Day?
    /// How many of its orders have expired in a row without a fill, at one price.
    private var idleCount = 0
    /// The instrument's newest price when its newest order ended.
    private var price: Price?

    /// How often a day what the venue has ended is sent again. The number is ours; IBKR watches accounts whose
    /// orders are many for what they trade.
    static let lossesMax = 5
    /// After how many expired orders without a fill the instrument counts as one that does not trade.
    static let idleMax = 5

    /// An exit of which no order has been lost yet.
    fileprivate init(_ intent: Intent, because cause: HaltCause?) {
        self.intent = intent
        self.cause = cause
    }

    /// True if it is about that position.
    func isOf(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        intent.isAbout(strategy, instrument)
    }

    /// Takes in the end of one of its orders.
    fileprivate mutating func recordLoss(on day: Day?, at price: Price?, isIdle: Bool) {
        if self.day != day { losses = 0 }
        self.day = day
        losses += 1
        idleCount = isIdle && (idleCount == 0 || price == self.price) ? idleCount + 1 : 0
        self.price = price
    }

    /// True when nothing is sent for it now: the venue has ended as many orders as a session has tries, or the
    /// instrument does not trade any more.
    fileprivate func isPaused(on day: Day?, at price: Price?) -> Bool {
        losses > Self.lossesMax && self.day == day
            || idleCount >= Self.idleMax && self.price == price
    }

    /// Takes the exit into a digest.
    func hash(into hasher: inout StateHasher) {
        intent.hash(into: &hasher)
        hasher.combine(Int(cause?.rawValue ?? .max))
        hasher.combine(losses)
        hasher.combine(day?.number ?? .min)
        hasher.combine(idleCount)
        hasher.combine(price ?? .zero)
    }
}

/// Which kinds of intents wait for something else than their window.
struct PendingKinds: Sendable {
    private var kinds: UInt8 = 0

    /// A kind, by its bit.
    enum Kind: UInt8 {
        /// Exits that wait for orders in their way.
        case deferredExits = 1
        /// Intents whose rest waits for orders to end.
        case followUps = 2
        /// Exits that stand until they are done.
        case unfinishedExits = 4
    }

    /// Whether there is none.
    @inline(__always)
    var areNone: Bool { kinds == 0 }

    /// Says whether there is any of a kind.
    mutating func set(_ kind: Kind, to isThere: Bool) {
        kinds = isThere ? kinds | kind.rawValue : kinds & ~kind.rawValue
    }
}

/// Exits that end before they are done, and intents whose rest has to wait for an order's end.
extension Engine {
    // MARK: What the venue has ended

    /// An order of ours was ended, not by us: while its intent stands it is sent again.
    ///
    /// Exits stand until the position is what was asked for, unless their own terms have ended them. Entries stand
    /// only if what ended them was a split.
    mutating func restoreOrder(
        _ id: OrderID, endedBy cause: CancelCause, _ output: inout EngineOutput
    ) {
        guard let request = orders.request(of: id) else { return }
        switch cause {
        case .requested, .linked: return
        case .expired:
            guard request.purpose == .exit, isLeftToMarket(request.type) else { return }
        case .external: break
        }
        switch request.purpose {
        case .protection: return
        case .entry: restoreEntry(id, request, &output)
        case .exit: restoreExit(id, request, isExpired: cause == .expired, &output)
        }
    }

    /// The venue has refused an exit that stands: it counts as a try.
    mutating func recordRejection(of id: OrderID) {
        guard let request = orders.request(of: id), request.purpose == .exit,
            let index = unfinishedIndex(request.strategy, request.instrument)
        else { return }
        recordLoss(of: index, isIdle: false)
    }

    private mutating func restoreExit(
        _ id: OrderID, _ request: OrderRequest, isExpired: Bool, _ output: inout EngineOutput
    ) {
        let (strategy, instrument) = (request.strategy, request.instrument)
        let held = portfolio.ledger(of: .strategy(strategy), in: instrument).quantity
        // A newer exit that waits covers this one too.
        guard held != .zero, (held > .zero) == (request.side == .sell),
            !deferredExits.contains(where: { $0.isOf(strategy, instrument) })
        else { return }
        let rest = max(request.quantity - orders.spent(of: request) - ownFilled(id, request), .zero)
        guard rest > .zero else { return }
        let others = orders.linkedExits(of: strategy, in: instrument) { $0.purpose == .exit }
        // Wider: what the venue says may add up to more than there can be.
        let kept = Quantity(
            units: Int64(
                max(Int128(held.magnitude.units) - Int128(rest.units) - Int128(others.units), 0)))
        let index: Int
        if let known = unfinishedIndex(strategy, instrument) {
            index = known
        } else {
            index = unfinishedExits.count
            unfinishedExits.append(
                UnfinishedExit(exitIntent(of: request, keeping: kept, of: held), because: nil))
        }
        if unfinishedExits[index].cause == nil {
            unfinishedExits[index].intent = exitIntent(of: request, keeping: kept, of: held)
        }
        recordLoss(of: index, isIdle: isExpired && orders.filled(id) == .zero)
        guard !isPaused(index) else {
            return refuse(.exitUnfinished, unfinishedExits[index].intent, &output) {
                Figures(.shares(.held, held))
            }
        }
        press(index, &output)
    }

    /// The exit that an order was for, of which the venue has left something.
    ///
    /// - Parameters:
    ///   - kept: how much of the position, without its sign, is not meant to be sold.
    ///   - held: the position.
    private func exitIntent(
        of request: OrderRequest, keeping kept: Quantity, of held: Quantity
    ) -> Intent {
        Intent(
            strategy: request.strategy, instrument: request.instrument,
            goal: kept == .zero ? .exit : .target(held > .zero ? kept : -kept),
            terms: isLeftToMarket(request.type) ? .market : OrderTerms(of: request),
            reason: request.reason)
    }

    /// What an order outside groups has filled; `OrderLedger.spent` counts what a group has.
    private func ownFilled(_ id: OrderID, _ request: OrderRequest) -> Quantity {
        request.group == nil ? orders.filled(id) : .zero
    }

    /// Sends an entry again that was for old shares when it was sent, once.
    private mutating func restoreEntry(
        _ id: OrderID, _ request: OrderRequest, _ output: inout EngineOutput
    ) {
        guard orders.record(of: id)?.isSplit == true else { return }
        let rest = request.quantity - orders.filled(id)
        guard rest > .zero else { return }
        var type = request.type
        if type == .marketOnOpen, days.isInSession(now) { type = .market }
        _ = submit(
            request.with(quantity: rest).with(type: type, because: request.reason), for: nil,
            &output)
    }

    private mutating func recordLoss(of index: Int, isIdle: Bool) {
        let price = context.market.latestPrice(of: unfinishedExits[index].intent.instrument)
        unfinishedExits[index].recordLoss(on: days.today, at: price, isIdle: isIdle)
    }

    private mutating func isPaused(_ index: Int) -> Bool {
        let price = context.market.latestPrice(of: unfinishedExits[index].intent.instrument)
        return unfinishedExits[index].isPaused(on: days.today, at: price)
    }

    private mutating func press(_ index: Int, _ output: inout EngineOutput) {
        resolve(resumed(unfinishedExits[index].intent), into: &output)
    }

    /// Whether an order of that type goes at whatever the market gives, in the run's execution window.
    private func isLeftToMarket(_ type: OrderType) -> Bool {
        switch type {
        case .market: true
        case .marketOnOpen: held.rules.window == .open
        case .marketOnClose: held.rules.window == .close
        case .limit, .stop, .stopLimit, .trailingStop, .limitOnOpen, .limitOnClose: false
        }
    }

    // MARK: What halts want

    /// Wants a strategy's position closed, whatever the strategy wants meanwhile, over days if need be.
    mutating func keepExiting(
        of strategy: StrategyID, in instrument: InstrumentID, because cause: HaltCause
    ) {
        let known = unfinishedIndex(strategy, instrument)
        if let known, unfinishedExits[known].cause != nil { return }
        let intent = Intent(
            strategy: strategy, instrument: instrument, goal: .exit, terms: .marketNow,
            reason: context.number(of: cause.name))
        if let known { unfinishedExits.remove(at: known) }
        unfinishedExits.append(UnfinishedExit(intent, because: cause))
        dropFollowUp(strategy, instrument)
    }

    /// Sends what is missing of the exits that stand, and forgets those that are done.
    mutating func reviewUnfinishedExits(into output: inout EngineOutput) {
        var index = 0
        while index < unfinishedExits.count {
            if isDone(unfinishedExits[index]) {
                unfinishedExits.remove(at: index)
                continue
            }
            if !isPaused(index), needsOrder(unfinishedExits[index]) { press(index, &output) }
            index += 1
        }
    }

    /// Whether nothing works for an exit that stands. One that a halt wants also ends entries that came since.
    private mutating func needsOrder(_ exit: UnfinishedExit) -> Bool {
        if exit.cause != nil { return true }
        let intent = exit.intent
        return orders.working.strategy(intent.strategy, in: intent.instrument).exits == .zero
            && !deferredExits.contains { $0.isOf(intent.strategy, intent.instrument) }
    }

    private mutating func isDone(_ exit: UnfinishedExit) -> Bool {
        let (strategy, instrument) = (exit.intent.strategy, exit.intent.instrument)
        let held = portfolio.ledger(of: .strategy(strategy), in: instrument).quantity
        if exit.cause != nil {
            let working = orders.working.strategy(strategy, in: instrument)
            return held == .zero && working.buys == .zero && working.sells == .zero
        }
        switch exit.intent.goal {
        case .target(let kept):
            return held == .zero || (held > .zero) != (kept > .zero)
                || held.magnitude <= kept.magnitude
        case .exit: return held == .zero
        case .enter, .weight, .cancelEntries, .withdraw, .protect: return true
        }
    }

    /// An execution that comes behind its order's end has reduced the position already that another order was
    /// sent for: exits never sell more than there is.
    mutating func reduceSurplusExits(
        _ strategy: StrategyID, _ instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        guard let index = unfinishedIndex(strategy, instrument) else { return }
        let held = portfolio.ledger(of: .strategy(strategy), in: instrument).quantity.magnitude
        let exits = orders.linkedExits(of: strategy, in: instrument) { $0.purpose == .exit }
        guard exits > held else { return }
        let intent = unfinishedExits[index].intent
        cancel(intent, &output) { $0.purpose == .exit }
        deferExit(intent, keeping: .magnitudeMax, &output)
    }

    // MARK: What follows an order's end

    /// Keeps an intent until the orders that are against it have ended.
    mutating func awaitEnd(for intent: Intent, _ output: inout EngineOutput) {
        dropFollowUp(intent.strategy, intent.instrument)
        decide(.held(.otherOrders), about: Decision.Subject(intent), &output)
        followUps.append(intent)
    }

    /// Forgets the intent that waits for orders to end.
    mutating func dropFollowUp(_ strategy: StrategyID, _ instrument: InstrumentID) {
        followUps.removeAll { $0.isAbout(strategy, instrument) }
    }

    /// Takes up an intent again, once no order works any more that it had to wait for. It is over with an exit
    /// that has ended in vain.
    mutating func followUp(
        _ strategy: StrategyID, _ instrument: InstrumentID, after report: OrderReport,
        _ output: inout EngineOutput
    ) {
        guard let index = followUps.firstIndex(where: { $0.isAbout(strategy, instrument) }),
            !isExitUnfinished(strategy, instrument)
        else { return }
        if report.fact.isEndByOthers, orders.request(of: report.order)?.purpose == .exit {
            return drop(.precedingOrderEnded, followUps.remove(at: index), &output)
        }
        let working = orders.working.strategy(strategy, in: instrument)
        guard working.buys == .zero, working.sells == .zero,
            !deferredExits.contains(where: { $0.isOf(strategy, instrument) })
        else { return }
        let intent = followUps.remove(at: index)
        resolve(resumed(intent), into: &output)
    }

    /// Lets a strategy's intent take the place of what it wanted before and is not done.
    ///
    /// - Returns: false when it is not to be taken up: a halt wants the position closed, or the same exit waits
    ///   for its next try.
    mutating func supersede(_ intent: Intent, _ output: inout EngineOutput) -> Bool {
        switch intent.goal {
        case .protect: return true
        case .cancelEntries:
            dropFollowUp(intent.strategy, intent.instrument)
            return true
        case .enter, .exit, .target, .weight, .withdraw:
            dropFollowUp(intent.strategy, intent.instrument)
        }
        guard let index = unfinishedIndex(intent.strategy, intent.instrument) else { return true }
        let isSameExit = intent.goal == .exit && unfinishedExits[index].intent.goal == .exit
        if let cause = unfinishedExits[index].cause {
            if isSameExit {
                drop(.alreadyExiting, intent, &output)
            } else {
                refuse(cause.refusal, intent, &output)
            }
            return false
        }
        guard isSameExit else {
            unfinishedExits.remove(at: index)
            return true
        }
        unfinishedExits[index].intent = intent
        guard isPaused(index) else { return true }
        drop(.alreadyExiting, intent, &output)
        return false
    }

    /// Numbers of shares and prices of before a split are those of new shares behind it.
    mutating func convertUnfinishedIntents(_ ratio: SplitRatio, of instrument: InstrumentID) {
        followUps = followUps.compactMap { intent in
            intent.instrument == instrument ? intent.converted(by: ratio) : intent
        }
        for index in unfinishedExits.indices
        where unfinishedExits[index].intent.instrument == instrument {
            let intent = unfinishedExits[index].intent
            // What cannot be told in new shares goes whole.
            unfinishedExits[index].intent = intent.converted(by: ratio) ?? intent.with(goal: .exit)
        }
    }

    /// Whether an exit of a position stands that is not done.
    mutating func isExitUnfinished(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        guard let index = unfinishedIndex(strategy, instrument) else { return false }
        return !isDone(unfinishedExits[index])
    }

    private func unfinishedIndex(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int? {
        unfinishedExits.firstIndex { $0.isOf(strategy, instrument) }
    }
}

extension OrderFact {
    /// Whether it ends an order that we did not want to end and that did not fill.
    fileprivate var isEndByOthers: Bool {
        switch self {
        case .rejected, .cancelled(.expired), .cancelled(.external): true
        case .acknowledged, .executed, .commission, .cancelled(.requested), .cancelled(.linked),
            .modified, .modificationRefused,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            false
        }
    }
}
