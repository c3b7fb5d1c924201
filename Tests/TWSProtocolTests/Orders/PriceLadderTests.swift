import Primitives
import TWSProtocol
import Testing

@Suite struct PriceLadderTests {
    private static func row(_ edge: DecimalValue, _ step: DecimalValue) -> PriceIncrement {
        var row = PriceIncrement()
        row.lowEdge = edge
        row.increment = step
        return row
    }

    /// Stocks of the United States: hundredths of a cent below a dollar, cents from there on.
    private static let stocks = [row(0, 0.0001), row(1, 0.01)]
    /// Levels whose edges are on no step, one of them without any price.
    private static let odd = [row(0, 0.3), row(1, 5), row(2, 0.7)]

    @Test(
        arguments: [
            (100.05, 100.05, 100.05), (100.055, 100.05, 100.06), (1, 1, 1), (1.005, 1, 1.01),
            (0.99995, 0.9999, 1), (0.5, 0.5, 0.5), (0.50001, 0.5, 0.5001),
            (0.30000000000000004, 0.3, 0.3001), (187.2499999999999, 187.24, 187.25),
        ] as [(DecimalValue, DecimalValue, DecimalValue)])
    func pricesGoToTheStepsOfTheirLevel(price: DecimalValue, down: DecimalValue, up: DecimalValue)
        throws
    {
        let ladder = try PriceLadder(Self.stocks)
        #expect(ladder.roundedDown(price) == down)
        #expect(ladder.roundedUp(price) == up)
    }

    @Test(
        arguments: [
            (0.95, 0.9, 2.1), (1, 0.9, 2.1), (1.5, 0.9, 2.1), (2, 0.9, 2.1), (2.05, 0.9, 2.1),
            (2.1, 2.1, 2.1), (2.2, 2.1, 2.8), (0.9, 0.9, 0.9),
        ] as [(DecimalValue, DecimalValue, DecimalValue)])
    func aLevelWithoutPricesIsPassedOver(price: DecimalValue, down: DecimalValue, up: DecimalValue)
        throws
    {
        let ladder = try PriceLadder(Self.odd)
        #expect(ladder.roundedDown(price) == down)
        #expect(ladder.roundedUp(price) == up)
    }

    @Test func fractionsOfFuturesAreExact() throws {
        let ladder = try PriceLadder(step: 0.03125)
        #expect(ladder.roundedDown(109.04) == 109.03125)
        #expect(ladder.roundedUp(109.04) == 109.0625)
        #expect(try PriceLadder(step: 0.25).roundedUp(5_900.3) == 5_900.5)
    }

    @Test func pricesThatFitNothingAreNone() throws {
        let ladder = try PriceLadder(Self.stocks)
        #expect(ladder.roundedDown(0.00005) == nil, "only 0 is below it")
        #expect(ladder.roundedUp(0.00005) == 0.0001)
        #expect(ladder.roundedUp(0) == nil && ladder.roundedDown(-1) == nil)
        #expect(ladder.roundedUp(.infinity) == nil)
        #expect(try PriceLadder([Self.row(5, 1)]).roundedDown(4.5) == nil)
        #expect(try PriceLadder([Self.row(5.5, 1)]).roundedDown(5.7) == nil)
        // Between the steps of 0.01 that exist, more digits than a number keeps.
        #expect(ladder.roundedDown(12_345_678_901_234_567.89) != nil)
        #expect(ladder.roundedDown(1e30) == 1e30)
        #expect(try PriceLadder(step: 3e-30).roundedDown(1e25) == nil)
    }

    @Test func combinationsMayHavePricesBelowNothing() throws {
        let ladder = try PriceLadder.spread(step: 0.05)
        #expect(ladder.roundedDown(-1.02) == -1.05)
        #expect(ladder.roundedUp(-1.02) == -1)
        #expect(ladder.roundedDown(0.01) == 0)
    }

    @Test func rowsThatMakeNoLadderAreRefused() {
        #expect(throws: PriceLadderError.noRows) { try PriceLadder([]) }
        #expect(throws: PriceLadderError.step(0)) { try PriceLadder(step: 0) }
        #expect(throws: PriceLadderError.step(.infinity)) { try PriceLadder(step: .infinity) }
        #expect(throws: PriceLadderError.step(-1)) { try PriceLadder([Self.row(0, -1)]) }
        #expect(throws: PriceLadderError.edge(-1)) { try PriceLadder([Self.row(-1, 1)]) }
        #expect(throws: PriceLadderError.edge(2)) {
            try PriceLadder([Self.row(2, 1), Self.row(2, 1)])
        }
        #expect(throws: PriceLadderError.step(-0.5)) { try PriceLadder.spread(step: -0.5) }
    }

    /// Against a search price by price, in whole numbers, on ladders of one to four levels.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func theNearestPriceOfTheLadderIsFound(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var edge = Int64.random(in: 0...5, using: &generator)
        var rows: [(edge: Int64, step: Int64)] = []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            rows.append((edge, Int64.random(in: 1...30, using: &generator)))
            edge += Int64.random(in: 1...40, using: &generator)
        }
        func isPrice(_ price: Int64) -> Bool {
            guard price > 0, let row = rows.last(where: { $0.edge <= price }) else { return false }
            return price % row.step == 0
        }
        let ladder = try PriceLadder(
            rows.map { Self.row(Self.hundredths($0.edge), Self.hundredths($0.step)) })
        for price in max(rows[0].edge, 1)...200 {
            let down = stride(from: price, through: 0, by: -1).first(where: isPrice)
            let up = (price...400).first(where: isPrice)
            #expect(
                ladder.roundedDown(Self.hundredths(price)) == down.map(Self.hundredths),
                "\(rows), \(price)")
            #expect(
                ladder.roundedUp(Self.hundredths(price)) == up.map(Self.hundredths),
                "\(rows), \(price)")
        }
    }

    private static func hundredths(_ count: Int64) -> DecimalValue {
        DecimalValue("\(count)e-2") ?? .zero
    }
}
