import Model
import Primitives
import Testing

@testable import TradingEngine

/// X5, rule 7, C-30: what moves the account's cash besides the program.
@Suite struct AccountCashTests {
    private static let start = Timestamp(seconds: 1_549_895_400)

    /// The account has a million, of which 100,000 are ours.
    private static func cash() -> AccountCash {
        var cash = AccountCash()
        cash.set(Money(cents: 100_000_000))
        #expect(cash.review(ours, at: start, isQuiet: true) == .none)
        return cash
    }

    private static let ours = ExactMoney(Money(cents: 10_000_000))

    private static func money(_ cents: Int64) -> ExactMoney { ExactMoney(Money(cents: cents)) }

    @Test func ownTradesAreExplained() {
        var cash = Self.cash()
        // 1,234.56 are spent: here and at the broker.
        cash.set(Money(cents: 99_876_544))
        let step = cash.review(Self.ours - Self.money(123_456), at: Self.start, isQuiet: true)
        #expect(step == .none)
    }

    @Test(arguments: [
        (500_000, CashMovement.Cause.transfer), (-500_000, .transfer), (-450, .fee),
        (12_345, .unknown),
        (-123_456, .unknown),
    ])
    func whatStaysIsAskedAboutOnce(cents: Int, cause: CashMovement.Cause) {
        var cash = Self.cash()
        cash.set(Money(cents: 100_000_000 + Int64(cents)))
        let due = Self.start + AccountCash.quietTime
        #expect(cash.review(Self.ours, at: Self.start, isQuiet: true) == .lookAgain(due))
        #expect(
            cash.review(Self.ours, at: due, isQuiet: true)
                == .unexplained(cause, Money(cents: Int64(cents))))
        #expect(cash.review(Self.ours, at: due, isQuiet: true) == .none)
        // Named afterwards, it is ours, and no second movement.
        cash.name(Money(cents: Int64(cents)))
        let more = Self.ours + Self.money(Int64(cents))
        #expect(cash.review(more, at: due, isQuiet: true) == .none)
        #expect(cash.unnamed.isEmpty && cash.expected.isEmpty)
    }

    @Test func whatIsNamedBeforeItComesIsExplained() {
        var cash = Self.cash()
        cash.name(Money(cents: 500_000))
        let ours = Self.ours + Self.money(500_000)
        #expect(cash.review(ours, at: Self.start, isQuiet: true) == .none)
        cash.set(Money(cents: 100_500_000))
        let due = Self.start + AccountCash.quietTime
        #expect(cash.review(ours, at: Self.start, isQuiet: true) == .lookAgain(due))
        #expect(cash.review(ours, at: due, isQuiet: true) == .explained(Money(cents: 500_000)))
        #expect(cash.review(ours, at: due, isQuiet: true) == .none)
    }

    /// What the broker had as due and has no longer was paid; the values of one message come by their names, what is due
    /// first.
    @Test(arguments: [AccountValue.Key.accruedDividend, .accruedInterest])
    func whatWasDueIsRecognised(key: AccountValue.Key) {
        var cash = AccountCash()
        cash.set(key, Money(cents: 3_850))
        cash.set(Money(cents: 100_000_000))
        #expect(cash.review(Self.ours, at: Self.start, isQuiet: true) == .none)
        cash.set(key, .zero)
        cash.set(Money(cents: 100_003_850))
        _ = cash.review(Self.ours, at: Self.start, isQuiet: true)
        let step = cash.review(
            Self.ours, at: Self.start + AccountCash.quietTime, isQuiet: true)
        let cause: CashMovement.Cause = key == .accruedDividend ? .dividend : .interest
        #expect(step == .unexplained(cause, Money(cents: 3_850)))
    }

    /// A figure that comes before the executions that explain it counts for nothing.
    @Test func whatIsExplainedInTimeIsNoNews() {
        var cash = Self.cash()
        cash.set(Money(cents: 99_000_000))
        _ = cash.review(Self.ours, at: Self.start, isQuiet: false)
        let later = Self.start + .seconds(100)
        #expect(cash.review(Self.ours - Self.money(1_000_000), at: later, isQuiet: true) == .none)
        let due = Self.start + AccountCash.quietTime
        #expect(cash.review(Self.ours - Self.money(1_000_000), at: due, isQuiet: true) == .none)
    }

    /// While something trades nothing is concluded.
    @Test func nothingIsConcludedBeforeItIsQuiet() {
        var cash = Self.cash()
        cash.set(Money(cents: 99_000_000))
        _ = cash.review(Self.ours, at: Self.start, isQuiet: false)
        let due = Self.start + AccountCash.quietTime
        #expect(
            cash.review(Self.ours, at: due, isQuiet: false)
                == .lookAgain(due + AccountCash.quietTime))
    }

    /// Executions of others move the account's cash, not ours.
    @Test func tradesOfOthersAreExplained() {
        var cash = Self.cash()
        cash.others -= Self.money(2_000_000)
        cash.set(Money(cents: 98_000_000))
        #expect(cash.review(Self.ours, at: Self.start, isQuiet: true) == .none)
    }
}
