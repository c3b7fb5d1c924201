import ClientTestSupport
import GatewaySimulator
import GatewayTestSupport
import MarketSimulation
import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import Testing

@testable import Runtime

/// Sessions whose strategies go by quotes and trades.
@Suite struct QuoteSessionTests {
    /// DAT-01: strategies that go by quotes and trades get them of their symbols: each kind is asked for once, from one
    /// source, orders follow, the ledgers are equal, and the journal is answered by a second engine as it was.
    @Test func quotesAndTradesReachStrategies() throws {
        let rig = try SessionRig(SessionRig.turns, keepsHistory: true)
        try rig.pass(.minutes(10))
        #expect(rig.gateway.received(.reqMktData).count == 2)
        #expect(rig.gateway.received(.reqTickByTickData).count == 2)
        for index in 0..<2 {
            #expect(rig.quotes(of: index).count > 100)
            #expect(rig.trades(of: index).count > 20)
            // Of each time there is one quote at most, unless a trade lies between.
            let ages = rig.driver.dataAges(at: rig.now)[index].age
            for age in [ages.bars, ages.quotes, ages.trades] {
                #expect(try #require(age) <= .seconds(15))
            }
        }
        #expect(rig.gateway.received(.placeOrder).count > 5)
        #expect(rig.driver.fillCount > 0)
        #expect(rig.gateway.violations.isEmpty)
        let snapshot = SessionSnapshot(of: rig.driver, symbols: rig.symbols, at: rig.now)
        #expect(snapshot.link == "READY" && snapshot.line == "healthy")
        #expect(snapshot.dataAges.map(\.symbol) == rig.symbols)
        try rig.expectEqualLedgers()
        try rig.expectVerifiedJournal("quotes")
    }

    /// DAT-01, C-39: what quotes of 85 symbols take in the journal, as docs/sessions.md has it: up to 40 bytes each.
    @Test func quotesTakeFewBytesInTheJournal() throws {
        let rig = try SessionRig(SessionRig.turns, keepsHistory: true)
        try rig.pass(.minutes(2))
        let quotes = rig.quotes(of: 0) + rig.quotes(of: 1)
        #expect(quotes.count > 100)
        // So many of one time as a turn of the loop has of 85 symbols, each a little off the others.
        var batch = RecordBatch()
        for index in 0..<85 {
            let quote = quotes[index]
            batch.events.append(
                Event(
                    at: rig.now,
                    kind: .quote(
                        Quote(
                            instrument: InstrumentID(index: index), at: rig.now, bid: quote.bid,
                            ask: quote.ask, bidSize: quote.bidSize, askSize: quote.askSize))))
        }
        let bytes = batch.encoded().count / 85
        #expect((10...40).contains(bytes), "\(bytes)")
    }

