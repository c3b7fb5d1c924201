import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct WorkingOrdersTests {
    private static let first = InstrumentID(index: 0)
    private static let strategy = StrategyID(index: 0)

    @Test func partialFillLeavesTheRestWorking() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let buy = try ledger.submitForTest(Make.request(.buy, 100))
        let sell = try ledger.submitForTest(Make.request(.sell, 30, purpose: .exit))
        _ = ledger.record(
            OrderReport(order: buy, fact: .executed(Make.execution(1, .buy, 40, cents: 100_00))))
        let working = ledger.working.account(in: Self.first)
        #expect(working.buys == Quantity(shares: 60))
        #expect(working.sells == Quantity(shares: 30))
        #expect(working.exits == Quantity(shares: 30))
        #expect(ledger.liveOrders(of: Self.strategy, in: Self.first) == [buy, sell])
    }

    /// After a correction 10 of 100 shares are missing. Whether the venue still works them or not: what
    /// counts as working must be cancellable, or nothing ever ends it and the strategy is locked out.
    @Test(arguments: [0, 90] as [Int64])
    func whatWorksAfterACorrectionDownwardsCanBeCancelled(shares: Int64) throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 100))
        for fact in [
            .acknowledged, .executed(Make.execution(1, .buy, 100, cents: 100_00)),
            .executed(Make.execution(1, .buy, shares, cents: 100_00, revision: 2)),
        ] as [OrderFact] {
            _ = ledger.record(OrderReport(order: id, fact: fact))
        }
        let isWorking = ledger.working.account(in: Self.first).buys > .zero
        #expect(ledger.liveOrders(of: Self.strategy, in: Self.first).isEmpty == !isWorking)
    }

    /// Property: the sums that are moved by differences equal those counted anew, after every fact.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func sumsEqualARecount(seed: UInt64) throws {
        var history = History(seed: seed, changesQuantities: seed % 2 == 1)
        for _ in 0..<120 {
            try history.advance()
            try history.checkSums()
        }
    }

    /// Property: an order is listed as live exactly when its facts say so.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func liveOrdersAreThoseWhoseFactsHaveNoEnd(seed: UInt64) throws {
        var history = History(seed: seed, changesQuantities: seed % 2 == 1)
        for _ in 0..<120 {
            try history.advance()
            try history.checkLiveOrders()
        }
    }
}

/// A ledger, random facts about its orders, and everything that was said to count it anew.
private struct History: ~Copyable {
    private var chance: SeededGenerator
    private let changesQuantities: Bool
    private var ledger = OrderLedger(instrumentCount: 3, strategyCount: 2)
    private var orders: [(id: OrderID, request: OrderRequest, facts: [OrderFact])] = []

    init(seed: UInt64, changesQuantities: Bool) {
        chance = SeededGenerator(seed: seed)
        self.changesQuantities = changesQuantities
    }

    /// Sends an order or hears something about one.
    mutating func advance() throws {
        if orders.isEmpty || chance.chance(percent: 25) {
            let request = Make.request(
                chance.one(of: [.buy, .sell]), chance.number(in: 1...9),
                purpose: chance.one(of: [.entry, .exit]), instrument: Int(chance.number(in: 0...2)),
                strategy: Int(chance.number(in: 0...1)))
            orders.append((try ledger.submitForTest(request), request, []))
        } else {
            let index = Int(chance.number(in: 0...Int64(orders.count - 1)))
            let fact = fact(about: orders[index].request, Int64(index))
            orders[index].facts.append(fact)
            _ = ledger.record(OrderReport(order: orders[index].id, fact: fact))
        }
    }

    func checkSums() throws {
        for instrument in (0..<3).map(InstrumentID.init(index:)) {
            let inInstrument = orders.filter { $0.request.instrument == instrument }
            try #require(sums(inInstrument) == Sums(ledger.working.account(in: instrument)))
            for strategy in (0..<2).map(StrategyID.init(index:)) {
                let own = inInstrument.filter { $0.request.strategy == strategy }
                try #require(sums(own) == Sums(ledger.working.strategy(strategy, in: instrument)))
            }
        }
    }

    func checkLiveOrders() throws {
        for instrument in (0..<3).map(InstrumentID.init(index:)) {
            for strategy in (0..<2).map(StrategyID.init(index:)) {
                let live = orders.filter {
                    $0.request.instrument == instrument && $0.request.strategy == strategy
                        && Self.isLive($0.facts, $0.request)
                }
                try #require(live.map(\.id) == ledger.liveOrders(of: strategy, in: instrument))
            }
        }
    }

    /// Three executions an order at most, each in two versions; both versions of one quantity unless
    /// quantities change.
    private mutating func fact(about request: OrderRequest, _ order: Int64) -> OrderFact {
        switch chance.number(in: 0...19) {
        case 0...3: return .acknowledged
        case 4: return .cancelled(chance.one(of: [.requested, .expired, .external]))
        case 5: return .rejected(.notTradable)
        case 6...9: return .commission(Make.commission(order * 10, cents: 5))
        default:
            let base = order * 10 + chance.number(in: 0...2)
            let shares = changesQuantities ? chance.number(in: 0...4) : 1 + base % 3
            return .executed(
                Make.execution(
                    base, request.side, shares, cents: chance.number(in: 99_00...101_00),
                    revision: Int(chance.number(in: 1...2)),
                    instrument: Int(request.instrument.index)))
        }
    }

    private struct Sums: Equatable {
        var buys = Quantity.zero
        var sells = Quantity.zero
        var exits = Quantity.zero

        init() {}
        init(_ sides: WorkingOrders.Sides) {
            buys = sides.buys
            sells = sides.sells
            exits = sides.exits
        }
    }

    private func sums(_ orders: [(id: OrderID, request: OrderRequest, facts: [OrderFact])]) -> Sums
    {
        orders.reduce(into: Sums()) { sums, order in
            guard Self.isLive(order.facts, order.request) else { return }
            let open = order.request.quantity - Self.filled(order.facts)
            switch order.request.side {
            case .buy: sums.buys += open
            case .sell: sums.sells += open
            }
            if order.request.purpose == .exit { sums.exits += open }
        }
    }

    private static func isLive(_ facts: [OrderFact], _ request: OrderRequest) -> Bool {
        OrderFacts(recording: facts).state(ordered: request.quantity).isLive
    }

    private static func filled(_ facts: [OrderFact]) -> Quantity {
        OrderFacts(recording: facts).filled
    }
}
