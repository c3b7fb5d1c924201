import Model
import Primitives
import Signals

/// The numbers of workload W5, as Benchmarks/Peers/limits/w5_limit.c makes them: a walk from a
/// counter put through SplitMix64.
struct Workload {
    /// A walk around 1000 in steps of at most a half.
    private(set) var closes: [Double] = []
    private(set) var highs: [Double] = []
    private(set) var lows: [Double] = []

    /// `count` numbers.
    init(count: Int) {
        closes.reserveCapacity(count)
        highs.reserveCapacity(count)
        lows.reserveCapacity(count)
        var walked = 0.0
        for index in 0..<count {
            var bits = UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15
            bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
            bits ^= bits >> 31
            let uniform = Double(bits >> 11) * 0x1p-53
            walked += uniform - 0.5
            closes.append(1_000 + walked)
            highs.append(closes[index] + uniform)
            lows.append(closes[index] - (1 - uniform))
        }
    }

    /// The first `count` as bars of a minute; what an edge would refuse does not occur.
    func bars(count: Int) -> [Bar] {
        (0..<count).map { index in
            Bar(
                instrument: InstrumentID(index: 0), start: Timestamp(seconds: 60 * Int64(index)),
                barSize: .minutes(1), open: price(closes[index]), high: price(highs[index]),
                low: price(lows[index]), close: price(closes[index]),
                volume: Quantity(shares: 100))
        }
    }

    private func price(_ number: Double) -> Price {
        guard let price = Price(rounding: number) else {
            preconditionFailure("the walk stays within what a price can be")
        }
        return price
    }

    /// What the C program ends with over 10,000,000 numbers (the upper band, the MACD line), 12
    /// digits.
    static let lastOfTenMillion: [String: Double] = [
        "SMA30": 2790.89525664, "EMA30": 2790.67029186, "RSI14": 46.8369858471,
        "ATR14": 1.14399459791, "BBANDS20": 2792.11875099, "MACD": 0.00152716639241,
    ]
}
