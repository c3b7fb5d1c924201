import Model
import Orders
import Primitives

/// An exit that waits for orders in its way.
struct DeferredExit: Sendable, BitwiseCopyable {
    /// The intent.
    let intent: Intent
    /// How much of the position, without its sign, is not meant to be sold.
    let kept: Quantity
}

/// Exits that wait until orders in their way have ended or were changed: at most one of each strategy in
/// each instrument, oldest first.
///
/// Two exits together never sell more than is held. So what rests to reduce a position, and what is being
/// cancelled and may still fill, is in the way of an exit: it is waited for.
struct DeferredExits: Sendable {
    /// True if none waits: mostly so, and that is asked several times an order.
    private(set) var isEmpty = true
    private var exits: [DeferredExit] = [] {
        didSet { isEmpty = exits.isEmpty }
    }

    /// The oldest, if any waits.
    var first: DeferredExit? { exits.first }

    /// The exit of a position, if it waits.
    func exit(of strategy: StrategyID, in instrument: InstrumentID) -> DeferredExit? {
        guard !isEmpty else { return nil }
        return exits.first { $0.intent.isAbout(strategy, instrument) }
    }

    /// True if an exit of a position waits.
    func contains(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        exit(of: strategy, in: instrument) != nil
    }

    // MARK: Inputs

    /// Clears the way for an exit.
    ///
    /// - Returns: `nil` if nothing is in its way that has to end first.
    mutating func clearWay(for intent: Intent, _ facts: ExitFacts) -> ExitAction? {
        // At the market the pair makes room; what an auction fills later is left to that.
        let isAtMarket =
            facts.isProtected ? intent.orderType == .market : intent.terms.isAtMarket
        if facts.kept == .zero, isAtMarket, facts.isAnyResting {
            keep(intent, .zero)
            return .hold(cancelsResting: true)
        }
        // What is being cancelled covers nothing any more.
        guard facts.isAnyEnding else { return nil }
        keep(intent, .magnitudeMax)
        return .hold(cancelsResting: false)
    }

    /// Sells what no other exit sells, of a position that is not protected.
    func reduce(_ facts: ExitFacts) -> ExitAction {
        facts.excess > facts.working
            ? .send(facts.excess - facts.working, group: nil) : .drop(.alreadyExiting)
    }

    /// Reduces a position that is protected, once the way is clear.
    ///
    /// At the market the pair makes room first: it is cancelled before all is sold, and lessened before a
    /// part is. An exit that waits for a price or an auction joins the group instead, so that the position
    /// is protected until then.
    mutating func reduceProtected(
        for intent: Intent, _ facts: ExitFacts, _ pair: PairFacts
    ) -> ExitAction {
        guard facts.excess > pair.leaving else { return .none }
        if let group = pair.group, intent.orderType != .market {
            // What the group shall have filled when the exit is done.
            return .send(facts.excess.adding(pair.groupFilled), group: group)
        }
        // Exits at a price are in the group, and so beside the pair, not beside this one.
        let kept = facts.kept.adding(pair.beside)
        guard pair.resting <= kept else {
            keep(intent, kept)
            return .hold(cancelsResting: false)
        }
        return .send(facts.excess - pair.leaving, group: nil)
    }

    /// Keeps an exit for the end of entries that are being cancelled. Nothing that rests is in the way of
    /// one that waits for a price itself, least of all its own order: at that one's end it would go again.
    mutating func awaitEntries(_ intent: Intent) {
        keep(intent, intent.orderType == .market ? .zero : .magnitudeMax)
    }

    /// Keeps an exit for the end of exits that are being cancelled.
    mutating func awaitExits(_ intent: Intent) { keep(intent, .magnitudeMax) }

    /// Takes out an exit once what is in its way leaves no more than was meant to be left.
    ///
    /// - Parameter resting: what rests to reduce the position and is in its way.
    mutating func resume(
        _ strategy: StrategyID, _ instrument: InstrumentID, besides resting: Quantity
    ) -> Intent? {
        guard let index = exits.firstIndex(where: { $0.intent.isAbout(strategy, instrument) }),
            resting <= exits[index].kept
        else { return nil }
        return exits.remove(at: index).intent
    }

    /// Forgets an exit of a position.
    mutating func drop(_ strategy: StrategyID, _ instrument: InstrumentID) {
        guard !isEmpty else { return }
        exits.removeAll { $0.intent.isAbout(strategy, instrument) }
    }

    /// What waits for orders that end with the old shares is asked for in new ones.
    mutating func convert(by ratio: SplitRatio, of instrument: InstrumentID) {
        guard !isEmpty else { return }
        exits = exits.compactMap { exit in
            guard exit.intent.instrument == instrument else { return exit }
            guard let intent = exit.intent.converted(by: ratio) else { return nil }
            let kept = ratio.exchanged(exit.kept)?.whole ?? .magnitudeMax
            return DeferredExit(intent: intent, kept: min(kept, .magnitudeMax))
        }
    }

    /// The newest exit holds.
    private mutating func keep(_ intent: Intent, _ kept: Quantity) {
        drop(intent.strategy, intent.instrument)
        exits.append(DeferredExit(intent: intent, kept: kept))
    }

    /// Takes the exits into a digest.
    func hash(into hasher: inout StateHasher) {
        for exit in exits {
            exit.intent.hash(into: &hasher)
            hasher.combine(exit.kept)
        }
    }
}

/// What is to be done for an exit.
enum ExitAction: Equatable {
    /// Nothing: what works sells enough.
    case none
    /// Nothing, for a reason that is worth a report.
    case drop(DropCause)
    /// Send an order for so much.
    case send(Quantity, group: OrderGroupID?)
    /// It waits; what rests to reduce the position may have to end for it.
    case hold(cancelsResting: Bool)
}

/// An exit, and what works for its position.
struct ExitFacts {
    /// How much of the position is to be sold.
    var excess: Quantity
    /// How much of the position, without its sign, is to be left.
    var kept: Quantity
    /// What works to reduce the position, protection excepted.
    var working = Quantity.zero
    /// True if protection works.
    var isProtected = false
    /// True if protection works, or an exit that may wait long and is in the way.
    var isAnyResting = false
    /// True if an exit that works was asked to end.
    var isAnyEnding = false
}

/// What works for a position that is protected, counting orders of one group once.
struct PairFacts {
    /// What exits will sell.
    var leaving = Quantity.zero
    /// The group of the pair, if an order of it works.
    var group: OrderGroupID?
    /// What that group has filled.
    var groupFilled = Quantity.zero
    /// What exits will sell that may wait long and are in the way.
    var beside = Quantity.zero
    /// That, and what protection will sell.
    var resting = Quantity.zero
}

extension OrderTerms {
    /// True if it trades at the market, in an auction too if the execution window chose that.
    fileprivate var isAtMarket: Bool { type == .market || isLeftToWindow }
}

// MARK: - Records

extension DeferredExits {
    /// Writes the exits that wait.
    func write(to writer: inout RecordWriter) {
        for exit in exits {
            writer.item(.deferredExit) { item in
                item.write(exit.intent)
                item.write(exit.kept)
            }
        }
    }

    /// Reads an exit back.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        exits.append(
            DeferredExit(
                intent: try reader.value(Intent.self), kept: try reader.quantity()))
    }
}
