import Model
import Orders
import Primitives

/// Exits that stand until they are done, and intents whose rest has to wait for an order's end: of each at
/// most one of each strategy in each instrument.
struct UnfinishedIntents: Sendable {
    /// True if there is none of both: mostly so, and that is asked several times an order.
    private(set) var isEmpty = true
    /// Intents of which an order has to end before the remainder can follow, oldest first.
    private var followUps: [Intent] = [] {
        didSet { isEmpty = followUps.isEmpty && exits.isEmpty }
    }
    /// Exits that the venue has ended, and those that a halt wants, oldest first.
    private(set) var exits: [UnfinishedExit] = [] {
        didSet { isEmpty = followUps.isEmpty && exits.isEmpty }
    }

    // MARK: Queries

    /// True if an intent waits for the end of orders of a position.
    func isFollowUpPending(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        followUps.contains { $0.isAbout(strategy, instrument) }
    }

    /// True if an exit of a position stands that is not done.
    func isExitUnfinished(
        _ strategy: StrategyID, _ instrument: InstrumentID, _ position: PositionFacts
    ) -> Bool {
        guard let index = index(strategy, instrument) else { return false }
        return !exits[index].isDone(position)
    }

    /// True if a halt wants a position closed.
    func isForced(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        index(strategy, instrument).map { exits[$0].cause != nil } ?? false
    }

    /// The exit of a position to be given another order, when those that work sell more than is held: an
    /// execution that came behind its order's end has reduced the position already.
    ///
    /// - Parameter exiting: what exits will sell, counting orders of one group once.
    func surplusExit(
        _ strategy: StrategyID, _ instrument: InstrumentID, held: Quantity, exiting: Quantity
    ) -> Intent? {
        guard exiting > held.magnitude else { return nil }
        return index(strategy, instrument).map { exits[$0].intent }
    }

    // MARK: Exits

    /// An order of an exit was ended, not by us: while the exit stands it is sent again.
    mutating func restore(
        _ end: EndedExit, _ position: PositionFacts, _ market: MarketFacts
    ) -> UnfinishedAction {
        let (request, held) = (end.request, position.held)
        // A newer exit that waits covers this one too.
        guard held != .zero, (held > .zero) == (request.side == .sell), !position.isExitDeferred,
            end.remaining > .zero
        else { return .none }
        let intent = end.intent(for: held)
        let index: Int
        if let known = self.index(request.strategy, request.instrument) {
            index = known
            if exits[index].cause == nil { exits[index].replace(by: intent) }
        } else {
            index = exits.count
            exits.append(UnfinishedExit(intent, because: nil))
        }
        exits[index].recordLoss(market, isIdle: end.isExpired && end.filled == .zero)
        guard !exits[index].isPaused(market) else {
            return .refuse(
                .exitUnfinished, exits[index].intent, Figures(.shares(.held, held)))
        }
        return .resume(exits[index].intent)
    }

    /// The venue has refused an order of an exit that stands: it counts as a try.
    mutating func recordRejection(
        _ strategy: StrategyID, _ instrument: InstrumentID, _ market: MarketFacts
    ) {
        guard let index = index(strategy, instrument) else { return }
        exits[index].recordLoss(market, isIdle: false)
    }

    /// An exit cannot leave now: it stands until it is done.
    mutating func stand(by intent: Intent) {
        guard index(intent.strategy, intent.instrument) == nil else { return }
        exits.append(UnfinishedExit(intent, because: nil))
    }

    /// A halt wants a position closed, whatever the strategy wants meanwhile, over days if need be.
    mutating func force(_ intent: Intent, because cause: HaltCause) {
        exits.removeAll { $0.isOf(intent.strategy, intent.instrument) }
        exits.append(UnfinishedExit(intent, because: cause))
        dropFollowUp(intent.strategy, intent.instrument)
    }

    /// Looks at an exit that stands: forgets it if it is done, and sends what is missing of it.
    ///
    /// - Parameter index: below `exits.count`; the next exit has the same one if this one is done.
    mutating func review(
        _ index: Int, _ position: PositionFacts, _ market: MarketFacts
    ) -> ExitReview {
        let exit = exits[index]
        if exit.isDone(position) {
            exits.remove(at: index)
            return .done
        }
        return !exit.isPaused(market) && exit.needsOrder(position) ? .resume(exit.intent) : .wait
    }

    // MARK: What follows an order's end

    /// Keeps an intent until the orders that are against it have ended.
    mutating func awaitEnd(for intent: Intent) {
        dropFollowUp(intent.strategy, intent.instrument)
        followUps.append(intent)
    }

    /// Takes up an intent again once no order works any more that it had to wait for. It is over with an exit
    /// that has ended in vain.
    ///
    /// - Parameter isExitInVain: whether an exit has just ended, not filled and not because we wanted that.
    mutating func followUp(
        _ strategy: StrategyID, _ instrument: InstrumentID, _ position: PositionFacts,
        isExitInVain: Bool
    ) -> UnfinishedAction {
        guard let index = followUps.firstIndex(where: { $0.isAbout(strategy, instrument) }),
            !isExitUnfinished(strategy, instrument, position)
        else { return .none }
        if isExitInVain { return .drop(.precedingOrderEnded, followUps.remove(at: index)) }
        guard !position.isWorking, !position.isExitDeferred else { return .none }
        return .resume(followUps.remove(at: index))
    }

    /// Entries are halted: what would follow opens or enlarges a position. Exits stand by themselves.
    ///
    /// - Returns: the intents that were waiting.
    mutating func dropFollowUps() -> [Intent] {
        let former = followUps
        followUps.removeAll()
        return former
    }

    // MARK: Newer intents and splits

