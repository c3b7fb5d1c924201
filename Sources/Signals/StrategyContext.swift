public import MarketState
public import Model
public import Primitives

/// What a strategy sees, and where it leaves its intents.
public struct StrategyContext: ~Copyable {
    /// Which time belongs to which session.
    public let calendar: SessionCalendar
    /// The time of the event being handled.
    @inlinable public var now: Timestamp { time }
    /// The market as known now.
    @inlinable public var market: MarketState { _read { yield state } }
    /// The equity of the whole account, as of the last complete instant.
    @inlinable public var equity: ExactMoney { valuation.equity }

    // The values of the three above are stored apart, since the engine's inlined path sets it.
    /// The time of the event being handled.
    @usableFromInline package var time = Timestamp.distantPast
    /// The equity of the whole account, as of the last complete time.
    @usableFromInline package var valuation = Valuation(.zero)
    /// The market as known now.
    @usableFromInline package var state: MarketState
    /// Who is being called.
    @usableFromInline package var strategy = StrategyID(index: 0)
    /// Intents and timers left behind by the call, in order.
    @usableFromInline package var requests = GrowingArray<StrategyRequest>()
    /// Whether the strategy being called does nothing at the end of a slice and need not be asked.
    @usableFromInline package var declinedSlices = false
    /// Whether the strategy being called does nothing about quotes and need not be asked.
    package var declinedQuotes = false
    /// Whether the strategy being called does nothing about trades and need not be asked.
    package var declinedTrades = false
    /// Whether anybody wants to know what strategies note; see `note`.
    public package(set) var keepsNotes = false
    /// True while past bars are shown for warm-up: whatever is asked for then is forgotten.
    public package(set) var isWarmingUp = false
    /// What strategies noted and the engine has not handed on yet, in order.
    package private(set) var notes: [ScoreNote] = []
    /// Reasons given so far; a `TextID` is an index.
    package private(set) var reasons: [String]
    // Where literals lie that were given: looked through first, since comparing texts takes longer.
    private var literals = GrowingArray<(address: UInt, number: TextID)>()

    /// True while intents are left that pass risk together.
    private var isGrouping = false

    @usableFromInline let instrumentCount: Int
    @usableFromInline var holdings: FixedArray<Holding>

    /// What one strategy has and has ordered in one instrument.
    public struct Holding: Hashable, Sendable, BitwiseCopyable {
        /// Held; negative is short.
        public var quantity = Quantity.zero
        /// Ordered and not yet executed, buys minus sells; stops and targets are not in it.
        public var working = Quantity.zero
        /// The intent that is pending: for its execution window, or for orders that have to end first.
        public var pending = Pending.nothing

        /// What an intent that is pending would do to the position.
        public enum Pending: UInt8, Hashable, Sendable, BitwiseCopyable {
            /// None is pending.
            case nothing
            /// It opens or enlarges the position.
            case entry
            /// It reduces the position.
            case exit
        }

        /// A holding.
        public init(
            quantity: Quantity = .zero, working: Quantity = .zero, pending: Pending = .nothing
        ) {
            self.quantity = quantity
            self.working = working
            self.pending = pending
        }

        /// True while an intent to open or enlarge the position is pending or its order works.
        @inlinable public var isEntering: Bool {
            pending == .entry || working != .zero && !isReducing
        }

        /// True while an intent to reduce the position is pending or its order works.
        @inlinable public var isExiting: Bool { pending == .exit || isReducing }

        @inlinable var isReducing: Bool {
            quantity > .zero ? working < .zero : quantity < .zero && working > .zero
        }
    }

    /// A context for that many strategies before the first event.
    ///
    /// - Parameter reasons: those that were given before, by number; the first is the empty one.
    package init(
        instruments: [Instrument], strategyCount: Int, calendar: SessionCalendar = .newYork,
        reasons: [String] = [""]
    ) {
        self.calendar = calendar
        self.reasons = reasons
        state = MarketState(instruments: instruments)
        instrumentCount = instruments.count
        holdings = FixedArray(repeating: Holding(), count: instruments.count * strategyCount)
    }

    /// What the strategy itself holds and has ordered: other strategies' shares are not in it.
    @inlinable
    public func holding(of instrument: InstrumentID) -> Holding {
        holdings[holdingIndex(strategy, instrument)]
    }

