import Accounting
import MarketState
import Model
import Primitives
import Risk
import Signals
import Simulation
import TestSupport
import TradingEngine

/// A strategy that wants anything at any time, with stops and targets of its own now and then.
private struct GuardedStrategy: Strategy {
    static let declaration = StrategyDeclaration(name: "guarded", summary: "wants anything")

    private var chance: SeededGenerator

    init(_ setup: StrategySetup) { self.init(seed: 0) }
    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        if chance.chance(percent: 60) { request(bar.instrument, around: bar.close, &context) }
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        guard chance.chance(percent: 20) else { return }
        request(execution.instrument, around: execution.price, &context)
    }

    private mutating func request(
        _ instrument: InstrumentID, around price: Price, _ context: inout StrategyContext
    ) {
        let near = Price(units: price.units + price.units / 10_000 * chance.number(in: -100...100))
        let type = chance.one(of: [
            OrderTerms.market, .marketNow, .limit(near, for: .goodTillCancelled), .stop(near),
            .marketOnOpen, .marketOnClose,
        ])
        let own = chance.chance(percent: 30) ? Protection.random(&chance, around: price) : nil
        switch chance.number(in: 0...12) {
        case 0...2:
            context.enter(
                chance.one(of: [.buy, .buy, .sell]), instrument, using: type, protectedBy: own,
                because: "enter")
        case 3: context.exit(instrument, using: type, because: "exit")
        case 4...8:
            context.setTarget(
                Quantity(shares: chance.number(in: -60...200)), of: instrument, protectedBy: own,
                because: "hold")
        case 9:
            context.protect(
                instrument, with: .random(&chance, around: price), because: "protect")
        case 10: context.cancelEntries(in: instrument, because: "cancel")
        case 11: context.withdraw(instrument, because: "withdraw")
        default:
            context.setWeight(
                Double(chance.number(in: -10...20)) / 100, of: instrument, protectedBy: own,
                because: "weight")
        }
    }
}

extension Protection {
    /// Any kind, near enough to be met now and then.
    static func random(
        _ chance: inout SeededGenerator, around price: Price
    ) -> Protection {
        let distance: Distance = chance.one(of: [
            .amount(Price(cents: chance.number(in: 5...150))),
            .percent(Percent(units: chance.number(in: 100_000...3_000_000))),
            .range(RangeDistance(length: 3, times: Percent(chance.number(in: 50...300)))),
        ])
        let below = Price(units: price.units - price.units / 1_000 * chance.number(in: 1...20))
        let above = Price(units: price.units + price.units / 1_000 * chance.number(in: 1...20))
        let stop = chance.one(of: [
            Stop.away(distance), .away(distance), .trailing(distance), .price(below),
        ])
        let target = chance.one(of: [Target.away(distance), .away(distance), .price(above)])
        switch chance.number(in: 0...3) {
        case 0: return Protection(stop: stop)
        case 1: return Protection(target: target)
        default: return Protection(stop: stop, target: target)
        }
    }
}

/// Two strategies whose positions are always protected, against the simulated venue, with a count of its
/// own of what the venue holds.
struct ProtectedSession: ~Copyable {
    /// The state after each event, where asked for.
    private(set) var hashes: [UInt64] = []

    private let splits: Bool
    private let keepsHashes: Bool
    private var engine: Engine
    private var venue: CountedVenue
    private var closes: [Int64] = [50_00, 20_00]
    private var barIndex = 0

