import MarketState
public import Model
import Primitives
public import Signals

/// Joins the bid to buy and the ask to sell, in turn: a sample of a strategy that goes by quotes and trades.
///
/// At every so many quotes and trades of an instrument it cancels what rests and places a limit: to buy at
/// the bid, the next time to sell at the ask. Where something rested, the new order follows at the first
/// quote or trade behind the cancellation's confirmation, since two orders never work against each other.
public struct BidAskTurns: Strategy {
    private let every: Int
    private let shares: Quantity
    private var turns: [Turn]

    /// How far one instrument is.
    private struct Turn {
        var left: Int
        var side = Side.buy
        /// Whether an order is to be placed as soon as none works.
        var isDue = false

        /// Counts down, and tells whether there is something to do.
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
        parameters: [every.declaration, shares.declaration])

    /// A strategy before its first quote.
    public init(_ setup: StrategySetup) throws(ParameterError) {
        every = setup.parameters[Self.every]
        shares = Quantity(shares: Int64(setup.parameters[Self.shares]))
        turns = Array(repeating: Turn(left: every), count: setup.instruments.count)
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
        if turns[Int(instrument.index)].isNext() { takeTurn(instrument, &context) }
    }

    private mutating func takeTurn(_ instrument: InstrumentID, _ context: inout StrategyContext) {
        let index = Int(instrument.index)
        if turns[index].left <= 0 {
            turns[index].left = every
            turns[index].isDue = true
            if context.holding(of: instrument).working != .zero {
                return context.cancelOrders(in: instrument, because: "the next turn")
            }
        }
        place(instrument, &context)
    }

    private mutating func place(_ instrument: InstrumentID, _ context: inout StrategyContext) {
        let index = Int(instrument.index)
        let holding = context.holding(of: instrument)
        guard holding.working == .zero, let quote = context.market.latestQuote(of: instrument)
        else {
            return
        }
        let side = turns[index].side
        guard let price = side == .buy ? quote.bid : quote.ask else { return }
        turns[index].isDue = false
        turns[index].side = side.opposite
        context.hold(
            holding.quantity + side.signed(shares), of: instrument, using: .limit(price),
            because: "its turn")
    }
}
