import Model
import Primitives
import Simulation
import Testing

@Suite struct SlippageTests {
    private let cent = Price(cents: 1)

    private func worsened(
        _ model: SlippageModel, _ price: String, _ side: Side, _ quantity: Int64 = 100,
        of volume: Int64 = 10_000
    ) throws -> Price {
        model.worsened(
            try Price(price), side: side, quantity: Quantity(shares: quantity),
            barVolume: Quantity(shares: volume), ticks: .fixed(cent))
    }

    @Test func noneLeavesThePriceAloneEvenOffTheTick() throws {
        for price in ["33.333", "100", "-1.005"] {
            #expect(try worsened(.none, price, .buy) == Price(price))
            #expect(try worsened(.none, price, .sell) == Price(price))
        }
    }

    @Test(
        arguments: [
            ("100", "0.03", "100.03", "99.97"), ("33.333", "0.03", "33.37", "33.30"),
            ("100", "0.001", "100.01", "99.99"), ("100", "0", "100", "100"),
            // Sales stop at one tick, and a price below one tick stays.
            ("0.02", "0.05", "0.07", "0.01"), ("0.01", "0.05", "0.06", "0.01"),
            ("0.005", "0.05", "0.06", "0.005"),
            // Prices of spreads go on below zero.
            ("-1", "0.03", "-0.97", "-1.03"), ("0", "0.03", "0.03", "-0.03"),
        ] as [(String, String, String, String)])
    func fixedMovesByTheAmount(price: String, amount: String, buy: String, sell: String) throws {
        let model = SlippageModel.fixed(try Price(amount))
        #expect(try worsened(model, price, .buy) == Price(buy))
        #expect(try worsened(model, price, .sell) == Price(sell))
    }

    @Test(
        arguments: [
            // 5 basis points of 100 are 0.05; of 33.33 they are 0.016665.
            ("100", "5", "100.05", "99.95"), ("33.33", "5", "33.35", "33.31"),
            // A hundredth of a basis point of 100 is 0.0001, which is a tick.
            ("100", "0.01", "100.01", "99.99"), ("100", "0", "100", "100"),
            ("10000", "0.01", "10000.01", "9999.99"), ("20000", "0.0101", "20000.03", "19999.97"),
            ("-100", "5", "-99.95", "-100.05"), ("1", "20000", "3", "0.01"),
        ] as [(String, String, String, String)])
    func basisPointsMoveByAPartOfThePrice(
        price: String, points: String, buy: String, sell: String
    ) throws {
        let model = SlippageModel.basisPoints(try Percent(basisPoints: points))
        #expect(try worsened(model, price, .buy) == Price(buy))
        #expect(try worsened(model, price, .sell) == Price(sell))
    }

    @Test(
        arguments: [
            // Zipline's defaults: 1 % of the volume: 1,000 · 0.1 · 0.0001 = 0.01 exactly.
            ("1000", "10", "2.5", 100, "1000.01", "999.99"),
            // 2 %: 1,000 · 0.1 · 0.0004 = 0.04.
            ("1000", "10", "2.5", 200, "1000.04", "999.96"),
            // 50 %, counted as 2.5 %: 1,000 · 0.1 · 0.000625 = 0.0625.
            ("1000", "10", "2.5", 5_000, "1000.07", "999.93"),
            // 50 %, counted as that: 100 · 1 · 0.25 = 25.
            ("100", "100", "100", 5_000, "125", "75"),
            // All of it and more: 100 · 1 · 1 = 100; a sale stops at one tick.
            ("100", "100", "100", 10_000, "200", "0.01"),
            ("100", "100", "100", 20_000, "200", "0.01"),
            // 1 / 10,000 of the volume: 100 · 0.1 · 10^-8 = 10^-7, which is a tick.
            ("100", "10", "2.5", 1, "100.01", "99.99"),
            ("100", "0", "2.5", 5_000, "100", "100"),
        ] as [(String, String, String, Int64, String, String)])
    func volumeShareMovesByTheSquareOfTheShare(
        price: String, coefficient: String, shareMax: String, quantity: Int64, buy: String,
        sell: String
    ) throws {
        let model = SlippageModel.volumeShare(
            coefficient: try Percent(coefficient), shareMax: try Percent(shareMax))
        #expect(try worsened(model, price, .buy, quantity) == Price(buy))
        #expect(try worsened(model, price, .sell, quantity) == Price(sell))
    }

