import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// What holds for every order in every market: 10,000 random sequences of bars, quotes, trades,
/// orders and cancellations.
@Suite struct VenuePropertyTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func barsKeepEveryPromise(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let number = chance.next()
            var session = RandomVenueSession(seed: number, matching: .bars)
            session.playBars()
            try #require(session.failure == nil, "sequence \(number): \(session.failure ?? "")")
            var repeated = RandomVenueSession(seed: number, matching: .bars)
            repeated.playBars()
            try #require(
                repeated.reports == session.reports, "sequence \(number) must repeat itself")
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func ticksKeepEveryPromise(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let number = chance.next()
            var session = RandomVenueSession(seed: number, matching: .ticks)
            session.playTicks()
            try #require(session.failure == nil, "sequence \(number): \(session.failure ?? "")")
            var repeated = RandomVenueSession(seed: number, matching: .ticks)
            repeated.playTicks()
            try #require(
                repeated.reports == session.reports, "sequence \(number) must repeat itself")
        }
    }

    /// Ticks that reach no order need not be told of, whatever orders there are.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func quietTicksChangeNothing(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var passedCount = 0
        for _ in 0..<400 {
            let number = chance.next()
            var session = RandomVenueSession(seed: number, matching: .ticks)
            session.playTicks()
            var quick = RandomVenueSession(seed: number, matching: .ticks, passesQuietTicks: true)
            quick.playTicks()
            try #require(
                quick.reports == session.reports, "sequence \(number) must come to the same")
            passedCount += quick.passedCount
        }
        #expect(passedCount > 50)
    }

    /// The sequences hold what the promises are about.
    @Test func sequencesReachEveryKindOfOrderAndEnd() {
        var kinds: Set<String> = []
        for seed in 0..<400 as Range<UInt64> {
            for matching in VenueRules.Matching.allCases {
                var session = RandomVenueSession(seed: seed, matching: matching)
                switch matching {
                case .bars: session.playBars()
                case .ticks: session.playTicks()
                }
                kinds.formUnion(session.kinds.map { "\(matching) \($0)" })
            }
        }
        for matching in VenueRules.Matching.allCases {
            for kind in [
                "market", "limit", "stop", "stopLimit", "trailingStop", "marketOnOpen",
                "limitOnOpen", "marketOnClose", "limitOnClose", "child", "group", "immediate",
                "outside", "requested", "expired", "linked",
            ] {
                #expect(kinds.contains("\(matching) \(kind)"), "\(matching), \(kind)")
            }
        }
    }
}

/// One venue with random rules in a random market, and a second book about what it says.
private struct RandomVenueSession: ~Copyable {
    /// What was told, in order.
    private(set) var reports: [OrderReport] = []
    /// The first promise that was broken.
    private(set) var failure: String?
    /// What filled or ended.
    private(set) var kinds: Set<String> = []

    private var venue: VenueRig
    private var chance: SeededGenerator
    private var orders: [Tracked] = []
    private var now = Make.open - .minutes(3)
    private static let slip = Price(cents: 3)

    private struct Tracked {
        let request: OrderRequest
        let arrived: Timestamp
        var filled = Quantity.zero
        var isOver = false
        var fillTimes: [Timestamp] = []
    }

    /// How many ticks passed the venue while orders worked.
    var passedCount: Int { venue.passedCount }

    init(seed: UInt64, matching: VenueRules.Matching, passesQuietTicks: Bool = false) {
        var chance = SeededGenerator(seed: seed)
        let rules = (
            path: chance.one(of: VenueRules.BarPath.allCases),
            fill: chance.one(of: VenueRules.LimitFill.allCases),
            trigger: chance.one(of: VenueRules.StopTrigger.allCases),
            isLimited: chance.chance(percent: 60)
        )
        venue = VenueRig {
            $0.matching = matching
            $0.barPath = rules.path
            $0.limitFill = rules.fill
            $0.stopTrigger = rules.trigger
            $0.participation = rules.isLimited ? Percent(10) : nil
            $0.slippage = .fixed(Self.slip)
        }
        venue.passesQuietTicks = passesQuietTicks
        self.chance = chance
    }

    // MARK: Markets