    /// A strategy's intent takes the place of what it wanted before and is not done.
    ///
    /// - Returns: what is to be done with the intent; nothing if it may be taken up. It may not where a halt
    ///   wants the position closed, or the same exit waits for its next try.
    mutating func supersede(by intent: Intent, _ market: MarketFacts) -> UnfinishedAction {
        switch intent.goal {
        case .protect: return .none
        case .cancelEntries:
            dropFollowUp(intent.strategy, intent.instrument)
            return .none
        case .enter, .exit, .target, .weight, .withdraw:
            dropFollowUp(intent.strategy, intent.instrument)
        }
        guard let index = index(intent.strategy, intent.instrument) else { return .none }
        let isSameExit = intent.goal == .exit && exits[index].intent.goal == .exit
        if let cause = exits[index].cause {
            return isSameExit
                ? .drop(.alreadyExiting, intent) : .refuse(cause.refusal, intent, Figures())
        }
        guard isSameExit else {
            exits.remove(at: index)
            return .none
        }
        exits[index].replace(by: intent)
        return exits[index].isPaused(market) ? .drop(.alreadyExiting, intent) : .none
    }

    /// Numbers of shares and prices of before a split are those of new shares behind it.
    mutating func convert(by ratio: SplitRatio, of instrument: InstrumentID) {
        guard !isEmpty else { return }
        followUps = followUps.compactMap { intent in
            intent.instrument == instrument ? intent.converted(by: ratio) : intent
        }
        for index in exits.indices where exits[index].intent.instrument == instrument {
            let intent = exits[index].intent
            // What cannot be expressed in new shares goes whole.
            exits[index].replace(by: intent.converted(by: ratio) ?? intent.with(goal: .exit))
        }
    }

    private mutating func dropFollowUp(_ strategy: StrategyID, _ instrument: InstrumentID) {
        guard !followUps.isEmpty else { return }
        followUps.removeAll { $0.isAbout(strategy, instrument) }
    }

    private func index(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int? {
        exits.firstIndex { $0.isOf(strategy, instrument) }
    }

    /// Takes the intents and exits into a digest.
    func hash(into hasher: inout StateHasher) {
        for intent in followUps { intent.hash(into: &hasher) }
        for exit in exits { exit.hash(into: &hasher) }
    }
}

/// What is to be done with an intent.
enum UnfinishedAction: Equatable {
    /// Nothing.
    case none
    /// Work out what it needs now, and send that.
    case resume(Intent)
    /// Report that a rule stops it.
    case refuse(Refusal, Intent, Figures)
    /// Report that it is not performed.
    case drop(DropCause, Intent)
}

/// What a look at an exit that stands came to.
enum ExitReview: Equatable {
    /// It is done, and forgotten.
    case done
    /// Nothing is to be sent for it now.
    case wait
    /// Work out what it needs now, and send that.
    case resume(Intent)
}

/// An order of an exit that was ended, not by us.
struct EndedExit {
    /// What it asked for.
    let request: OrderRequest
    /// What it has filled.
    var filled = Quantity.zero
    /// What of its quantity cannot be filled by it any more; see `OrderLedger.spent`.
    var spent = Quantity.zero
    /// What other exits will sell, counting orders of one group once.
    var others = Quantity.zero
    /// True if its time in force ran out.
    var isExpired = false
    /// True if it went at whatever the market gives, in the run's execution window.
    var isLeftToMarket = false

    /// True if an order that has ended is to be sent again: exits stand until the position is what was asked
    /// for, unless their own terms have ended them. Entries stand only if what ended them was a split.
    static func isRestored(
        _ purpose: OrderPurpose, endedBy cause: CancelCause, isLeftToMarket: Bool
    ) -> Bool {
        switch cause {
        case .requested, .linked: false
        case .expired: purpose == .exit && isLeftToMarket
        case .external: purpose != .protection
        }
    }

    /// What it leaves to be sold.
    var remaining: Quantity {
        // `spent` counts what a group has filled.
        let own = request.group == nil ? filled : .zero
        return max(request.quantity - spent - own, .zero)
    }

    /// The exit that it was for.
    ///
    /// - Parameter held: the position; negative is short.
    func intent(for held: Quantity) -> Intent {
        // Wider: what the venue reports may add up to more than there can be.
        let left = Int128(held.magnitude.units) - Int128(remaining.units) - Int128(others.units)
        let kept = Quantity(units: Int64(max(left, 0)))
        return Intent(
            strategy: request.strategy, instrument: request.instrument,
            goal: kept == .zero ? .exit : .target(held > .zero ? kept : -kept),
            terms: isLeftToMarket ? .market : OrderTerms(of: request), reason: request.reason)
    }
}

extension OrderRequest {
    /// The entry to be sent again, once, when a split has ended it that was for old shares when it was sent.
    ///
    /// - Parameter isInSession: an auction that the order was for is over in a session.
    func restored(filled: Quantity, isInSession: Bool) -> OrderRequest? {
        let remaining = quantity - filled
        guard remaining > .zero else { return nil }
        let type: OrderType = self.type == .marketOnOpen && isInSession ? .market : self.type
        return with(quantity: remaining).with(type: type, because: reason)
    }
}

extension OrderFact {
    /// True if it ends an order that we did not want to end and that did not fill.
    var isEndByOthers: Bool {
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

// MARK: - Records

extension UnfinishedIntents {
    /// Writes intents that follow an order's end, and exits that stand.
    func write(to writer: inout RecordWriter) {
        for intent in followUps { writer.item(.followUp) { $0.write(intent) } }
        for exit in exits { writer.item(.unfinishedExit) { $0.write(exit) } }
    }

    /// Reads one of them back.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        if reader.topic == .followUp {
            followUps.append(try reader.value(Intent.self))
        } else {
            exits.append(try reader.value(UnfinishedExit.self))
        }
    }
}
