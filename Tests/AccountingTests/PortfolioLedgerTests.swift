import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct PortfolioLedgerTests {
    private static let first = InstrumentID(index: 0)
    private static let second = InstrumentID(index: 1)
    private static let own = Attribution.strategy(StrategyID(index: 0))
    private static let others = Attribution.strategy(StrategyID(index: 1))

    /// Books of 10,000 dollars, two instruments and two strategies.
    private func portfolio(_ trades: Execution...) -> PortfolioLedger {
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA", "BBB"), strategyCount: 2,
            capital: Money(cents: 10_000_00))
        for trade in trades { portfolio.apply(trade, for: Self.own) }
        return portfolio
    }

    private func dollars(_ cents: Int64) -> ExactMoney { ExactMoney(Money(cents: cents)) }

    // MARK: By hand

    @Test func startHoldsTheCapitalInCash() {
        let portfolio = portfolio()
        #expect(portfolio.cash == dollars(10_000_00))
        #expect(portfolio.equity == dollars(10_000_00))
        #expect(portfolio.contributed == dollars(10_000_00))
        #expect(portfolio.charges == .zero)
        #expect(portfolio.grossExposure == .zero)
        portfolio.checkIdentity()
    }

    @Test func purchaseTurnsCashIntoAPosition() {
        // 100 · 20.00 = 2,000.00; a position without a mark is marked at its price.
        let portfolio = portfolio(Make.execution(1, .buy, 100, cents: 20_00))
        #expect(portfolio.cash == dollars(8_000_00))
        #expect(portfolio.equity == dollars(10_000_00))
        #expect(portfolio.value(of: Self.first) == dollars(2_000_00))
        #expect(portfolio.quantity(of: Self.first) == Quantity(shares: 100))
    }

    @Test func markMovesEquityByTheDifference() {
        var portfolio = portfolio(Make.execution(1, .buy, 100, cents: 20_00))
        let isMarked = portfolio.mark(Self.first, at: Price(cents: 21_50))
        #expect(isMarked)
        #expect(portfolio.equity == dollars(10_150_00))
        #expect(portfolio.cash == dollars(8_000_00))
        // 50 more at 22.00 are worth 21.50 each by the mark: 25.00 lost at once.
        portfolio.apply(Make.execution(2, .buy, 50, cents: 22_00), for: Self.own)
        #expect(portfolio.equity == dollars(10_125_00))
        #expect(portfolio.value(of: Self.first) == dollars(3_225_00))
    }

    @Test func shortIsWorthLessThanNothing() {
        // 100 sold at 20.00, marked at 19.00: 12,000.00 in cash, -1,900.00 in value.
        var portfolio = portfolio(Make.execution(1, .sell, 100, cents: 20_00))
        let isMarked = portfolio.mark(Self.first, at: Price(cents: 19_00))
        #expect(isMarked)
        #expect(portfolio.cash == dollars(12_000_00))
        #expect(portfolio.value(of: Self.first) == dollars(-1_900_00))
        #expect(portfolio.equity == dollars(10_100_00))
        #expect(portfolio.grossExposure == dollars(1_900_00))
    }

    @Test func grossExposureAddsLongsAndShorts() {
        let portfolio = portfolio(
            Make.execution(1, .buy, 100, cents: 20_00),
            Make.execution(2, .sell, 10, cents: 50_00, instrument: 1))
        #expect(portfolio.grossExposure == dollars(2_500_00))
    }

    @Test func multiplierCountsInCashAndValue() {
        var instruments = Make.instruments("OPT")
        instruments[0].multiplier = 100
        var portfolio = PortfolioLedger(
            instruments: instruments, strategyCount: 1, capital: Money(cents: 10_000_00))
        // 2 · 100 · 1.50 = 300.00, marked at 1.75: 350.00.
        portfolio.apply(Make.execution(1, .buy, 2, cents: 1_50), for: Self.own)
        let isMarked = portfolio.mark(Self.first, at: Price(cents: 1_75))
        #expect(isMarked)
        #expect(portfolio.cash == dollars(9_700_00))
        #expect(portfolio.equity == dollars(10_050_00))
        portfolio.checkIdentity()
    }

    @Test func chargesReduceCashAndEquity() {
        var portfolio = portfolio(Make.execution(1, .buy, 100, cents: 20_00))
        portfolio.charge(Money(cents: 1_00))
        portfolio.charge(Money(cents: -35))  // a rebate
        #expect(portfolio.charges == dollars(65))
        #expect(portfolio.cash == dollars(7_999_35))
        #expect(portfolio.equity == dollars(9_999_35))
        portfolio.checkIdentity()
    }

    @Test func cashFlowIsNoProfit() {
        var portfolio = portfolio()
        portfolio.recordCashFlow(Money(cents: 500_00))
        portfolio.recordCashFlow(Money(cents: -200_00))
        #expect(portfolio.equity == dollars(10_300_00))
        #expect(portfolio.contributed == dollars(10_300_00))
        portfolio.checkIdentity()
        portfolio.closeSlice(at: Make.open)
        #expect(portfolio.drawdown.deepest == nil)
    }

    @Test func strategiesAndStrangersKeepSeparateLedgers() {
        var portfolio = portfolio(Make.execution(1, .buy, 100, cents: 20_00))
        portfolio.apply(Make.execution(2, .sell, 30, cents: 21_00), for: Self.others)
        portfolio.apply(Make.execution(3, .buy, 5, cents: 22_00), for: .unattributed)
        #expect(portfolio.ledger(of: Self.own, in: Self.first).quantity == Quantity(shares: 100))
        #expect(portfolio.ledger(of: Self.others, in: Self.first).quantity == Quantity(shares: -30))
        #expect(portfolio.ledger(of: .unattributed, in: Self.first).quantity == Quantity(shares: 5))
        #expect(portfolio.quantity(of: Self.first) == Quantity(shares: 75))
        #expect(portfolio.ledger(of: Self.own, in: Self.second).quantity == .zero)
        portfolio.checkIdentity()
    }

    /// Before the first mark, two owners who cancel each other out are worth nothing, as they are behind
    /// it; what they have cost differs.
    @Test func ownersWhoCancelEachOtherOutAreWorthNothing() {
        var portfolio = portfolio(Make.execution(1, .buy, 100, cents: 20_00))
        portfolio.apply(Make.execution(2, .sell, 100, cents: 21_00), for: Self.others)
        #expect(portfolio.value(of: Self.first) == .zero)
        #expect(portfolio.equity == dollars(10_100_00))
        portfolio.checkIdentity()
        _ = portfolio.mark(Self.first, at: Price(cents: 22_00))
        #expect(portfolio.equity == dollars(10_100_00))
        portfolio.checkIdentity()
    }

    // MARK: Marks the ledger cannot bear

    @Test func markBeyondTheLimitIsRefusedAndTheOldOneStays() {
        // A million shares: 10^12 at a price of 1,000,000.00, one unit of price more is beyond.
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 2, capital: Money(cents: 0))
        portfolio.apply(Make.execution(1, .buy, 1_000_000, cents: 10_00), for: Self.own)
        let limit = Price(cents: 1_000_000_00)
        let isAtLimitMarked = portfolio.mark(Self.first, at: limit)
        #expect(isAtLimitMarked)
        let equity = portfolio.equity
        let digest = portfolio.digest
        let isBeyondMarked = portfolio.mark(Self.first, at: Price(units: limit.units + 1))
        #expect(!isBeyondMarked)
        #expect(portfolio.value(of: Self.first) == .tradeMax)
        #expect(portfolio.equity == equity)
        #expect(portfolio.digest == digest)
        portfolio.checkIdentity()
        // What is traded next is valued at the mark that stayed.
        portfolio.apply(Make.execution(2, .sell, 999_999, cents: 10_00), for: Self.own)
        #expect(portfolio.value(of: Self.first) == dollars(1_000_000_00))
        portfolio.checkIdentity()
    }

    @Test func markOfAShortBeyondTheLimitIsRefused() {
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 2, capital: Money(cents: 0))
        portfolio.apply(Make.execution(1, .sell, 1_000_000, cents: 10_00), for: Self.own)
        let isMarked = portfolio.mark(Self.first, at: Price(cents: 1_000_000_01))
        #expect(!isMarked)
        #expect(portfolio.value(of: Self.first) == dollars(-10_000_000_00))
    }

    @Test func anyMarkIsTakenWhenNothingIsHeld() {
        var portfolio = portfolio()
        let isMarked = portfolio.mark(Self.first, at: .magnitudeMax)
        #expect(isMarked)
        #expect(portfolio.equity == dollars(10_000_00))
    }

    // MARK: Corrections

    @Test func correctionReplacesWhatWasBooked() {
        var portfolio = portfolio(Make.execution(1, .buy, 100, cents: 20_00))
        let isMarked = portfolio.mark(Self.first, at: Price(cents: 20_00))
        #expect(isMarked)
        let old = Make.execution(1, .buy, 100, cents: 20_00)
        let new = Make.execution(1, .buy, 90, cents: 19_00, revision: 2)
        portfolio.rebook(new, replacing: old, for: Self.own, history: [new])
        // 90 · 19.00 = 1,710.00 paid; the mark of 20.00 stays: 90.00 gained.
        #expect(portfolio.cash == dollars(8_290_00))
        #expect(portfolio.equity == dollars(10_090_00))
        #expect(portfolio.ledger(of: Self.own, in: Self.first).cost == dollars(1_710_00))
        portfolio.checkIdentity()
    }

    @Test func bustTakesThePositionBack() {
        var portfolio = portfolio()
        let isMarked = portfolio.mark(Self.first, at: Price(cents: 20_00))
        #expect(isMarked)
        let untouched = portfolio.digest
        let old = Make.execution(1, .buy, 100, cents: 20_05)
        portfolio.apply(old, for: Self.own)
        let bust = Make.execution(1, .buy, 0, cents: 20_05, revision: 2)
        portfolio.rebook(bust, replacing: old, for: Self.own, history: [bust])
        #expect(portfolio.digest == untouched)
        portfolio.checkIdentity()
    }

    /// Two purchases, a sale and a correction of the first, each in all 24 orders of arrival.
    private func digests(marked: Bool) -> Set<UInt64> {
        let arrivals = [
            Make.execution(1, .buy, 100, cents: 20_00, second: 1),
            Make.execution(1, .buy, 80, cents: 20_10, revision: 2, second: 1),
            Make.execution(2, .buy, 50, cents: 21_00, second: 2),
            Make.execution(3, .sell, 110, cents: 22_00, second: 3),
        ]
        return Set(
            arrivals.permutations.map { order in
                var portfolio = portfolio()
                if marked { _ = portfolio.mark(Self.first, at: Price(cents: 20_00)) }
                var known: [Execution] = []
                for execution in order {
                    let index = known.firstIndex { $0.id.base == execution.id.base }
                    let old = index.map { known[$0] }
                    if let old, old.id.revision > execution.id.revision { continue }
                    known.removeAll { $0.id.base == execution.id.base }
                    known.append(execution)
                    known.sort { $0.time < $1.time }
                    portfolio.rebook(execution, replacing: old, for: Self.own, history: known)
                    portfolio.checkIdentity()
                }
                return portfolio.digest
            })
    }

    @Test func anyOrderOfArrivalGivesTheSameBooks() {
        let arrived = digests(marked: true)
        // In order: 80 at 20.10, 50 at 21.00, 110 sold at 22.00.
        var inOrder = portfolio()
        _ = inOrder.mark(Self.first, at: Price(cents: 20_00))
        inOrder.apply(
            Make.execution(1, .buy, 80, cents: 20_10, revision: 2, second: 1), for: Self.own)
        inOrder.apply(Make.execution(2, .buy, 50, cents: 21_00, second: 2), for: Self.own)
        inOrder.apply(Make.execution(3, .sell, 110, cents: 22_00, second: 3), for: Self.own)
        #expect(arrived == [inOrder.digest])
    }

    /// The same before the first bar: which execution came first must not decide what equity is.
    @Test func anyOrderOfArrivalGivesTheSameBooksBeforeTheFirstMark() {
        #expect(digests(marked: false).count == 1)
    }

    /// The venue corrects on which instrument an execution was.
    @Test func correctionOfTheInstrumentKeepsTheBooksTogether() {
        var portfolio = portfolio()
        let old = Make.execution(1, .buy, 100, cents: 20_00, instrument: 0)
        let new = Make.execution(1, .buy, 100, cents: 20_00, revision: 2, instrument: 1)
        portfolio.apply(old, for: Self.own)
        portfolio.rebook(new, replacing: old, for: Self.own, history: [new])
        #expect(portfolio.quantity(of: Self.first) == .zero)
        #expect(portfolio.quantity(of: Self.second) == Quantity(shares: 100))
        portfolio.checkIdentity()
    }

    // MARK: Property

    /// Property: after each of 10,000 random events all sums moved by differences equal those added up
    /// anew, by the ledger themselves and by this test from the events alone.
    @Test func sumsAddUpAfterAnyEvents() {
        var account = RandomAccount(seed: 1)
        for _ in 0..<10_000 { account.advance() }
        #expect(account.failures == 0)
        #expect(account.executionCount > 3_000)
    }
}

