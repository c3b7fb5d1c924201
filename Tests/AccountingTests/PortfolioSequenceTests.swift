import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct PortfolioSequenceTests {
    /// Property: in 10,000 random sequences of executions in and out of order, corrections, busts, charges,
    /// dividends, splits, cash flows, interest, marks and settlements, the ledger's identities hold after
    /// each event; at the end of each sequence they are, to the last unit, what a plain calculation from
    /// all events gives, and so are lots by every method.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func booksEqualAPlainCalculationFromAllEvents(seed: UInt64) {
        for sequence in 0..<100 as Range<UInt64> {
            var account = RandomAccount(seed: seed * 100 + sequence)
            for _ in 0..<25 { account.advance() }
            account.compare()
            #expect(account.failures == [], "seed \(seed), sequence \(sequence)")
        }
    }

    /// Property: so they are when the ledger leave as records and enter anew between the events.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func booksFromRecordsGoOnAsIfNothingHadHappened(seed: UInt64) {
        for sequence in 0..<20 as Range<UInt64> {
            var account = RandomAccount(seed: 1_000_000 + seed * 100 + sequence)
            for _ in 0..<25 {
                account.advance()
                account.reopen()
            }
            account.compare()
            #expect(account.failures == [], "seed \(seed), sequence \(sequence)")
        }
    }

    /// Property: so they are when executions that are some days old are folded, and corrections, late executions
    /// and late actions are younger.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func foldedExecutionsAreBookedAsBefore(seed: UInt64) {
        for sequence in 0..<5 as Range<UInt64> {
            var account = RandomAccount(seed: 2_000_000 + seed * 100 + sequence)
            for _ in 0..<150 {
                account.advance()
                account.foldOld()
                account.reopen()
            }
            account.compare()
            #expect(account.failures == [], "seed \(seed), sequence \(sequence)")
        }
    }

    /// Property: whatever is changed in records, they are refused, or the ledger that they give are sound.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func damagedRecordsAreRefusedOrGiveSoundBooks(seed: UInt64) {
        var account = RandomAccount(seed: 3_000_000 + seed)
        for _ in 0..<40 { account.advance() }
        for _ in 0..<50 { account.damage() }
        #expect(account.failures == [])
    }
}

/// Books, random events, and all those events for a plain calculation.
private struct RandomAccount: ~Copyable {
    private(set) var failures: [String] = []

    private var chance: SeededGenerator
    private var portfolio: PortfolioLedger
    private var plain: PlainAccount
    private var today: Int64 = 0
    private var base: Int64 = 0
    /// Executions of earlier days are folded.
    private var foldedBefore: Int64 = 0

