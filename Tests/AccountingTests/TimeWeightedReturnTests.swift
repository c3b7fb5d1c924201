import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct TimeWeightedReturnTests {
    private static let first = InstrumentID(index: 0)
    private static let own = Attribution.strategy(StrategyID(index: 0))

    /// Books of one share at 100.00 and nothing else.
    private func books() throws -> Books {
        var books = Books(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: try Money("100"))
        books.apply(try On.execution(1, .buy, 1, at: "100", on: "2024-06-03"), for: Self.own)
        return books
    }

    private func growth(_ books: borrowing Books) -> ExactMoney? {
        books.timeWeightedReturn.growth(to: books.equity)
    }

    /// 100 grow to 110; 90 come in; 200 fall to 180: 1.1 · 0.9 = 0.99, though money was made by the size.
    @Test func flowsAreNoReturn() throws {
        var books = try books()
        _ = books.mark(Self.first, at: try Price("110"))
        books.recordCashFlow(try Money("90"))
        #expect(try growth(books) == On.dollars("1.1"))
        _ = books.mark(Self.first, at: try Price("90"))
        #expect(try growth(books) == On.dollars("0.99"))
        // 80 go out of 180; 100 rise to 125.
        books.recordCashFlow(try Money("-80"))
        _ = books.mark(Self.first, at: try Price("115"))
        #expect(try growth(books) == On.dollars("1.2375"))
        books.checkIdentity()
    }

    @Test func emptyAccountBeginsWithItsFirstDeposit() throws {
        var books = Books(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: .zero)
        books.recordCashFlow(try Money("50"))
        books.recordInterest(try Money("5"))
        #expect(try growth(books) == On.dollars("1.1"))
    }

    @Test func profitOfNothingHasNoReturn() throws {
        var books = Books(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: .zero)
        books.recordInterest(try Money("5"))
        #expect(growth(books) == nil)
        // Nor has anything that follows.
        books.recordCashFlow(try Money("50"))
        #expect(growth(books) == nil)
    }

    @Test func lossOfMoreThanEverythingIsTheLossOfEverything() throws {
        var books = try books()
        books.charge(try Money("150"))
        #expect(growth(books) == .zero)
        books.recordCashFlow(try Money("1000"))
        books.recordInterest(try Money("100"))
        #expect(growth(books) == .zero)
    }

    @Test func growthBeyondItsRangeIsNone() throws {
        var books = try books()
        // All but a millionth is taken out, four times, and a million comes each time.
        for _ in 0..<4 {
            books.recordCashFlow(Money(units: 1 - books.equity.rounded().units))
            books.recordInterest(try Money("1000000"))
        }
        #expect(growth(books) == nil)
    }

    /// Property: equals the product of the stretches in floating point, whatever comes and goes.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func equalsTheProductOfItsStretches(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var books = Books(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: try Money("10000"))
        var equity = 10_000.0
        var product = 1.0
        for _ in 0..<50 {
            let gain = chance.number(in: -100_00...110_00)
            books.recordInterest(Money(cents: gain))
            product *= (equity + Double(gain) / 100) / equity
            equity += Double(gain) / 100
            if chance.chance(percent: 30) {
                let flow = chance.number(in: -10_00...2_000_00)
                books.recordCashFlow(Money(cents: flow))
                equity += Double(flow) / 100
            }
        }
        let growth = self.growth(books)?.asDouble
        #expect(abs((growth ?? 0) - product) < 1e-11)
    }
}
