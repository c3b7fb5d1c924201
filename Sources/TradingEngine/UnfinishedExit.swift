package import Model
import Orders
import Primitives

/// An exit that stands until it is done: one whose order the venue has ended, or one that a halt wants.
package struct UnfinishedExit: Sendable, BitwiseCopyable {
    /// What is wanted; its goal is the position to be left.
    package private(set) var intent: Intent
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
    init(_ intent: Intent, because cause: HaltCause?) {
        self.intent = intent
        self.cause = cause
    }

    /// True if it is about that position.
    func isOf(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        intent.isAbout(strategy, instrument)
    }

    /// Another intent takes its place; what was lost so far stays counted.
    mutating func replace(by intent: Intent) { self.intent = intent }

    /// Takes in the end of one of its orders.
    mutating func recordLoss(_ market: MarketFacts, isIdle: Bool) {
        if day != market.today { losses = 0 }
        day = market.today
        losses += 1
        idleCount = isIdle && (idleCount == 0 || market.price == price) ? idleCount + 1 : 0
        price = market.price
    }

    /// True when nothing is sent for it now: the venue has ended as many orders as a session has tries, or the
    /// instrument does not trade any more.
    func isPaused(_ market: MarketFacts) -> Bool {
        losses > Self.lossesMax && day == market.today
            || idleCount >= Self.idleMax && price == market.price
    }

    /// True if the position is what was asked for. One that a halt wants is done only when nothing works either.
    func isDone(_ position: PositionFacts) -> Bool {
        let held = position.held
        if cause != nil { return held == .zero && !position.isWorking }
        switch intent.goal {
        case .target(let kept):
            return held == .zero || (held > .zero) != (kept > .zero)
                || held.magnitude <= kept.magnitude
        case .exit: return held == .zero
        case .enter, .weight, .cancelEntries, .withdraw, .protect: return true
        }
    }

    /// True if nothing works for it. One that a halt wants also ends entries that came since.
    func needsOrder(_ position: PositionFacts) -> Bool {
        cause != nil || position.exiting == .zero && !position.isExitDeferred
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

/// A strategy's position in an instrument, and what works for it.
struct PositionFacts {
    /// What is held; negative is short.
    var held: Quantity
    /// What works to buy and to sell, protection excepted.
    var buying = Quantity.zero
    var selling = Quantity.zero
    /// Of both, what reduces the position.
    var exiting = Quantity.zero
    /// True if an exit waits for orders in its way.
    var isExitDeferred = false

    /// True if anything but protection works.
    var isWorking: Bool { buying != .zero || selling != .zero }
}

/// What pauses of exits depend on.
struct MarketFacts {
    /// The day; `nil` before the first event.
    var today: Day?
    /// The instrument's newest price.
    var price: Price?
}

// MARK: - Records

extension UnfinishedExit: RecordValue {
    /// Writes the exit and what was lost of it.
    package func write(to writer: inout RecordWriter) {
        writer.write(intent)
        writer.write(optional: cause) { $0.write($1) }
        writer.write(losses)
        writer.write(optional: day) { $0.write($1) }
        writer.write(idleCount)
        writer.write(optional: price) { $0.write($1) }
    }

    /// The exit as it was written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        intent = try reader.value(Intent.self)
        cause = try reader.optional { (reader) throws(RecordError) in
            try reader.raw(HaltCause.self)
        }
        losses = try reader.count()
        day = try reader.optional { (reader) throws(RecordError) in try reader.day() }
        idleCount = try reader.count()
        price = try reader.optional { (reader) throws(RecordError) in try reader.price() }
    }
}
