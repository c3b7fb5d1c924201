import MarketState
public import Model
import Primitives
public import Signals

/// Joins the bid to buy and the ask to sell, in turn: a sample of a strategy that goes by quotes and trades.
///
/// At every so many quotes and trades of an instrument it cancels what rests and places a limit: to buy at
/// the bid, the next time to sell at the ask. Where something rested, the new order follows at the first
/// quote or trade behind the cancellation's confirmation, since two orders never work against each other.
public struct BidAskTurns: Strategy, Codable {
    private let every: Int
    private let shares: Quantity
    /// The turn of the instrument of the newest event, on which `turns` is not up to date. It lies by itself:
    /// at a write to an array the question is each time whether it is shared.
    private var turn: Turn
    private var instrument = InstrumentID(index: 0)
    private var turns: [Turn]

    /// How far one instrument is.
    private struct Turn: Codable {
        var left: Int
        var side = Side.buy
        /// Whether an order is to be placed as soon as none works.
        var isDue = false

        /// Counts down and returns whether there is something to do.
        @inline(__always)
        mutating func isNext() -> Bool {
            left &-= 1
            return left <= 0 || isDue
        }
    }

    static let every = Parameter.integer(
        "every", in: 1...10_000_000, default: 1_000, unit: "quotes and trades",
        "how often an order is placed")
    static let shares = Parameter.integer(
        "shares", in: 1...1_000_000, default: 1, unit: "shares", "what an order is for")

    /// Name, purpose and parameters.
    public static let declaration = StrategyDeclaration(
        name: "bid_ask_turns",
        summary:
            "joins the bid to buy and the ask to sell, in turn: a sample for quotes and trades",
        parameters: [every.declaration, shares.declaration], ownSizing: "shares says")

    /// A strategy before its first quote.
    public init(_ setup: StrategySetup) throws(ParameterError) {
        every = setup.parameters[Self.every]
        shares = Quantity(shares: Int64(setup.parameters[Self.shares]))
        turn = Turn(left: every)
        turns = Array(repeating: turn, count: setup.universe.count)
    }

    /// Counts it, and places an order when it is time.
    public mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        count(quote.instrument, &context)
    }

    /// Counts it, and places an order when it is time.
    public mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        count(trade.instrument, &context)
    }

    @inline(__always)
    private mutating func count(_ instrument: InstrumentID, _ context: inout StrategyContext) {
        if instrument != self.instrument { go(to: instrument) }
        if turn.isNext() { takeTurn(&context) }
    }

    private mutating func go(to instrument: InstrumentID) {
        turns[Int(self.instrument.index)] = turn
        turn = turns[Int(instrument.index)]
        self.instrument = instrument
    }

    private mutating func takeTurn(_ context: inout StrategyContext) {
        if turn.left <= 0 {
            turn.left = every
            turn.isDue = true
            if context.holding(of: instrument).working != .zero {
                return context.withdraw(instrument, because: "the next turn")
            }
        }
        place(&context)
    }

    private mutating func place(_ context: inout StrategyContext) {
        let holding = context.holding(of: instrument)
        guard holding.working == .zero, let quote = context.market.latestQuote(of: instrument),
            let price = turn.side == .buy ? quote.bid : quote.ask
        else { return }
        let change = turn.side.signed(shares)
        turn.isDue = false
        turn.side = turn.side.opposite
        context.setTarget(
            holding.quantity + change, of: instrument, using: .limit(price), because: "its turn")
    }
}