    static let multipliers: [Int64] = [1, 100]
    static let strategyCount = 2
    private static let capital = Money(cents: 1_000_000_00)
    /// 2, 7, 1.5, 0.1, 0.333333, 0.02 and 1.05 new shares for an old one.
    private static let ratios = [
        200_000_000, 700_000_000, 150_000_000, 10_000_000, 33_333_300, 2_000_000, 105_000_000,
    ].compactMap { SplitRatio(snapping: Quantity(units: $0)) }

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        portfolio = Self.emptyPortfolio()
        plain = PlainAccount(capital: Self.capital)
        for index in Self.multipliers.indices where chance.chance(percent: 90) { mark(index) }
    }

    mutating func advance() {
        let event = chance.number(in: 0...99)
        switch event {
        case 0..<30: trade(daysAgo: 0)
        case 30..<36: trade(daysAgo: chance.number(in: 1...4))
        case 36..<48: correct()
        case 48..<54: charge()
        case 54..<62: act(.dividend(perShare: Price(units: chance.number(in: 0...3_00000000))))
        case 62..<69: act(.split(chance.one(of: Self.ratios)))
        case 69..<74: payInOrOut()
        case 74..<78: takeInterest()
        case 78..<88: closeDay()
        default: mark(randomIndex())
        }
        if !portfolio.identityHolds { failures.append("identity after event \(event)") }
    }

    // MARK: Events

    private mutating func trade(daysAgo: Int64) {
        base += 1
        let owner = Int(chance.number(in: 0...Int64(Self.strategyCount)))
        let execution = randomExecution(base: base, revision: 1, day: max(0, today - daysAgo))
        plain.trades.append(PlainAccount.Trade(owner: owner, execution: execution))
        if portfolio.ledger(of: attribution(owner), in: execution.instrument).comesLast(execution) {
            portfolio.apply(
                execution, for: attribution(owner),
                settling: PlainAccount.settlement(execution))
        } else {
            rebook(execution, replacing: nil, owner)
        }
    }

    private mutating func correct() {
        guard !plain.trades.isEmpty else { return }
        let index = Int(chance.number(in: 0...Int64(plain.trades.count - 1)))
        guard !isFolded(plain.trades[index].execution) else { return }
        let (owner, old) = (plain.trades[index].owner, plain.trades[index].execution)
        let drawn = randomExecution(
            base: old.id.base, revision: Int(old.id.revision) + 1, day: today)
        let new = Execution(
            id: drawn.id,
            instrument: chance.chance(percent: 10) ? drawn.instrument : old.instrument,
            side: drawn.side, quantity: chance.chance(percent: 30) ? .zero : drawn.quantity,
            price: drawn.price, time: chance.chance(percent: 10) ? drawn.time : old.time)
        plain.trades[index].execution = new
        rebook(new, replacing: old, owner)
    }

    private mutating func rebook(_ new: Execution, replacing old: Execution?, _ owner: Int) {
        var history = plain.history(of: owner, in: new.instrument)
        if let old, old.instrument != new.instrument {
            history += plain.history(of: owner, in: old.instrument)
        }
        let isInPlace = portfolio.rebook(
            new, replacing: old, for: attribution(owner),
            history: history.filter { !isFolded($0) }, settling: PlainAccount.settlement)
        expect(isInPlace, "older than what is folded")
    }

    private func isFolded(_ execution: Execution) -> Bool {
        execution.time < PlainAccount.time(foldedBefore, 0)
    }

    /// Folds what is older than anything that may still come.
    mutating func foldOld() {
        let before = foldedBefore
        foldedBefore = max(0, today - 4)
        guard foldedBefore > before else { return }
        for owner in 0...Self.strategyCount {
            for index in Self.multipliers.indices {
                let instrument = InstrumentID(index: index)
                let old = plain.history(of: owner, in: instrument).filter {
                    isFolded($0) && $0.time >= PlainAccount.time(before, 0)
                }
                portfolio.fold(old, of: attribution(owner), in: instrument)
            }
        }
    }

    // MARK: Records

    /// Lets the ledger leave as records and enter anew.
    mutating func reopen() {
        let items = RecordItems { portfolio.write(to: &$0) }
        let digest = digest(portfolio)
        do {
            portfolio = try restored(items)
            expect(self.digest(portfolio) == digest, "digest")
            expect(RecordItems { portfolio.write(to: &$0) } == items, "records")
        } catch {
            failures.append("refused \(error)")
        }
    }

    /// Changes the records and looks at what follows from them.
    mutating func damage() {
        let items = RecordItems { portfolio.write(to: &$0) }.damaged(&chance)
        guard let restored = try? restored(items) else { return }
        expect(restored.identityHolds, "identity")
    }

    private func restored(_ items: RecordItems) throws -> PortfolioLedger {
        var restored = Self.emptyPortfolio()
        let bounds = RecordReader.Bounds(
            instruments: Self.multipliers.count, strategies: Self.strategyCount)
        try items.read(bounds) { try restored.read(&$0) }
        try restored.finishReading()
        return restored
    }

    private func digest(_ portfolio: borrowing PortfolioLedger) -> UInt64 {
        var hasher = StateHasher()
        portfolio.hash(into: &hasher)
        return hasher.digest
    }

    private static func emptyPortfolio() -> PortfolioLedger {
        var instruments = Make.instruments("AAA", "BBB")
        for (index, multiplier) in multipliers.enumerated() {
            instruments[index].multiplier = multiplier
        }
        return PortfolioLedger(
            instruments: instruments, strategyCount: strategyCount, capital: capital)
    }

    // MARK: Other events

    private mutating func act(_ kind: CorporateAction.Kind) {
        let index = randomIndex()
        let instrument = InstrumentID(index: index)
        let day = max(0, today - (chance.chance(percent: 30) ? chance.number(in: 1...4) : 0))
        let action = CorporateAction(
            instrument: instrument, exDay: PlainAccount.day(day), kind: kind)
        let histories = portfolio.lateOwners(of: action).map { owner in
            PortfolioLedger.OwnerHistory(
                of: owner,
                plain.history(of: Self.number(of: owner), in: instrument).filter {
                    !isFolded($0)
                })
        }
        guard portfolio.apply(action, histories: histories) else {
            if !plain.mayBeRefused(action) { failures.append("refused \(action)") }
            return
        }
        plain.act(action)
    }

    private mutating func mark(_ index: Int) {
        let price = Price(units: chance.number(in: 1...2_000_00000000))
        guard portfolio.mark(InstrumentID(index: index), at: price) else {
            return failures.append("mark refused")
        }
        plain.marks[index] = price
    }

    private mutating func charge() {
        let amount = Money(units: chance.number(in: -1_000_000...9_000_000))
        let holding = Holding(of: attribution(0), in: InstrumentID(index: randomIndex()))
        portfolio.charge(
            amount, as: chance.one(of: [.commission, .sec, .taf]),
            to: chance.chance(percent: 80) ? holding : nil)
        plain.otherCash -= ExactMoney(amount).units
    }

    private mutating func payInOrOut() {
        let amount = Money(units: chance.number(in: -5_000_000_000...5_000_000_000))
        portfolio.recordCashFlow(amount)
        plain.otherCash += ExactMoney(amount).units
        plain.contributed += ExactMoney(amount).units
    }

    private mutating func takeInterest() {
        let amount = Money(units: chance.number(in: -50_000_000...10_000_000))
        portfolio.recordInterest(amount)
        plain.otherCash += ExactMoney(amount).units
    }

    private mutating func closeDay() {
        today += 1
        plain.settledThrough = PlainAccount.day(today)
        portfolio.settle(through: PlainAccount.day(today))
    }

    // MARK: Comparison

    mutating func compare() {
        let totals = plain.totals()
        expect(portfolio.cash.units == totals.cash, "cash")
        expect(portfolio.equity.units == totals.equity + unmarkedCosts, "equity")
        expect(portfolio.settledCash.units == totals.settled, "settled cash")
        expect(portfolio.spendableCash.units == totals.settled - totals.payments, "spendable cash")
        expect(portfolio.profit.net.units == portfolio.equity.units - plain.contributed, "profit")
        for owner in 0...Self.strategyCount {
            for index in Self.multipliers.indices { compare(owner, index) }
        }
    }

    /// What positions without a mark are worth: their costs.
    private var unmarkedCosts: Int128 {
        var sum: Int128 = 0
        for index in Self.multipliers.indices where plain.marks[index] == nil {
            let instrument = InstrumentID(index: index)
            // Where owners cancel each other out, nothing.
            guard portfolio.quantity(of: instrument) != .zero else { continue }
            for owner in 0...Self.strategyCount {
                sum += portfolio.ledger(of: attribution(owner), in: instrument).cost.units
            }
        }
        return sum
    }

    private mutating func compare(_ owner: Int, _ index: Int) {
        let instrument = InstrumentID(index: index)
        let ledger = portfolio.ledger(of: attribution(owner), in: instrument)
        let position = plain.position(of: owner, in: index)
        expect(Int128(ledger.quantity.units) == position.held, "quantity")
        expect(ledger.income.units == position.dividends, "income")
        expect(
            (ledger.realized - ledger.cost).units == position.trades + position.fractions, "cash")
        for method in LotMethod.allCases {
            let lots = LotLedger(
                method, of: plain.history(of: owner, in: instrument),
                actions: portfolio.actions(in: instrument), multiplier: Self.multipliers[index])
            expect(lots.agrees(with: ledger), "lots, \(method)")
        }
    }

    private mutating func expect(_ isRight: Bool, _ what: String) {
        if !isRight { failures.append(what) }
    }

    // MARK: Draws

    private mutating func randomExecution(base: Int64, revision: Int, day: Int64) -> Execution {
        let units =
            chance.chance(percent: 70)
            ? chance.number(in: 1...500) * Quantity.unitsPerOne
            : chance.number(in: 1...500_00000000)
        return Execution(
            id: ExecutionID(base: base, revision: revision),
            instrument: InstrumentID(index: randomIndex()), side: chance.one(of: [.buy, .sell]),
            quantity: Quantity(units: units),
            price: Price(units: chance.number(in: -1_00000000...900_00000000)),
            time: PlainAccount.time(day, base))
    }

    private mutating func randomIndex() -> Int {
        Int(chance.number(in: 0...Int64(Self.multipliers.count - 1)))
    }

    private func attribution(_ owner: Int) -> Attribution {
        owner == Self.strategyCount ? .unattributed : .strategy(StrategyID(index: owner))
    }

    private static func number(of owner: Attribution) -> Int {
        switch owner {
        case .strategy(let strategy): Int(strategy.index)
        case .unattributed: strategyCount
        }
    }
}