    /// Minutes around the bell and the close, some of them outside hours.
    mutating func playBars() {
        for minute in [-4, -3, -1, 0, 1, 2, 3, 4, 376, 377, 378, 388, 389, 390] {
            let open = chance.number(in: 99_00...101_00)
            let close = chance.number(in: 99_00...101_00)
            let bar = Make.bar(
                minute, open: open, high: max(open, close) + chance.number(in: 0...80),
                low: min(open, close) - chance.number(in: 0...80), close: close,
                volume: chance.number(in: 0...1_500))
            now = bar.start
            if chance.chance(percent: 50) { act() }
            handle(venue.open(bar), within: bar, from: bar.start)
            // Late, but still at the start.
            if chance.chance(percent: 30) { act() }
            checkImmediate()
            now = bar.start + .seconds(20)
            if chance.chance(percent: 50) { act() }
            now = bar.end
            handle(venue.close(bar), within: bar, from: bar.start)
        }
        settleUp()
    }

    /// Quotes and trades from a minute before the bell, and some after the close.
    mutating func playTicks() {
        for second in [
            -600, -60, -30, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 23_390, 23_399, 23_400, 23_405,
        ]
            as [Int64]
        {
            now = Make.time(second)
            if chance.chance(percent: 50) { act() }
            let size = chance.number(in: 1...120)
            let price = chance.number(in: 99_00...101_00)
            if chance.chance(percent: 50) {
                handle(venue.trade(Make.trade(second, price, size)), size: size)
            } else {
                let quote = Make.quote(
                    second, bid: price, ask: price + chance.number(in: 1...20), bidSize: size,
                    askSize: size)
                handle(venue.quote(quote), size: 2 * size)
                checkImmediate()
            }
            if chance.chance(percent: 30) { act() }
        }
        settleUp()
    }

    // MARK: Orders

    private mutating func act() {
        if chance.chance(percent: 15), !orders.isEmpty {
            let number = chance.number(in: 1...Int64(orders.count))
            return handle(venue.cancel(number), within: nil, from: now)
        }
        if chance.chance(percent: 40) {
            sendBracket()
        } else {
            send(randomOrder(Terms(group: chance.chance(percent: 20) ? 7 : nil)))
        }
    }

    private mutating func sendBracket() {
        let quantity = chance.number(in: 1...120)
        let side = chance.one(of: [Side.buy, .sell])
        send(Make.order(side, quantity, randomType(), Terms()))
        let parent = Int64(orders.count)
        let terms = Terms(parent: parent, group: 100 + orders.count)
        for _ in 0..<2 { send(Make.order(side.opposite, quantity, randomType(), terms)) }
    }

    private mutating func randomOrder(_ given: Terms) -> OrderRequest {
        var terms = given
        let type = randomType()
        terms.timeInForce =
            type.isAuction
            ? .day
            : chance.one(of: [
                .day, .goodTillCancelled, .immediateOrCancel, .goodTillDate(now + .minutes(2)),
            ])
        terms.outsideRTH = chance.chance(percent: 25)
        let side = chance.one(of: [Side.buy, .sell])
        return Make.order(side, chance.number(in: 1...120), type, terms)
    }

    private mutating func randomType() -> OrderType {
        let price = Price(cents: chance.number(in: 99_00...101_00))
        let other = Price(cents: chance.number(in: 99_00...101_00))
        return chance.one(of: [
            .market, .limit(price), .stop(price), .stopLimit(stop: price, limit: other),
            .trailingStop(.amount(Price(cents: chance.number(in: 10...100)))),
            .trailingStop(.percent(Percent(1))), .limit(price), .stop(price), .marketOnOpen,
            .limitOnOpen(price), .marketOnClose, .limitOnClose(price),
        ])
    }

    private mutating func send(_ request: OrderRequest) {
        orders.append(Tracked(request: request, arrived: now))
        let isFinal = request.isValid ? nil : OrderFact.rejected(.invalidTerms)
        let answers = venue.submit(request, at: now)
        if let isFinal, answers.first != isFinal { fail("order \(orders.count) must be rejected") }
        handle(answers, within: nil, from: now)
    }

    // MARK: Promises

    private mutating func fail(_ text: String) { failure = failure ?? text }

    private mutating func handle(_ answers: VenueRig.Answers, size: Int64) {
        let taken = answers.fills.reduce(0) { $0 + $1.shares }
        // An auction or a stop's trade may take the trade and what a quote still shows.
        if taken > size + 240 { fail("\(taken) of \(size) taken") }
        handle(answers, within: nil, from: now)
    }