    /// A third of the volume: 90 · 1 · 1/9 = 10 exactly, although a third is no decimal fraction.
    @Test func sharesThatAreNoDecimalFractionsAreExact() throws {
        let model = SlippageModel.volumeShare(
            coefficient: try Percent("100"), shareMax: try Percent("100"))
        #expect(try worsened(model, "90", .buy, 1_000, of: 3_000) == Price("100"))
        #expect(try worsened(model, "49", .sell, 1_000, of: 7_000) == Price("48"))
    }

    @Test func theSmallestSlippageIsATick() throws {
        // 0.05 · 10^-8 and 100 · 0.1 / (9·10^10)² are less than a price can say.
        let points = SlippageModel.basisPoints(Percent(units: 1))
        #expect(try worsened(points, "0.05", .buy) == Price("0.06"))
        let share = SlippageModel.volumeShare(
            coefficient: try Percent("10"), shareMax: try Percent("2.5"))
        #expect(try worsened(share, "100", .sell, 1, of: 90_000_000_000) == Price("99.99"))
    }

    @Test func barsWithoutVolumeDoNotSlip() throws {
        let model = SlippageModel.volumeShare(
            coefficient: try Percent("10"), shareMax: try Percent("2.5"))
        #expect(try worsened(model, "33.333", .buy, 100, of: 0) == Price("33.333"))
    }

    private func randomModel(_ generator: inout SeededGenerator) -> SlippageModel {
        let percent = Percent(units: .random(in: 0...100_000_000, using: &generator))
        let other = Percent(units: .random(in: 0...100_000_000, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return .none
        case 1: return .fixed(Price(units: .random(in: 0...1_000_000_000, using: &generator)))
        case 2: return .basisPoints(percent)
        default: return .volumeShare(coefficient: percent, shareMax: other)
        }
    }

    /// Property: slippage never improves a price, lands on a tick whenever it starts from one,
    /// keeps shares' prices above zero, and is the larger the more is traded.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func slippageNeverImprovesAPrice(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let model = randomModel(&generator)
            let tick = Price(units: .random(in: 1...100_000_000, using: &generator))
            let steps = Int64.random(in: 1...1_000_000, using: &generator)
            let price = Price(units: tick.units * steps)
            let quantity = Quantity(units: .random(in: 1...9_000_000_000_000, using: &generator))
            let volume = Quantity(units: .random(in: 0...9_000_000_000_000, using: &generator))
            let more = Quantity(units: quantity.units + quantity.units / 3)
            for side in [Side.buy, .sell] {
                let filled = model.worsened(
                    price, side: side, quantity: quantity, barVolume: volume, ticks: .fixed(tick))
                let filledMore = model.worsened(
                    price, side: side, quantity: more, barVolume: volume, ticks: .fixed(tick))
                #expect(filled.units % tick.units == 0)
                #expect(filled >= tick)
                #expect(side == .buy ? filled >= price : filled <= price)
                #expect(side == .buy ? filledMore >= filled : filledMore <= filled)
            }
        }
    }

    /// Property: from a price that is off the tick, a model that adds something lands on one.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func slippageLandsOnATick(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let price = Price(units: .random(in: 1_000_000...9_000_000_000, using: &generator))
            let model = SlippageModel.fixed(
                Price(units: .random(in: 1...1_000_000_000, using: &generator)))
            for side in [Side.buy, .sell] {
                let filled = model.worsened(
                    price, side: side, quantity: Quantity(shares: 1), barVolume: .zero,
                    ticks: .fixed(cent))
                #expect(filled.units % cent.units == 0)
                #expect(side == .buy ? filled > price : filled <= price)
            }
        }
    }

    @Test func theLargestValuesDoNotTrap() throws {
        let models: [SlippageModel] = [
            .fixed(Price(units: .max)), .basisPoints(try Percent("1000000")),
            .volumeShare(coefficient: try Percent("100"), shareMax: try Percent("100")),
        ]
        let sizes = [Quantity(units: 1), .magnitudeMax, Quantity(units: .max)]
        for model in models {
            for (quantity, volume) in sizes.flatMap({ left in sizes.map { (left, $0) } }) {
                for side in [Side.buy, .sell] {
                    let filled = model.worsened(
                        .magnitudeMax, side: side, quantity: quantity, barVolume: volume,
                        ticks: .unrounded)
                    #expect(side == .buy ? filled >= .magnitudeMax : filled <= .magnitudeMax)
                }
            }
        }
    }
}
