import MarketState
import Model
import Primitives
import Signals
import TestSupport
import Testing

@Suite struct VolumeIndicatorTests {
    /// Flat bars of (price in cents, shares).
    private func bars(_ trades: [(price: Int64, volume: Int64)]) -> [Bar] {
        trades.enumerated().map { Make.bar($0, open: $1.price, close: $1.price, volume: $1.volume) }
    }

    // MARK: On balance volume

    @Test func volumeCountsByTheCloseAgainstTheOneBefore() {
        let bars = bars([(10, 5), (11, 7), (11, 100), (9, 2), (10, 0)])
        #expect(OnBalanceVolume().over(bars) == [5, 12, 12, 10, 10])
        #expect(OnBalanceVolume().value == nil)
    }

    /// More than 2^63 quantity units, up and down again.
    @Test func decadesOfVolumeAreCountedExactly() {
        var volume = OnBalanceVolume()
        let most = Quantity.magnitudeMax.units / Quantity.unitsPerOne
        volume.update(Make.bar(0, open: 1, close: 1, volume: 1))
        for index in 1...1_000 {
            volume.update(Make.bar(index, open: 1, close: 1 + Int64(index), volume: most))
        }
        #expect(volume.value == 90_000_000_000_001)
        for index in 1...1_000 {
            volume.update(Make.bar(index, open: 1, close: 1 - Int64(index), volume: most))
        }
        #expect(volume.value == 1)
    }

    // MARK: Money flow

    @Test func flowIsTheShareOfMoneyAtRisingPrices() {
        // 11·20 = 220 up, 9·10 = 90 down; then 9·50 counts nothing and pushes 220 out.
        let index = MoneyFlowIndex(length: 2)
        let bars = bars([(10, 10), (11, 20), (9, 10), (9, 50)])
        #expect(index.over(bars) == [nil, nil, 100 * (220.0 / 310), 0])
    }

    @Test func nothingFlowsWithoutVolumeOrChange() {
        let index = MoneyFlowIndex(length: 2)
        #expect(index.over(bars([(10, 0), (11, 0), (9, 0)])).last == .some(nil))
        #expect(index.over(bars([(10, 5), (10, 5), (10, 5)])).last == .some(nil))
    }

    @Test func negativePricesKeepTheirDirection() {
        // A spread that rises from -3 to -2 on 10 shares, then falls to -4 on 15: 20 against 60.
        #expect(MoneyFlowIndex(length: 2).over(bars([(-3, 1), (-2, 10), (-4, 15)])).last == 25)
    }

    /// Property: the moved sums are those made anew, with flows from one to the largest there can
    /// be.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func moneyFlowEqualsSumsMadeAnew(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let length = Int(chance.number(in: 1...20))
        let bars = bars(
            (0..<150).map { _ in
                (
                    chance.one(of: [1, 2, 100_00, Price.magnitudeMax.units / 1_000_000]),
                    chance.one(of: [0, 1, 1_000_000, 90_000_000_000])
                )
            })
        let results = MoneyFlowIndex(length: length).over(bars)
        let flows = bars.indices.dropFirst().map { index in
            let change = bars[index].close.units - bars[index - 1].close.units
            return Double(bars[index].close.units) * Double(bars[index].volume.units)
                * Double(change.signum())
        }
        for index in bars.indices.dropFirst(length) {
            let window = flows[(index - length)..<index]
            let rising = window.reduce(0) { $0 + max($1, 0) }
            let all = window.reduce(0) { $0 + abs($1) }
            guard all > 0 else {
                try #require(results[index] == nil)
                continue
            }
            let found = try #require(results[index])
            try #require(abs(found - 100 * rising / all) <= 1e-12 * 100)
        }
    }

    // MARK: Volume-weighted price

    @Test func priceIsWeightedByVolume() throws {
        var average = VolumeWeightedAveragePrice(sessions: .newYork)
        #expect(average.update(Make.bar(0, open: 500, close: 500, volume: 0)) == nil)
        #expect(average.update(Make.bar(1, open: 1_000, close: 1_000, volume: 100)) == 10e8)
        // (10·100 + 13·200)/300 = 12; the typical price of 15, 12, 12 is 13.
        let bar = Make.bar(2, open: 1_200, high: 1_500, low: 1_200, close: 1_200, volume: 200)
        #expect(average.update(bar) == 12e8)
        #expect(average.update(Make.bar(3, open: 1, close: 1, volume: 0)) == 12e8)
    }

    @Test func everySessionStartsAnew() {
        // A bar an hour from 14:30 UTC, 09:30 in New York: the fifteenth begins at 04:30 UTC of the
        // next day, still 23:30 in New York; the sixteenth at 00:30 there.
        let bars = (0..<18).map { index in
            Make.bar(
                index, open: 1, close: 100 * Int64(index + 1), volume: 1, barSize: .minutes(60))
        }.map { bar in
            Bar(
                instrument: bar.instrument, start: bar.start, barSize: bar.barSize, open: bar.close,
                high: bar.close, low: bar.close, close: bar.close, volume: bar.volume)
        }
        let newYork = VolumeWeightedAveragePrice(sessions: .newYork).over(bars)
        #expect(newYork[14] == 8e8)  // the mean of 1 to 15
        #expect(newYork[15] == 16e8)
        #expect(newYork[16] == 16.5e8)
        // The UTC day ends after ten bars.
        let always = VolumeWeightedAveragePrice(sessions: .always).over(bars)
        #expect(always[9] == 5.5e8)
        #expect(always[10] == 11e8)
    }
}