    private mutating func handle(
        _ answers: VenueRig.Answers, within bar: Bar?, from start: Timestamp
    ) {
        reports += answers.reports
        for report in answers.reports {
            let slot = Int(report.order.number) - 1
            switch report.fact {
            case .acknowledged, .commission: break
            case .executed(let execution): state(execution, slot, within: bar, from: start)
            case .cancelled(let cause):
                if orders[slot].isOver { fail("order \(slot + 1) ended twice") }
                orders[slot].isOver = true
                kinds.insert("\(cause)")
            case .rejected: orders[slot].isOver = true
            case .modified, .modificationRefused,
                .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted,
                .rejectedByBroker, .cancelledByBroker, .heldByBroker, .message, .probeAnswer,
                .acknowledgementOverdue, .closed, .reopened:
                fail("no change was asked for")
            }
        }
    }

    private mutating func state(
        _ execution: Execution, _ slot: Int, within bar: Bar?, from start: Timestamp
    ) {
        let request = orders[slot].request
        let name = "order \(slot + 1), \(request.type)"
        noteKinds(of: request)
        if orders[slot].isOver { fail("\(name) filled after its end") }
        orders[slot].filled += execution.quantity
        orders[slot].fillTimes.append(execution.time)
        if orders[slot].filled > request.quantity { fail("\(name) filled too much") }
        if execution.quantity <= .zero { fail("\(name) filled nothing") }
        if execution.time < orders[slot].arrived { fail("\(name) filled before its arrival") }
        let isClosing = "\(request.type)".contains("OnClose")
        if bar != nil, orders[slot].arrived > start, !isClosing {
            fail("\(name) took part in a bar that had begun before it came")
        }
        if let limit = request.type.limitPrice {
            let isWorse =
                request.side == .buy ? execution.price > limit : execution.price < limit
            if isWorse { fail("\(name) filled at \(execution.price)") }
        }
        if let bar, execution.price > bar.high + Self.slip || execution.price < bar.low - Self.slip
        {
            fail("\(name) filled at \(execution.price), outside its bar")
        }
        if case .goodTillDate(let end) = request.timeInForce, execution.time > end {
            fail("\(name) filled after its date")
        }
        if request.timeInForce == .immediateOrCancel, Set(orders[slot].fillTimes).count > 1 {
            fail("\(name) rested")
        }
        checkLinks(of: request, name)
    }

    private mutating func checkLinks(of request: OrderRequest, _ name: String) {
        if let group = request.group {
            let members = orders.filter { $0.request.group == group }
            let filled = members.reduce(Quantity.zero) { $0 + $1.filled }
            let most = members.map(\.request.quantity).max() ?? .zero
            if filled > most { fail("\(name): its group filled \(filled) of \(most)") }
        }
        if let parent = request.parent {
            let children = orders.filter { $0.request.parent == parent }
            let filled = children.reduce(Quantity.zero) { $0 + $1.filled }
            let most = orders[Int(parent.number) - 1].filled
            if filled > most { fail("\(name): children filled \(filled), their parent \(most)") }
        }
    }

    private mutating func noteKinds(of request: OrderRequest) {
        kinds.insert("\(request.type)".prefix { $0 != "(" }.description)
        if request.parent != nil { kinds.insert("child") }
        if request.group != nil { kinds.insert("group") }
        if request.timeInForce == .immediateOrCancel { kinds.insert("immediate") }
        if request.outsideRTH { kinds.insert("outside") }
    }

    /// What works at the end is what was neither filled nor ended.
    private mutating func settleUp() {
        let working = orders.filter { !$0.isOver && $0.filled < $0.request.quantity }
        if venue.orderCount != working.count {
            fail("\(venue.orderCount) orders work, not \(working.count)")
        }
    }

    /// What has met a price is over, if it is immediate and waits for no parent.
    private mutating func checkImmediate() {
        let isRegular = now >= Make.open && now < Make.open + .minutes(390)
        for order in orders
        where order.request.timeInForce == .immediateOrCancel && order.request.parent == nil {
            let isDone = order.isOver || order.filled == order.request.quantity
            if !isDone, isRegular || order.request.outsideRTH {
                fail("an immediate order rests")
            }
        }
    }
}