extension PortfolioLedger {
    /// Checks that every sum adds up anew.
    func checkIdentity(sourceLocation: SourceLocation = #_sourceLocation) {
        let isSound = identityHolds
        #expect(isSound, "sums must add up", sourceLocation: sourceLocation)
    }

    /// The books as one number.
    var digest: UInt64 {
        var hasher = StateHasher()
        hash(into: &hasher)
        return hasher.digest
    }
}

/// Books, random events, and all those events to add up anew.
private struct RandomAccount: ~Copyable {
    private(set) var failures = 0
    private(set) var executionCount: Int64 = 0

    private var chance: SeededGenerator
    private var portfolio: PortfolioLedger
    private var executions: [(owner: Int, execution: Execution)] = []
    /// Sums from the definition, over all executions, charges and flows so far.
    private var cash: Int128
    private var held = [Int128](repeating: 0, count: multipliers.count)
    private var marks: [Price?] = Array(repeating: nil, count: multipliers.count)

    private static let multipliers: [Int64] = [1, 100, 50, 1]
    private static let strategyCount = 3

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        var instruments = Make.instruments("AAA", "BBB", "CCC", "DDD")
        for (index, multiplier) in Self.multipliers.enumerated() {
            instruments[index].multiplier = multiplier
        }
        let capital = Money(cents: 1_000_000_00)
        portfolio = PortfolioLedger(
            instruments: instruments, strategyCount: Self.strategyCount, capital: capital)
        cash = ExactMoney(capital).units
        for instrument in instruments {
            let price = randomPrice()
            marks[Int(instrument.id.index)] = price
            if !portfolio.mark(instrument.id, at: price) { failures += 1 }
        }
    }

    mutating func advance() {
        switch chance.number(in: 0...9) {
        case 0...3: trade()
        case 4: correct()
        case 5...7: mark()
        case 8: charge()
        default: payInOrOut()
        }
        var equity = cash
        for index in Self.multipliers.indices {
            let price = Int128(marks[index]?.units ?? 0)
            equity += held[index] * price * Int128(Self.multipliers[index])
        }
        let isRight =
            portfolio.identityHolds && portfolio.cash.units == cash
            && portfolio.equity.units == equity
        if !isRight { failures += 1 }
    }

    private mutating func trade() {
        executionCount += 1
        let execution = randomExecution(base: executionCount, revision: 1)
        let owner = Int(chance.number(in: 0...Int64(Self.strategyCount)))
        executions.append((owner, execution))
        count(execution, sign: 1)
        portfolio.apply(execution, for: attribution(owner))
    }

    /// A second version of one of the last ten executions, now and then of nothing.
    private mutating func correct() {
        guard !executions.isEmpty else { return }
        let index = max(0, executions.count - Int(chance.number(in: 1...10)))
        let (owner, old) = executions[index]
        let changed = randomExecution(base: old.id.base, revision: Int(old.id.revision) + 1)
        let new = Execution(
            id: changed.id, instrument: old.instrument, side: changed.side,
            quantity: chance.chance(percent: 20) ? .zero : changed.quantity, price: changed.price,
            time: old.time)
        executions[index].execution = new
        count(old, sign: -1)
        count(new, sign: 1)
        portfolio.rebook(
            new, replacing: old, for: attribution(owner),
            history: executions.filter {
                $0.owner == owner && $0.execution.instrument == old.instrument
            }
            .map(\.execution))
    }

    private mutating func mark() {
        let instrument = randomInstrument()
        let price = randomPrice()
        guard portfolio.mark(instrument, at: price) else {
            failures += 1
            return
        }
        marks[Int(instrument.index)] = price
    }

    private mutating func charge() {
        let amount = Money(units: chance.number(in: -1_000_000...9_000_000))
        cash -= ExactMoney(amount).units
        portfolio.charge(amount)
    }

    private mutating func payInOrOut() {
        let amount = Money(units: chance.number(in: -5_000_000_000...5_000_000_000))
        cash += ExactMoney(amount).units
        portfolio.recordCashFlow(amount)
    }

    private mutating func count(_ execution: Execution, sign: Int128) {
        let index = Int(execution.instrument.index)
        let change = Int128(execution.signedQuantity.units) * sign
        held[index] += change
        cash -= change * Int128(execution.price.units) * Int128(Self.multipliers[index])
    }

    private mutating func randomExecution(base: Int64, revision: Int) -> Execution {
        Execution(
            id: ExecutionID(base: base, revision: revision), instrument: randomInstrument(),
            side: chance.one(of: [.buy, .sell]),
            quantity: Quantity(units: chance.number(in: 1...1_000_00000000)), price: randomPrice(),
            time: Make.time(base))
    }

    private mutating func randomPrice() -> Price {
        Price(units: chance.number(in: 1...2_000_00000000))
    }

    private mutating func randomInstrument() -> InstrumentID {
        InstrumentID(index: Int(chance.number(in: 0...Int64(Self.multipliers.count - 1))))
    }

    private func attribution(_ owner: Int) -> Attribution {
        owner == Self.strategyCount ? .unattributed : .strategy(StrategyID(index: owner))
    }
}