    /// Wants a position on that side, sized by the configured sizing. Nothing happens when the strategy
    /// has a position or a working entry in the instrument already.
    ///
    /// - Parameters:
    ///   - terms: at the market in the run's execution window, unless set otherwise.
    ///   - protection: stop and target of the position, in the prices that the strategy sees; `nil` for
    ///     the configured ones. Without an average true range that it counts in there is no entry.
    public mutating func enter(
        _ side: Side, _ instrument: InstrumentID, using terms: OrderTerms = .market,
        protectedBy protection: Protection? = nil, because reason: StaticString
    ) {
        request(.enter(side), instrument, terms, protection, reason)
    }

    /// Wants the position closed.
    ///
    /// - Parameter terms: at the market in the run's execution window, unless set otherwise;
    ///   `.marketNow` waits for no window.
    public mutating func exit(
        _ instrument: InstrumentID, using terms: OrderTerms = .market, because reason: StaticString
    ) {
        request(.exit, instrument, terms, nil, reason)
    }

    /// Wants a position of exactly that many shares; negative is short.
    ///
    /// - Parameters:
    ///   - terms: at the market in the run's execution window, unless set otherwise.
    ///   - protection: as in `enter`. It holds for the whole position; `nil` leaves stop and target of a
    ///     position that has them where they are.
    public mutating func setTarget(
        _ quantity: Quantity, of instrument: InstrumentID, using terms: OrderTerms = .market,
        protectedBy protection: Protection? = nil, because reason: StaticString
    ) {
        request(.target(quantity), instrument, terms, protection, reason)
    }

    /// Wants a position worth that part of equity: 0.1 is ten percent, negative is short.
    ///
    /// - Parameter protection: as in `hold`.
    public mutating func setWeight(
        _ weight: Double, of instrument: InstrumentID,
        protectedBy protection: Protection? = nil, because reason: StaticString
    ) {
        request(.weight(weight), instrument, .market, protection, reason)
    }

    /// Wants other stops and targets for the position it holds, whatever they were before: a stop of its
    /// own that moves with the price. Distances count from the newest price.
    public mutating func protect(
        _ instrument: InstrumentID, with protection: Protection, because reason: StaticString
    ) {
        request(.protect, instrument, .market, protection, reason)
    }

    /// Wants its entries in the instrument cancelled, those that work and those that are pending. Exits, stops
    /// and targets stay.
    public mutating func cancelEntries(in instrument: InstrumentID, because reason: StaticString) {
        request(.cancelEntries, instrument, .market, nil, reason)
    }

    /// Takes back what it wanted of the position and what is not done yet, exits too: pending intents are
    /// dropped, working orders cancelled, stops and targets stay. For a signal that has turned before its order
    /// could trade; see `Holding.isEntering` and `isExiting`.
    public mutating func withdraw(_ instrument: InstrumentID, because reason: StaticString) {
        request(.withdraw, instrument, .market, nil, reason)
    }

    /// Wants to be called at `time`, at the earliest a millisecond from now; `number` is the strategy's
    /// own, a second call with it moves the timer.
    public mutating func setTimer(_ number: Int, at time: Timestamp) {
        requests.append(.timer(TimerID(strategy: strategy, number: number), at: time))
    }

    /// Leaves a figure for people to look at afterwards: why something was chosen, or not. It changes
    /// nothing else, and costs nothing while nobody wants to know.
    ///
    /// A strategy that would have to work out more than it needs may ask `keepsNotes` first.
    ///
    /// - Parameters:
    ///   - score: what it thinks of the instrument, in a unit of its own.
    ///   - rank: the place among those compared, from 1; `nil` when nothing was compared.
    public mutating func note(score: Double, rank: Int? = nil, of instrument: InstrumentID) {
        guard keepsNotes else { return }
        notes.append(
            ScoreNote(
                at: now, strategy: strategy, instrument: instrument, score: score,
                rank: Int32(clamping: rank ?? 0), held: holding(of: instrument).quantity))
    }

    /// Updates what a strategy sees of its own holding.
    package mutating func setHolding(
        _ holding: Holding, of instrument: InstrumentID, for strategy: StrategyID
    ) {
        holdings[holdingIndex(strategy, instrument)] = holding
    }

    /// Lets the intents that `body` asks for pass the risk gate together or not at all: either every leg can be
    /// ordered in full, or none is ordered and each is refused. A leg that a limit would only make smaller
    /// refuses all of them. Legs that reduce a position never stop the others.
    ///
    /// That holds at the gate. An order that the venue rejects or lets expire later is reported by `orderEnded`,
    /// and `response` says what the engine does about the other legs. Legs that wait for different times pass
    /// together with those of their time. Calls within `body` belong to the outermost one.
    ///
    /// ```swift
    /// context.together(onFailure: .flatten) { context in
    ///     context.setTarget(long, of: first, because: "the spread is wide")
    ///     context.setTarget(-short, of: second, because: "the spread is wide")
    /// }
    /// ```
    public mutating func together(
        onFailure response: GroupResponse = .keep, _ body: (inout StrategyContext) -> Void
    ) {
        guard !isGrouping else { return body(&self) }
        let first = requests.count
        requests.append(.group(response, count: 0))
        isGrouping = true
        body(&self)
        isGrouping = false
        requests[first] = .group(response, count: requests.count - first - 1)
    }