    init(seed: UInt64, travel: CountedVenue.Travel, keepsHashes: Bool = false) {
        // What is under way over night would be of shares there are no more.
        splits = travel == .never
        self.keepsHashes = keepsHashes
        var chance = SeededGenerator(seed: seed)
        var rules = VenueRules(calendar: .always)
        rules.participation = chance.one(of: [nil, Percent(10), Percent(10)])
        rules.limitFill = chance.one(of: [.through, .touch])
        rules.barPath = chance.one(of: VenueRules.BarPath.allCases)
        let instruments = Make.instruments("AAA", "BBB")
        let standard = Protection.random(&chance, around: Price(cents: 1_000_00))
        // A price would be far off; distances go with every price.
        let rule: Protection =
            switch (standard.stop, standard.target) {
            case (.price, _), (_, .price): Protection(stop: .away(.percent(Percent(1))))
            case (.away, _), (.trailing, _), (nil, _): standard
            }
        engine = Engine(
            EngineSetup(
                instruments: instruments,
                strategies: (0..<2).map { strategy in
                    StrategyInstance(
                        GuardedStrategy(seed: seed &* 2 &+ strategy),
                        sizing: .fixedShares(Quantity(shares: 100)), protection: rule,
                        shown: instruments.map(\.id))
                }, capital: Money(cents: 100_000_00), limits: nil))
        venue = CountedVenue(
            SimulatedBroker(instruments: instruments, rules: rules), travel: travel, chance: chance)
    }

    /// The first promise that was broken.
    var failure: String? { venue.failure }

    /// What happened that the promises are about.
    var seen: [String] { venue.seen }

    // MARK: Playing

    /// An hour of both instruments.
    mutating func play() {
        guard failure == nil else { return }
        let bars = (0..<2).map { bar($0) }
        barIndex += 1
        venue.now = bars[0].start
        for bar in bars { venue.ask { $0.barOpened(bar, answers: &$1) } }
        settle()
        venue.now = bars[0].start + .minutes(20)
        settle()
        venue.now = bars[0].end
        for bar in bars { venue.ask { $0.barClosed(bar, answers: &$1) } }
        settle()
        for bar in bars { step(.bar(bar)) }
        step(.sliceClosed)
        operate()
    }

    /// Lets everything arrive, and looks at the result.
    mutating func finish() {
        settle(percent: 100)
        if !engine.portfolio.identityHolds { venue.fail("books do not add up") }
    }

    private mutating func bar(_ instrument: Int) -> Bar {
        let last = closes[instrument]
        let gap = venue.chance.chance(percent: 10) ? last / 30 : last / 300
        let open = max(2_00, last + venue.chance.number(in: -gap...gap))
        let close = max(2_00, open + venue.chance.number(in: -(open / 100)...(open / 100)))
        closes[instrument] = close
        return Make.bar(
            barIndex, open: open, high: max(open, close) + venue.chance.number(in: 0...open / 100),
            low: min(open, close) - venue.chance.number(in: 0...open / 100), close: close,
            volume: venue.chance.number(in: 0...2_500), instrument: instrument, barSize: .hours(1))
    }

    /// A person, a split, or a venue that ends what it pleases.
    private mutating func operate() {
        switch venue.chance.number(in: 0...39) {
        case 0: step(.operatorRequest(OperatorRequest(.halt)))
        case 1...4: step(.operatorRequest(OperatorRequest(.resumeAll)))
        case 5...7:
            venue.cancelAnOrder()
            settle()
        case 8 where splits: split()
        default: break
        }
    }

    /// Two for one, over night.
    private mutating func split() {
        guard failure == nil else { return }
        guard let ratio = SplitRatio(snapping: Quantity(shares: 2)) else {
            return venue.fail("two for one is no ratio")
        }
        let share = InstrumentID(index: 0)
        barIndex += 24
        venue.now = venue.now + .hours(24)
        let day = SessionCalendar.newYork.day(of: venue.now)
        closes[0] /= 2
        venue.split(share)
        step(
            .corporateAction(
                CorporateAction(instrument: share, exDay: day, kind: .split(ratio))))
    }

    // MARK: Messages

    private mutating func step(_ kind: Event.Kind) {
        guard failure == nil else { return }
        handle(kind)
        settle()
    }

    private mutating func handle(_ kind: Event.Kind) {
        var output = EngineOutput()
        engine.step(Event(at: venue.now, kind: kind), into: &output)
        if keepsHashes { hashes.append(engine.stateHash) }
        for command in output.commands { venue.send(command) }
    }

    /// Delivers what is under way, all of it or some.
    private mutating func settle(percent: Int64 = 60) {
        while let reports = venue.arrive(percent: percent) {
            for report in reports { handle(.order(report)) }
        }
        venue.checkCover(by: &engine, isAlwaysPlanned: true)
    }
}
