import Model
import Primitives

/// The account's cash by the broker against what moves it here. The account may hold any amount beside ours, so changes
/// are compared, not totals.
///
/// A movement that nothing explains counts once it has stayed for a while: executions, their charges and the account's
/// values do not come together.
struct AccountCash: Hashable, Sendable {
    /// What executions of others have moved.
    var others = ExactMoney.zero
    /// What the broker has beside ours and others' movements, as far as it is explained; `nil` before the first look.
    private(set) var base: ExactMoney?
    /// The broker's newest figure.
    private(set) var newest: Money?
    /// What is booked here, or was named, and has not come to the account.
    private(set) var expected: [Money] = []
    /// What has come to the account and was not named.
    private(set) var unnamed: [Money] = []
    /// A movement that is looked at again, and since when.
    private var candidate: Candidate?
    /// What is due by the broker.
    private var accruals = Accruals()
    /// The same when all cash was explained last.
    private var explainedAccruals = Accruals()

    private struct Candidate: Hashable, Sendable {
        let amount: Money
        let since: Timestamp
        /// What was due before it.
        let accruals: Accruals
    }

    /// What the broker owes and has not paid.
    struct Accruals: Hashable, Sendable {
        /// Dividends.
        var dividend = Money.zero
        /// Interest; negative where the user owes it.
        var interest = Money.zero
    }

    /// How long a movement stays before it counts.
    static let quietTime = Duration.seconds(120)
    /// What the broker's rounding may make of many executions.
    static let tolerance = Money(cents: 10)
    /// The most that a fee of the account, such as for market data, is taken for.
    static let feeMax = Money(cents: 5_000)
    /// How many amounts are kept that wait for another.
    static let waitingMax = 100

    /// True while nothing is known.
    var isUntouched: Bool { self == AccountCash() }

    // MARK: Changing

    /// Takes in the broker's cash.
    mutating func set(_ amount: Money) { newest = amount }

    /// Takes in what the broker owes.
    mutating func set(_ key: AccountValue.Key, _ amount: Money) {
        switch key {
        case .accruedDividend: accruals.dividend = amount
        case .accruedInterest: accruals.interest = amount
        case .netLiquidation, .totalCash, .settledCash, .buyingPower, .availableFunds,
            .excessLiquidity, .initialMargin, .maintenanceMargin, .ownCurrencyCash,
            .unrealizedProfit, .realizedProfit:
            break
        }
    }

    /// Takes in money that was booked here and is still to come to the account, or to leave it.
    mutating func expect(_ amount: Money) {
        guard amount != .zero else { return }
        if expected.count >= Self.waitingMax { expected.removeFirst() }
        expected.append(amount)
    }

    /// Takes in money that the user has named, and that is booked here with it.
    mutating func name(_ amount: Money) {
        if let index = unnamed.firstIndex(where: { $0.isNear(amount) }) {
            // The account had it before: what it has beside ours is less by it now.
            unnamed.remove(at: index)
            base = base.map { $0 - ExactMoney(amount) }
        } else {
            expect(amount)
        }
    }

    /// Takes whatever has moved for explained: others traded what the run does not have.
    mutating func forgive(_ ours: ExactMoney) {
        guard base != nil else { return }
        base = nil
        candidate = nil
        _ = review(ours, at: .distantPast, isQuiet: true)
    }

    /// Looks at the broker's cash.
    ///
    /// - Parameters:
    ///   - ours: our cash.
    ///   - isQuiet: false while something may be under way that moves cash.
    /// - Returns: what is to be done.
    mutating func review(_ ours: ExactMoney, at now: Timestamp, isQuiet: Bool) -> Step {
        guard let newest else { return .none }
        let beside = ExactMoney(newest) - ours - others + pending
        guard let base else {
            if isQuiet { self.base = beside }
            explainedAccruals = accruals
            return .none
        }
        guard let moved = (beside - base).roundedIfRepresentable(), moved.units > .min else {
            return .none
        }
        guard moved.magnitude > Self.tolerance else {
            candidate = nil
            explainedAccruals = accruals
            return .none
        }
        guard let known = candidate, known.amount.isNear(moved) else {
            candidate = Candidate(amount: moved, since: now, accruals: explainedAccruals)
            return .lookAgain(now + Self.quietTime)
        }
        guard now >= known.since + Self.quietTime, isQuiet else {
            return .lookAgain(max(now, known.since) + Self.quietTime)
        }
        candidate = nil
        explainedAccruals = accruals
        return conclude(moved, known)
    }

    /// What is expected, all together: it counts as there.
    private var pending: ExactMoney { expected.reduce(ExactMoney.zero) { $0 + ExactMoney($1) } }

    private mutating func conclude(_ moved: Money, _ known: Candidate) -> Step {
        // What was expected counted as there already: once it is, it counts twice.
        if let index = expected.firstIndex(where: { $0.isNear(moved) }) {
            expected.remove(at: index)
            return .explained(moved)
        }
        base = base.map { $0 + ExactMoney(moved) }
        if unnamed.count >= Self.waitingMax { unnamed.removeFirst() }
        unnamed.append(moved)
        return .unexplained(cause(of: moved, known), moved)
    }

    /// What a movement seems to be, by what the broker owed before it and by its size.
    private func cause(of moved: Money, _ known: Candidate) -> CashMovement.Cause {
        let paid = known.accruals.dividend - accruals.dividend
        if moved > .zero, paid.isNear(moved) { return .dividend }
        let posted = known.accruals.interest - accruals.interest
        if posted.isNear(moved) { return .interest }
        if moved < .zero, moved.magnitude <= Self.feeMax { return .fee }
        // Whole tens of the currency are paid in and out, hardly earned.
        let isRound = moved.units % Money(cents: 1_000).units == 0
        return isRound && moved.magnitude > Self.feeMax ? .transfer : .unknown
    }

    /// What is to be done about the account's cash.
    enum Step: Hashable, Sendable {
        /// Nothing.
        case none
        /// It is to be looked at again.
        case lookAgain(Timestamp)
        /// It has moved by what was expected.
        case explained(Money)
        /// It has moved, and nothing that is known explains it.
        case unexplained(CashMovement.Cause, Money)
    }

    /// Takes the state into a digest; nothing while nothing is known.
    func hash(into hasher: inout StateHasher) {
        guard !isUntouched else { return }
        hasher.combine(others)
        hasher.combine(base ?? .zero)
        hasher.combine(newest?.units ?? .min)
        for amount in expected + unnamed { hasher.combine(amount.units) }
    }
}

extension Money {
    /// True for an amount that differs by no more than the broker's rounding.
    fileprivate func isNear(_ other: Money) -> Bool {
        (self - other).magnitude <= AccountCash.tolerance
    }
}

extension AccountCash: RecordValue {
    /// Writes all but what the broker says anew.
    package func write(to writer: inout RecordWriter) {
        writer.write(others)
        writer.write(optional: base) { $0.write($1) }
        writer.write(list: expected) { $0.write($1) }
        writer.write(list: unnamed) { $0.write($1) }
    }

    /// The state as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init()
        others = try reader.exactMoney()
        base = try reader.optional { (reader) throws(RecordError) in try reader.exactMoney() }
        expected = try reader.list { (reader) throws(RecordError) in try reader.money() }
        unnamed = try reader.list { (reader) throws(RecordError) in try reader.money() }
        guard expected.count <= Self.waitingMax, unnamed.count <= Self.waitingMax else {
            throw reader.damage
        }
    }
}