    /// Takes out what strategies noted.
    package mutating func takeNotes() -> [ScoreNote] {
        defer { notes.removeAll(keepingCapacity: true) }
        return notes
    }

    /// Forgets what was noted beyond so many notes.
    package mutating func dropNotes(from first: Int) { notes.removeSubrange(first...) }

    /// Puts notes from `first` on in order of their times; those of one time stay in theirs.
    package mutating func sortNotes(from first: Int) {
        let sorted = notes[first...].enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        notes.replaceSubrange(first..., with: sorted)
    }

    private mutating func request(
        _ goal: Intent.Goal, _ instrument: InstrumentID, _ terms: OrderTerms,
        _ protection: Protection?, _ reason: StaticString
    ) {
        requests.append(
            .intent(
                Intent(
                    strategy: strategy, instrument: instrument, goal: goal, terms: terms,
                    protection: protection), because: reason))
    }

    /// Reasons are literals, so there are as many as the source has: bounded tables.
    package mutating func number(of reason: StaticString) -> TextID {
        let address = UInt(bitPattern: reason.utf8Start)
        for index in literals.indices where literals[index].address == address {
            return literals[index].number
        }
        let number = number(ofText: reason)
        literals.append((address, number))
        return number
    }

    private mutating func number(ofText reason: StaticString) -> TextID {
        if let known = reasons.firstIndex(of: reason.description) {
            return TextID(index: known)
        }
        reasons.append(reason.description)
        return TextID(index: reasons.count - 1)
    }

    @inlinable
    func holdingIndex(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int {
        // Below the number of holdings, which was computed with overflow trapping.
        Int(strategy.index) &* instrumentCount &+ Int(instrument.index)
    }
}

/// The account's equity, worked out where somebody asks: within a batch it changes with every row, and few
/// strategies look.
@usableFromInline
package struct Valuation: Sendable {
    /// The equity but for what the position of a batch is worth.
    @usableFromInline let otherEquity: ExactMoney
    /// What is held of the batch's instrument, times the contract's multiplier.
    @usableFromInline let worth: Quantity
    /// The newest price of it.
    @usableFromInline var price: Price

    /// An equity outside batches.
    @inlinable
    package init(_ equity: ExactMoney) {
        otherEquity = equity
        worth = .zero
        // Here: where it is declared, its value would be a call for each use of this.
        price = .zero
    }

    /// An equity that follows the price of a position.
    @inlinable
    init(otherEquity: ExactMoney, worth: Quantity) {
        self.otherEquity = otherEquity
        self.worth = worth
        price = .zero
    }

    /// The equity at the newest price.
    @inlinable var equity: ExactMoney { otherEquity + price * worth }
}

/// A figure that a strategy left for people.
package struct ScoreNote: Hashable, Sendable, BitwiseCopyable {
    /// When.
    package let at: Timestamp
    /// Whose.
    package let strategy: StrategyID
    /// About what.
    package let instrument: InstrumentID
    /// What the strategy thinks of it.
    package let score: Double
    /// The place among those compared, from 1; 0 when nothing was compared.
    package let rank: Int32
    /// What the strategy held of it; negative is short.
    package let held: Quantity

    /// A figure.
    package init(
        at: Timestamp, strategy: StrategyID, instrument: InstrumentID, score: Double, rank: Int32,
        held: Quantity
    ) {
        self.at = at
        self.strategy = strategy
        self.instrument = instrument
        self.score = score
        self.rank = rank
        self.held = held
    }
}

/// What the engine does about the other legs of a group when one of them fails at the venue.
public enum GroupResponse: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// Nothing: the strategy decides.
    case keep
    /// The positions in all its instruments are closed, and entries that work are cancelled.
    case flatten
}

/// One thing a strategy asked for.
@usableFromInline
package enum StrategyRequest: Sendable {
    /// An intent about a position, and why.
    case intent(Intent, because: StaticString)
    /// The next so many requests pass risk together.
    case group(GroupResponse, count: Int)
    /// To be woken.
    case timer(TimerID, at: Timestamp)
}