/// All events of an account, and what follows from them by definition; integers of 10^-16.
private struct PlainAccount {
    var trades: [Trade] = []
    var marks: [Price?]
    var contributed: Int128
    /// Capital, flows, interest and charges.
    var otherCash: Int128
    var settledThrough: Day?

    private var actions: [(action: CorporateAction, price: Price?)] = []

    struct Trade {
        let owner: Int
        var execution: Execution
    }

    struct Position {
        var held: Int128 = 0
        var trades: Int128 = 0
        var dividends: Int128 = 0
        var fractions: Int128 = 0
    }

    init(capital: Money) {
        marks = RandomAccount.multipliers.map { _ in nil }
        contributed = ExactMoney(capital).units
        otherCash = contributed
    }

    /// Day 0 is 2024-06-03; no clocks change in the weeks that follow.
    static func day(_ number: Int64) -> Day { On.day("2024-06-03").advanced(by: Int(number)) }

    /// Some seconds behind 09:30 in New York, which is 13:30 UTC.
    static func time(_ day: Int64, _ second: Int64) -> Timestamp {
        Timestamp(
            day: PlainAccount.day(day), sinceMidnight: .hours(13) + .minutes(30) + .seconds(second))
    }

    /// Two days after the trade.
    static func settlement(_ execution: Execution) -> Day { execution.time.day.advanced(by: 2) }

