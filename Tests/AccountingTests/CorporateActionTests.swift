import Accounting
import Model
import Primitives
import TestSupport
import Testing

/// Prices of AAPL and MSFT are as traded, from Pooksoft/PooksoftSP500EquityPriceDataSet (MIT; collected
/// from Alpha Vantage), snapshot of 2021-04-21.
@Suite struct CorporateActionTests {
    private static let first = InstrumentID(index: 0)
    private static let own = Attribution.strategy(StrategyID(index: 0))
    private static let others = Attribution.strategy(StrategyID(index: 1))

    private func portfolio(capital: String = "100000") throws -> PortfolioLedger {
        PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 2, capital: try Money(capital))
    }

    // MARK: Splits

    /// AAPL, 7 for 1 on 9 June 2014: close 645.57 before, 93.70 on the day.
    @Test func sevenForOneOfApple() throws {
        var portfolio = try portfolio()
        portfolio.apply(
            try On.execution(1, .buy, 105, at: "645.57", on: "2014-06-06"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("645.57"))
        let isBooked = portfolio.apply(try On.split("7", exDay: "2014-06-09"))
        #expect(isBooked)
        let ledger = portfolio.ledger(of: Self.own, in: Self.first)
        #expect(ledger.quantity == Quantity(shares: 735))
        // 105 · 645.57 stay what they have cost.
        #expect(try ledger.cost == On.dollars("67784.85"))
        #expect(ledger.realized == .zero)
        #expect(try portfolio.cash == On.dollars("32215.15"))
        // 645.57 / 7, rounded: 735 of the eighth decimal's rounding are 0.00000315.
        #expect(try portfolio.mark(of: Self.first) == Price("92.22428571"))
        #expect(try portfolio.equity == On.dollars("100000") - ExactMoney(units: 31_500_000_000))
        _ = portfolio.mark(Self.first, at: try Price("93.70"))
        // 735 · 93.70 = 68,869.50.
        #expect(try portfolio.equity == On.dollars("101084.65"))
        portfolio.checkIdentity()
    }

    /// AAPL, 4 for 1 on 31 August 2020: close 499.23 before, 129.04 on the day. The vendor's adjusted
    /// closes are 124.59255 and 128.81776.
    @Test func fourForOneOfApple() throws {
        var portfolio = try portfolio(capital: "4992.30")
        portfolio.apply(
            try On.execution(1, .buy, 10, at: "499.23", on: "2020-08-28"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("499.23"))
        let isBooked = portfolio.apply(try On.split("4", exDay: "2020-08-31"))
        #expect(isBooked)
        #expect(portfolio.quantity(of: Self.first) == Quantity(shares: 40))
        #expect(try portfolio.equity == On.dollars("4992.30"))
        _ = portfolio.mark(Self.first, at: try Price("129.04"))
        #expect(try portfolio.equity == On.dollars("5161.60"))
        #expect(abs(portfolio.equity.asDouble / 4992.30 - 128.81776 / 124.59255) < 1e-7)
        portfolio.checkIdentity()
    }

    /// 1 for 10 at 0.75, so 7.50 a new share. 1,234 bought at 0.80 are 123.4, 57 at 0.90 are 5.7, and 25
    /// shorts at 0.80 are 2.5: each owner's fraction is rounded for itself.
    @Test func fractionsOfAReverseSplitArePaidInCash() throws {
        var portfolio = try portfolio(capital: "10000")
        portfolio.apply(
            try On.execution(1, .buy, 1_234, at: "0.80", on: "2024-06-03"), for: Self.own)
        portfolio.apply(
            try On.execution(2, .buy, 57, at: "0.90", on: "2024-06-03"), for: Self.others)
        portfolio.apply(
            try On.execution(3, .sell, 25, at: "0.80", on: "2024-06-03"), for: .unattributed)
        _ = portfolio.mark(Self.first, at: try Price("0.76"))
        let cash = portfolio.cash
        let isBooked = portfolio.apply(
            try On.split("0.1", exDay: "2024-06-04"), fractionsAt: try Price("0.75"))
        #expect(isBooked)
        // 0.4 · 7.50 = 3.00 for what has cost 4 · 0.80 = 3.20.
        let long = portfolio.ledger(of: Self.own, in: Self.first)
        #expect(long.quantity == Quantity(shares: 123))
        #expect(try long.cost == On.dollars("984"))
        #expect(try long.realized == On.dollars("-0.20"))
        // 0.7 · 7.50 = 5.25 for 7 · 0.90 = 6.30.
        let other = portfolio.ledger(of: Self.others, in: Self.first)
        #expect(other.quantity == Quantity(shares: 5))
        #expect(try other.cost == On.dollars("45"))
        #expect(try other.realized == On.dollars("-1.05"))
        // 0.5 · 7.50 = 3.75 paid for what had brought 5 · 0.80 = 4.00.
        let short = portfolio.ledger(of: .unattributed, in: Self.first)
        #expect(short.quantity == Quantity(shares: -2))
        #expect(try short.cost == On.dollars("-16"))
        #expect(try short.realized == On.dollars("0.25"))
        #expect(portfolio.quantity(of: Self.first) == Quantity(shares: 126))
        #expect(try portfolio.cash - cash == On.dollars("4.50"))
        #expect(portfolio.settledCash == portfolio.cash)
        #expect(try portfolio.mark(of: Self.first) == Price("7.6"))
        portfolio.checkIdentity()
    }

    @Test func fewSharesMayVanishInAReverseSplit() throws {
        var portfolio = try portfolio()
        portfolio.apply(try On.execution(1, .buy, 3, at: "2", on: "2024-06-03"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("1.50"))
        let isBooked = portfolio.apply(try On.split("0.1", exDay: "2024-06-04"))
        #expect(isBooked)
        let ledger = portfolio.ledger(of: Self.own, in: Self.first)
        #expect(ledger.quantity == .zero)
        #expect(ledger.cost == .zero)
        // 0.3 · 15.00 for what has cost 6.00.
        #expect(try ledger.realized == On.dollars("-1.50"))
        portfolio.checkIdentity()
    }

    /// Two thirds of a cent and so on: 101 for 3 for 2 at 10.00 are 151.5, half a share of 6.666… each.
    @Test func fractionIsPaidByTheExactRatio() throws {
        var portfolio = try portfolio()
        portfolio.apply(try On.execution(1, .buy, 101, at: "10", on: "2024-06-03"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("10"))
        let cash = portfolio.cash
        let isBooked = portfolio.apply(try On.split("1.5", exDay: "2024-06-04"))
        #expect(isBooked)
        #expect(portfolio.quantity(of: Self.first) == Quantity(shares: 151))
        #expect((portfolio.cash - cash).units == 33_333_333_333_333_333)
        portfolio.checkIdentity()
    }

    // MARK: Dividends

    /// MSFT paid 3.00 and 0.08 a share, ex on 15 November 2004: close 29.97 before, 27.39 on the day.
    @Test func specialDividendOfMicrosoft() throws {
        var portfolio = try portfolio()
        portfolio.apply(
            try On.execution(1, .buy, 200, at: "29.97", on: "2004-11-12"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("29.97"))
        let isBooked = portfolio.apply(try On.dividend("3.08", exDay: "2004-11-15"))
        #expect(isBooked)
        _ = portfolio.mark(Self.first, at: try Price("27.39"))
        let profit = portfolio.profit(of: Holding(of: Self.own, in: Self.first))
        #expect(try profit.income == On.dollars("616"))
        #expect(try profit.unrealized == On.dollars("-516"))
        #expect(profit.realized == .zero)
        #expect(try portfolio.equity == On.dollars("100100"))
        #expect(try portfolio.spendableCash == On.dollars("94622"))
        portfolio.checkIdentity()
    }

    @Test func shortPaysTheDividend() throws {
        var portfolio = try portfolio(capital: "10000")
        portfolio.apply(try On.execution(1, .sell, 100, at: "50", on: "2024-06-03"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("50"))
        let isBooked = portfolio.apply(try On.dividend("0.50", exDay: "2024-06-04"))
        #expect(isBooked)
        #expect(try portfolio.cash == On.dollars("14950"))
        #expect(try portfolio.equity == On.dollars("9950"))
        #expect(try portfolio.profit(of: Self.own).income == On.dollars("-50"))
        portfolio.apply(try On.execution(2, .buy, 100, at: "49", on: "2024-06-05"), for: Self.own)
        #expect(try portfolio.profit(of: Self.own).realized == On.dollars("100"))
        #expect(try portfolio.equity == On.dollars("10050"))
        portfolio.checkIdentity()
    }

    @Test func eachOwnerHasItsPart() throws {
        var portfolio = try portfolio()
        portfolio.apply(try On.execution(1, .buy, 100, at: "10", on: "2024-06-03"), for: Self.own)
        portfolio.apply(
            try On.execution(2, .sell, 40, at: "10", on: "2024-06-03"), for: Self.others)
        let isBooked = portfolio.apply(try On.dividend("0.25", exDay: "2024-06-04"))
        #expect(isBooked)
        #expect(try portfolio.profit(of: Self.own).income == On.dollars("25"))
        #expect(try portfolio.profit(of: Self.others).income == On.dollars("-10"))
        #expect(try portfolio.profit.income == On.dollars("15"))
        portfolio.checkIdentity()
    }

    /// ABT, 3 May 2004, had a split and a dividend on one day: the split goes first.
    @Test func dividendOfASplitsDayIsForNewShares() throws {
        var portfolio = try portfolio()
        portfolio.apply(try On.execution(1, .buy, 100, at: "10", on: "2024-06-03"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("10"))
        let isSplit = portfolio.apply(try On.split("2", exDay: "2024-06-04"))
        let isPaid = portfolio.apply(try On.dividend("0.10", exDay: "2024-06-04"))
        #expect(isSplit && isPaid)
        #expect(try portfolio.profit.income == On.dollars("20"))
    }

    // MARK: Out of order

    @Test func correctionOfAnOldExecutionChangesWhatFollowedFromIt() throws {
        var portfolio = try portfolio()
        let old = try On.execution(1, .buy, 105, at: "10", on: "2024-06-03")
        portfolio.apply(old, for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("10"))
        let isPaid = portfolio.apply(try On.dividend("0.50", exDay: "2024-06-04"))
        let isSplit = portfolio.apply(try On.split("0.1", exDay: "2024-06-05"))
        #expect(isPaid && isSplit)
        // 52.50 of dividends; 10 shares and half of 100.00.
        #expect(try portfolio.cash == On.dollars("99052.50"))
        let new = Execution(
            id: ExecutionID(base: 1, revision: 2), instrument: Self.first, side: .buy,
            quantity: Quantity(shares: 90), price: old.price, time: old.time)
        portfolio.rebook(new, replacing: old, for: Self.own, history: [new])
        // 900.00 paid, 45.00 of dividends, 9 shares and no fraction.
        #expect(try portfolio.cash == On.dollars("99145"))
        #expect(portfolio.quantity(of: Self.first) == Quantity(shares: 9))
        #expect(try portfolio.equity == On.dollars("100045"))
        portfolio.checkIdentity()
    }

    /// Sold on the ex-day before anybody told of the dividend: it is due all the same.
    @Test func actionThatComesLateGoesWhereItBelongs() throws {
        var portfolio = try portfolio()
        let bought = try On.execution(1, .buy, 100, at: "10", on: "2024-06-03")
        let sold = try On.execution(2, .sell, 60, at: "10", on: "2024-06-04")
        portfolio.apply(bought, for: Self.own)
        portfolio.apply(sold, for: Self.own)
        let dividend = try On.dividend("0.50", exDay: "2024-06-04")
        #expect(portfolio.lateOwners(of: dividend) == [Self.own])
        let isBooked = portfolio.apply(
            dividend, histories: [PortfolioLedger.OwnerHistory(of: Self.own, [bought, sold])])
        #expect(isBooked)
        #expect(try portfolio.profit(of: Self.own).income == On.dollars("50"))
        portfolio.checkIdentity()
    }

    @Test func executionBehindAnActionIsInOrderFromItsExDayOn() throws {
        var portfolio = try portfolio()
        let isBooked = portfolio.apply(try On.dividend("0.50", exDay: "2024-06-04"))
        #expect(isBooked)
        let ledger = portfolio.ledger(of: Self.own, in: Self.first)
        let midnight = NewYork.timestamp(on: On.day("2024-06-04"), at: .zero)
        func execution(at time: Timestamp) -> Execution {
            Execution(
                id: ExecutionID(base: 0), instrument: Self.first, side: .buy,
                quantity: Quantity(shares: 1), price: .zero, time: time)
        }
        #expect(ledger.comesLast(execution(at: midnight)))
        let before = execution(at: Timestamp(nanoseconds: midnight.nanoseconds - 1))
        #expect(!ledger.comesLast(before))
        // Booked anew, each goes to its side of the action.
        portfolio.rebook(
            execution(at: midnight), replacing: nil, for: Self.own,
            history: [execution(at: midnight)])
        #expect(portfolio.profit.income == .zero)
        portfolio.rebook(
            before, replacing: execution(at: midnight), for: Self.own, history: [before])
        #expect(try portfolio.profit.income == On.dollars("0.50"))
    }

    /// Executions and actions that are told in any order give the same books.
    @Test func anyOrderOfArrivalGivesTheSameBooks() throws {
        enum News {
            case trade(Execution)
            case action(CorporateAction)
        }
        let arrivals: [News] = [
            .trade(try On.execution(1, .buy, 105, at: "10", on: "2024-06-03")),
            .action(try On.dividend("0.25", exDay: "2024-06-04")),
            .trade(try On.execution(2, .sell, 20, at: "11", on: "2024-06-04")),
            .action(try On.split("0.1", exDay: "2024-06-05")),
            .trade(try On.execution(3, .buy, 5, at: "98", on: "2024-06-06")),
        ]
        let price = try Price("10")
        var digests: Set<UInt64> = []
        for order in arrivals.permutations {
            var portfolio = try portfolio()
            var known: [Execution] = []
            for news in order {
                switch news {
                case .trade(let execution):
                    known.append(execution)
                    known.sort { $0.time < $1.time }
                    portfolio.rebook(execution, replacing: nil, for: Self.own, history: known)
                case .action(let action):
                    let histories = portfolio.lateOwners(of: action).map { owner in
                        PortfolioLedger.OwnerHistory(of: owner, owner == Self.own ? known : [])
                    }
                    let isBooked = portfolio.apply(action, fractionsAt: price, histories: histories)
                    #expect(isBooked)
                }
                portfolio.checkIdentity()
            }
            #expect(portfolio.quantity(of: Self.first) == Quantity(shares: 13))
            digests.insert(portfolio.digest)
        }
        #expect(digests.count == 1)
    }

    // MARK: Refused

    @Test func whatTheBooksCannotBearIsRefusedAndChangesNothing() throws {
        var portfolio = try portfolio()
        let shares: Int64 = 60_000_000_000
        portfolio.apply(
            try On.execution(1, .buy, shares, at: "0.01", on: "2024-06-03"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("0.01"))
        let before = portfolio.digest
        let refused = [
            // 1.2·10^11 shares; 1.2·10^12 of dividends; a price that is none; a dividend below zero.
            try On.split("2", exDay: "2024-06-04"),
            try On.dividend("20", exDay: "2024-06-04"),
            try On.dividend("100000001", exDay: "2024-06-04"),
            try On.dividend("-0.01", exDay: "2024-06-04"),
        ]
        for action in refused {
            let isBooked = portfolio.apply(action)
            #expect(!isBooked)
        }
        #expect(portfolio.digest == before)
        #expect(portfolio.actions(in: Self.first).isEmpty)
        portfolio.checkIdentity()
    }

    /// Each owner's 8·10^10 shares could be borne, the account's 1.6·10^11 cannot.
    @Test func positionOfAllOwnersTogetherMustBeBearable() throws {
        var portfolio = try portfolio()
        for (base, owner) in [Self.own, Self.others].enumerated() {
            let bought = try On.execution(
                Int64(base), .buy, 40_000_000_000, at: "0.01", on: "2024-06-03")
            portfolio.apply(bought, for: owner)
        }
        let isBooked = portfolio.apply(
            try On.split("2", exDay: "2024-06-04"), fractionsAt: try Price("0.01"))
        #expect(!isBooked)
        #expect(portfolio.quantity(of: Self.first) == Quantity(shares: 80_000_000_000))
        portfolio.checkIdentity()
    }

    @Test func splitOfSharesWithoutAPriceIsRefused() throws {
        var portfolio = try portfolio()
        let split = try On.split("2", exDay: "2024-06-04")
        let isTakenWithoutShares = portfolio.apply(split)
        #expect(isTakenWithoutShares)
        portfolio.apply(try On.execution(1, .buy, 1, at: "10", on: "2024-06-05"), for: Self.own)
        let isTaken = portfolio.apply(try On.split("2", exDay: "2024-06-06"))
        #expect(!isTaken)
        let isTakenWithAPrice = portfolio.apply(
            try On.split("2", exDay: "2024-06-06"), fractionsAt: try Price("10"))
        #expect(isTakenWithAPrice)
        // Still without a mark: worth what it has cost.
        #expect(try portfolio.equity == On.dollars("100000"))
        portfolio.checkIdentity()
    }
}
