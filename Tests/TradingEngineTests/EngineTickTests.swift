import Accounting
import MarketState
import Model
import Primitives
import Risk
import Signals
import TestSupport
import Testing
import TradingEngine

/// Quotes and trades: what they change, and who hears of them.
@Suite struct EngineTickTests {
    private func quote(_ bid: Int64, _ ask: Int64, instrument: Int = 0) -> Event.Kind {
        .quote(
            Quote(
                instrument: InstrumentID(index: instrument), at: Make.open,
                bid: Price(cents: bid), ask: Price(cents: ask)))
    }

    private func trade(_ cents: Int64, instrument: Int = 0) -> Event.Kind {
        .trade(
            Trade(
                instrument: InstrumentID(index: instrument), at: Make.open,
                price: Price(cents: cents), size: Quantity(shares: 1)))
    }

    /// 100 shares bought at 50.00: a quote of 60 moves nothing, a trade at 51.00 wins 100.
    @Test func tradeMarksPositionsAndQuoteDoesNot() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.publish(quote(60_00, 60_10))
        rig.publish(.sliceClosed)
        var equity = rig.engine.portfolio.equity.rounded()
        #expect(equity == Money(cents: 100_000_00))
        rig.publish(trade(51_00))
        rig.publish(.sliceClosed)
        equity = rig.engine.portfolio.equity.rounded()
        #expect(equity == Money(cents: 100_100_00))
        rig.checkLedger()
    }

    @Test func positionTooLargeToBeValuedAtATradeHaltsEntries() {
        var rig = Rig { $0.capital = Money(cents: 2_000_000_000_00) }
        rig.request(.target(20_000_000))
        rig.fill(1, 20_000_000)
        // 20 million · 50,000.00 = 10^12 can be valued, a cent more cannot.
        rig.publish(trade(50_000_00))
        rig.checkHalted(false)
        rig.publish(trade(50_000_01))
        rig.checkHalted(true)
    }

    @Test func stateRemembersQuotesAndTrades() {
        var rig = Rig()
        var same = Rig()
        var other = Rig()
        rig.publish(quote(50_00, 50_10))
        same.publish(quote(50_00, 50_10))
        other.publish(quote(50_00, 50_11))
        let hashes = [rig.stateHash, same.stateHash, other.stateHash]
        #expect(hashes[0] == hashes[1])
        #expect(hashes[0] != hashes[2])
    }

    /// Buys when the spread is a cent, sells when a trade is made above 52.
    @Test func strategyDecidesOnQuotesAndTradesOfWhatItIsShown() {
        var rig = Rig { $0.strategies = [.single(QuoteReader(), shown: 0)] }
        #expect(rig.publish(quote(50_00, 50_02)).isEmpty)
        #expect(rig.publish(quote(50_00, 50_01, instrument: 1)).isEmpty)
        #expect(rig.publish(quote(50_00, 50_01)).orders == ["buy 10 entry"])
        rig.fill(1, 10)
        #expect(rig.publish(trade(51_00)).isEmpty)
        #expect(rig.publish(trade(53_00, instrument: 1)).isEmpty)
        #expect(rig.publish(trade(53_00)).orders == ["sell 10 exit"])
    }

    /// The first in line listens to neither; that takes nothing from the second.
    @Test func strategyThatDeclinesDeclinesForItselfOnly() {
        var rig = Rig {
            $0.strategies = [
                .single(Insister(goal: .exit, type: .market)), .single(QuoteReader(), shown: 0),
                .single(Insister(goal: .exit, type: .market)),
            ]
        }
        for _ in 0..<3 { #expect(rig.publish(quote(50_00, 50_02)).isEmpty) }
        for _ in 0..<3 { #expect(rig.publish(trade(50_00)).isEmpty) }
        #expect(rig.publish(quote(50_00, 50_01)).orders == ["buy 10 entry"])
    }

    /// What is asked for at an auction is for the day, or the gate would refuse it.
    @Test func strategyMayAskForAnAuction() {
        var rig = Rig {
            $0.strategies = [.single(Insister(goal: .enter(.buy), type: .marketOnOpen))]
        }
        rig.price(50_00)
        rig.publish(.sliceClosed)
        #expect(rig.count(of: .invalidTerms) == 0)
        let types = rig.commands.compactMap { command -> OrderRequest? in
            guard case .submit(let ticket) = command else { return nil }
            return ticket.request
        }
        #expect(!types.isEmpty)
        #expect(types.allSatisfy { $0.type == .marketOnOpen && $0.timeInForce == .day })
    }
}

/// Reads the tape.
private struct QuoteReader: Strategy {
    static let declaration = StrategyDeclaration(name: "tape_reader", summary: "reads the tape")

    init() {}
    init(_ setup: StrategySetup) {}

    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        guard let bid = quote.bid, let ask = quote.ask, ask - bid <= Price(cents: 1) else { return }
        context.enter(.buy, quote.instrument, because: "the spread is narrow")
    }

    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        guard trade.price > Price(cents: 52_00) else { return }
        context.exit(trade.instrument, because: "others pay enough")
    }
}

extension StrategyInstance {
    /// An instance for ten shares of one instrument.
    fileprivate static func single(_ strategy: some Strategy, shown: Int) -> StrategyInstance {
        StrategyInstance(
            strategy, sizing: .fixedShares(Quantity(shares: 10)),
            shown: [InstrumentID(index: shown)])
    }
}