    func history(of owner: Int, in instrument: InstrumentID) -> [Execution] {
        trades.filter { $0.owner == owner && $0.execution.instrument == instrument }
            .map(\.execution).sorted { ($0.time, $0.id.base) < ($1.time, $1.id.base) }
    }

    mutating func act(_ action: CorporateAction) {
        let index = Int(action.instrument.index)
        actions.append((action, marks[index]))
        guard case .split(let ratio) = action.kind, let mark = marks[index] else { return }
        let units = Self.halfToEven(
            Int128(mark.units) * Int128(ratio.old), Int128(ratio.new))
        marks[index] = Price(units: Int64(units))
    }

    /// Whether there is no price for fractions, or the price of a new share would be beyond 10^8.
    func mayBeRefused(_ action: CorporateAction) -> Bool {
        guard case .split(let ratio) = action.kind else { return false }
        guard let mark = marks[Int(action.instrument.index)] else { return true }
        return Int128(mark.units) * Int128(ratio.old) / Int128(ratio.new)
            >= 10_000_000_000_000_000
    }

    /// One owner's position from its executions and the instrument's actions, each day's actions first.
    func position(of owner: Int, in index: Int) -> Position {
        let instrument = InstrumentID(index: index)
        let multiplier = Int128(RandomAccount.multipliers[index])
        let history = history(of: owner, in: instrument)
        let own = actions.filter { $0.action.instrument == instrument }
        let days = Set(own.map(\.action.exDay) + history.map(\.time.day)).sorted()
        var position = Position()
        for day in days {
            for (action, price) in own where action.exDay == day {
                switch action.kind {
                case .dividend(let perShare):
                    position.dividends += position.held * Int128(perShare.units) * multiplier
                case .split(let ratio):
                    let share = Int128(100_000_000 * ratio.old)
                    let exchanged = position.held * Int128(ratio.new)
                    let remainder = exchanged % share
                    position.held = (exchanged - remainder) / Int128(ratio.old)
                    position.fractions +=
                        Self.halfToEven(remainder * Int128(price?.units ?? 0), Int128(ratio.new))
                        * multiplier
                }
            }
            for execution in history where execution.time.day == day {
                position.held += Int128(execution.signedQuantity.units)
                position.trades += Self.cash(execution)
            }
        }
        return position
    }

    func totals() -> (cash: Int128, equity: Int128, settled: Int128, payments: Int128) {
        var cash = otherCash
        var value: Int128 = 0
        for index in RandomAccount.multipliers.indices {
            for owner in 0...RandomAccount.strategyCount {
                let position = position(of: owner, in: index)
                cash += position.trades + position.dividends + position.fractions
                value +=
                    position.held * Int128(marks[index]?.units ?? 0)
                    * Int128(RandomAccount.multipliers[index])
            }
        }
        let waiting = trades.map(\.execution).filter { execution in
            settledThrough.map { PlainAccount.settlement(execution) > $0 } ?? true
        }.map(Self.cash)
        let payments = -waiting.filter { $0 < 0 }.reduce(0, +)
        return (cash, cash + value, cash - waiting.reduce(0, +), payments)
    }

    private static func cash(_ execution: Execution) -> Int128 {
        -Int128(execution.signedQuantity.units) * Int128(execution.price.units)
            * Int128(RandomAccount.multipliers[Int(execution.instrument.index)])
    }

    /// A quotient rounded to the nearest, halves to even, by trying both neighbours.
    private static func halfToEven(_ dividend: Int128, _ divisor: Int128) -> Int128 {
        let below = dividend / divisor - (dividend % divisor < 0 ? 1 : 0)
        let above = (below + 1) * divisor - dividend
        let under = dividend - below * divisor
        if under != above { return under < above ? below : below + 1 }
        return below % 2 == 0 ? below : below + 1
    }
}