    /// DAT-01: where no strategy goes by quotes none are asked for, unless that is configured.
    @Test func streamsAreAskedForWhereTheyAreUsed() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(2))
        #expect(rig.gateway.received(.reqMktData).isEmpty)
        #expect(rig.gateway.received(.reqTickByTickData).isEmpty)
        let asking = try SessionRig(
            SessionRig.rotation.replacing("bar_size: 1m", with: "bar_size: 1m, quotes: on"),
            keepsHistory: true)
        try asking.pass(.minutes(2))
        #expect(asking.gateway.received(.reqMktData).count == 4)
        #expect(asking.gateway.received(.reqTickByTickData).isEmpty)
        #expect(!asking.quotes(of: 0).isEmpty)
        let silent = try SessionRig(
            SessionRig.turns.replacing("quotes: auto", with: "quotes: off, trades: off"),
            keepsHistory: true)
        try silent.pass(.minutes(2))
        #expect(silent.gateway.received(.reqMktData).isEmpty)
        #expect(silent.gateway.received(.reqTickByTickData).isEmpty)
    }

    /// DAT-01: more streams than the login has are refused at the start, with what can be done.
    @Test(arguments: [
        // Two of bars and two of quotes.
        ("market_data_lines: 3", "ibkr.market_data_lines is 3"),
        // Every twentieth line may be tick by tick: one.
        ("market_data_lines: 39", "trading.trades: off"),
    ])
    func moreStreamsThanTheLoginHasAreRefused(lines: String, words: String) throws {
        let rig = try SessionRig(SessionRig.turns + "\nibkr: {\(lines)}")
        #expect {
            try rig.pass(.seconds(30))
        } throws: { error in
            "\(error)".contains(words)
        }
    }

    /// DAT-01, G8: streams are asked for exactly once in each connection, and behind lost data; not behind a farm's
    /// blip or data that were kept. What may be old is taken back.
    @Test func streamsComeBackOnce() throws {
        let rig = try SessionRig(SessionRig.turns, keepsHistory: true)
        func asked() -> [Int] {
            [
                rig.gateway.received(.reqMktData).count,
                rig.gateway.received(.reqTickByTickData).count,
            ]
        }
        try rig.pass(.minutes(2))
        #expect(asked() == [2, 2])
        try rig.gateway.fault(#"{"do":"farm"}"#)
        try rig.pass(.seconds(5))
        #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == SessionRig.NoQuote.takenBack })
        try rig.gateway.fault(#"{"do":"farm","state":"ok"}"#)
        try rig.pass(.minutes(1))
        #expect(asked() == [2, 2])
        #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == .known })
        // Of five streams of trades that the login has, each loss gives two back.
        var count = 2
        for data in ["kept", "lost", "lost", "lost"] {
            try rig.gateway.fault(#"{"do":"lose-link"}"#)
            try rig.pass(.seconds(10))
            #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == .takenBack })
            try rig.gateway.fault(#"{"do":"restore-link","data":"\#(data)"}"#)
            try rig.pass(.minutes(2))
            if data == "lost" { count += 2 }
            #expect(asked() == [count, count])
            #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == .known })
        }
        // What was open before each loss is ended, for it may live.
        for kind in [
            ClientMessageKind.cancelMktData, .cancelTickByTickData, .cancelRealTimeBars,
        ] {
            #expect(rig.gateway.received(kind).count == 6, "\(kind)")
        }
        try rig.gateway.fault(#"{"do":"drop"}"#)
        try rig.pass(.minutes(2))
        #expect(asked() == [count + 2, count + 2])
        #expect(rig.gateway.violations.isEmpty)
        try rig.expectTradingGoesOn()
    }

    /// DAT-01, A7: behind a restart what strategies knew is taken back before anything new comes.
    @Test func aRestartKnowsNoOldQuote() throws {
        let rig = try SessionRig(SessionRig.turns, keepsHistory: true)
        try rig.pass(.minutes(3))
        let count = rig.events.count
        try rig.crash()
        try rig.pass(.minutes(1))
        for index in 0..<2 {
            let first = rig.events[count...].compactMap { event -> Quote? in
                guard case .quote(let quote) = event.kind,
                    quote.instrument == InstrumentID(index: index)
                else { return nil }
                return quote
            }.first
            #expect(first?.bid == nil && first?.ask == nil && first != nil)
            #expect(rig.newestQuote(of: index) == .known)
        }
        try rig.expectTradingGoesOn()
    }

    /// M1, C-23: quotes that stay away while the symbol trades are an alarm within 40 seconds: they are taken back, no
    /// entry follows in the symbol, and they are asked for anew.
    @Test func silentQuotesAreTakenBack() throws {
        let rig = try SessionRig(SessionRig.turns, keepsHistory: true)
        try rig.pass(.minutes(3))
        // What is asked for anew comes no more either.
        try rig.gateway.fault(
            #"{"do":"swallow","kinds":["tickPrice","tickSize","tickString","tickGeneric"]}"#
        )
        let silent = rig.now
        try rig.pass(.seconds(55))
        let alarms = rig.began(.dataMissing)
        #expect(Set(alarms.map(\.subject.instrument)).count == 2)
        #expect(alarms.allSatisfy { $0.at - silent <= .seconds(50) })
        #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == .takenBack })
        #expect(rig.gateway.received(.reqMktData).count == 4)
        #expect(rig.gateway.received(.cancelMktData).count == 2)
        let batch = rig.history.batches.count
        try rig.pass(.minutes(2))
        #expect(rig.entries(since: batch).isEmpty)
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.pass(until: "data of both", limit: .minutes(15)) {
            let over = rig.decisions.filter { $0.kind == .conditionEnded(.dataMissing) }
            return Set(over.map(\.subject.instrument)).count == 2
        }
        try rig.expectTradingGoesOn()
        #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == .known })
    }

    /// DAT-01, G11: data that are not live are refused: an alarm, nothing old is shown, no entry.
    @Test func dataThatAreNotLiveAreRefused() throws {
        let rig = try SessionRig(SessionRig.turns, keepsHistory: true)
        try rig.pass(.minutes(3))
        try rig.gateway.fault(#"{"do":"access","access":"unsubscribed"}"#)
        try rig.gateway.fault(#"{"do":"drop"}"#)
        try rig.pass(.minutes(1))
        let batch = rig.history.batches.count
        #expect(Set(rig.began(.dataMissing).map(\.subject.instrument)).count == 2)
        #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == .takenBack })
        try rig.pass(.minutes(3))
        #expect(rig.entries(since: batch).isEmpty)
        #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == .takenBack })
        try rig.gateway.fault(#"{"do":"access","access":"live"}"#)
        try rig.expectTradingGoesOn()
    }

    /// M3: the gateway's words for no price are no price, and a quote without bid and ask leads to no order.
    @Test(arguments: ["missing", "zero", "negative"])
    func sentinelsAreNoPrices(data: String) throws {
        let rig = try SessionRig(SessionRig.turns, keepsHistory: true)
        try rig.pass(.minutes(3))
        try rig.gateway.fault(#"{"do":"distort","data":"\#(data)","kinds":["tickPrice"]}"#)
        try rig.pass(.minutes(1))
        #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == .takenBack })
        let sent = rig.gateway.received(.placeOrder).count
        try rig.pass(.minutes(3))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        for event in rig.events {
            guard case .quote(let quote) = event.kind else { continue }
            #expect(
                (quote.bid ?? Price(cents: 1)) > .zero && (quote.ask ?? Price(cents: 1)) > .zero)
            #expect(quote.bid != nil || quote.bidSize == nil)
            #expect(quote.ask != nil || quote.askSize == nil)
        }
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.expectTradingGoesOn()
    }

    /// M5, N9: quotes that are off by a constant part are shown to no strategy: the symbols wait, and their data are
    /// asked for anew.
    @Test func quotesThatAreOffAreNotShown() throws {
        let rig = try SessionRig(SessionRig.turns, keepsHistory: true)
        try rig.pass(.minutes(3))
        try rig.gateway.fault(
            #"{"do":"distort","data":"spike","kinds":["tickPrice","tickByTick"]}"#)
        let batch = rig.history.batches.count
        try rig.pass(.seconds(60))
        #expect(Set(rig.began(.implausiblePrice).map(\.subject.instrument)).count == 2)
        #expect((0..<2).allSatisfy { rig.newestQuote(of: $0) == .takenBack })
        let sent = rig.entries(since: batch).count
        try rig.pass(.seconds(60))
        #expect(rig.entries(since: batch).count == sent)
        #expect(rig.gateway.received(.reqMktData).count >= 4)
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.expectTradingGoesOn()
        let over = rig.decisions.filter { $0.kind == .conditionEnded(.implausiblePrice) }
        #expect(Set(over.map(\.subject.instrument)).count == 2)
        #expect(over.count == rig.began(.implausiblePrice).count)
        for index in 0..<2 {
            let middles = rig.quotes(of: index).compactMap(\.middle?.units)
            for (former, latter) in zip(middles, middles.dropFirst()) {
                #expect(abs(former - latter) * 20 < former)
            }
        }
    }

    /// DAT-06, N5: behind a standstill the newest quotes are shown, and orders' messages all of them.
    @Test func oldQuotesAreLeftOut() throws {
        let rig = try SessionRig(SessionRig.turns + "\nibkr: {tick_buffer: 20}", keepsHistory: true)
        try rig.pass(.minutes(3))
        let before = rig.quotes(of: 0).count
        rig.stall(.minutes(3))
        try rig.pass(Duration.milliseconds(250))
        #expect((1...4).contains(rig.quotes(of: 0).count - before))
        #expect(rig.decisions.contains { $0.kind == .conditionBegan(.dataShed) })
        try rig.expectTradingGoesOn()
    }

    /// DAT-01, EVT-01: a session and a backtest of the quotes and trades that it was shown decide the same, order the
    /// same and come to the same executions, commissions and cash.
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func aSessionOnQuotesDecidesAsABacktestDoes(seed: UInt64) throws {
        let parity = try Parity(quotesOf: seed, .minutes(20))
        #expect(parity.session.fills.count > 10)
        expectEqual(parity.session.decisions, parity.backtest.decisions)
        expectEqual(parity.session.orders, parity.backtest.orders)
        expectEqual(parity.session.fills, parity.backtest.fills)
        #expect(parity.session.cash == parity.backtest.cash)
    }
}

extension SessionRig {
    /// A strategy that goes by quotes and trades of two stocks.
    static let turns = """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [AAPL, MSFT], bar_size: 1m, quotes: auto}
        strategies:
          - use: bid_ask_turns
            parameters: {every: 40, shares: 10}
        """

    /// What strategies know of a symbol's quote.
    enum NoQuote {
        case never
        case takenBack
        case known
    }

    /// The quotes that strategies were shown of a symbol.
    func quotes(of index: Int) -> [Quote] {
        events.compactMap {
            guard case .quote(let quote) = $0.kind, quote.instrument == InstrumentID(index: index)
            else { return nil }
            return quote
        }
    }

    /// The trades that strategies were shown of a symbol.
    func trades(of index: Int) -> [Trade] {
        events.compactMap {
            guard case .trade(let trade) = $0.kind, trade.instrument == InstrumentID(index: index)
            else { return nil }
            return trade
        }
    }

    /// What the newest of them says.
    func newestQuote(of index: Int) -> NoQuote {
        guard let quote = quotes(of: index).last else { return .never }
        return quote.bid == nil && quote.ask == nil ? .takenBack : .known
    }
}
