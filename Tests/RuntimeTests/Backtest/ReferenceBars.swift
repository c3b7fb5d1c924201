import Primitives

/// The bars of the comparison with other backtesters (Benchmarks/Peers/gen_data.py, file a), made again
/// here: whole cents from exactly rounded arithmetic, the same on every machine.
struct ReferenceBars {
    /// Columns in cents and shares.
    private(set) var open: [Int64] = []
    private(set) var high: [Int64] = []
    private(set) var low: [Int64] = []
    private(set) var close: [Int64] = []
    private(set) var volume: [Int64] = []

    private static let seed = child(0x4D41_5254_4C45_5401, 100)
    private static let barsPerDay = 390

    /// The first `count` bars.
    init(count: Int) {
        let minute = (0..<count).map { Double($0 % Self.barsPerDay) / Double(Self.barsPerDay - 1) }
        let shape = minute.map { 0.7 + 2.4 * ($0 - 0.5) * ($0 - 0.5) }
        let daily = Self.uniform(Self.child(Self.seed, 11), (count - 1) / Self.barsPerDay + 1)
        let regime = (0..<count).map { index in
            let draw = daily[index / Self.barsPerDay]
            return 0.6 + 1.2 * (draw * draw)
        }
        let shocks = Self.normal(Self.child(Self.seed, 10), count)
        var latent: [Double] = []
        var level = 100.0
        for index in 0..<count {
            level *= 1 + (1.0e-7 + shocks[index] * (0.0005 * regime[index] * shape[index]))
            latent.append(level)
        }
        let raw = latent.map { max(Self.cents($0), 100) }
        close = Self.withoutTies(raw)
        let gaps = Self.uniform(Self.child(Self.seed, 12), count)
        for index in 0..<count {
            let before = index == 0 ? 10_000 : raw[index - 1]
            let first = max(before + Int64((gaps[index] * 3).rounded(.down)) - 1, 100)
            let moved = index == 0 ? 0 : close[index - 1] - raw[index - 1]
            open.append(index == 0 ? first : max(first + moved, 100))
        }
        addReach(latent, regime, shape)
    }

    /// The file's text, as the generator writes it.
    var csv: String {
        var text = "timestamp,open,high,low,close,volume\n"
        for index in close.indices {
            let prices = [open[index], high[index], low[index], close[index]]
                .map { "\($0 / 100).\($0 % 100 < 10 ? "0" : "")\($0 % 100)" }
            text += "\(Self.start(of: index)),\(prices.joined(separator: ",")),\(volume[index])\n"
        }
        return text
    }

    private mutating func addReach(_ latent: [Double], _ regime: [Double], _ shape: [Double]) {
        let up = Self.uniform(Self.child(Self.seed, 13), latent.count)
        let down = Self.uniform(Self.child(Self.seed, 14), latent.count)
        let busy = Self.uniform(Self.child(Self.seed, 15), latent.count)
        for index in latent.indices {
            let reach = latent[index] * (0.0005 * 60) * regime[index] * shape[index]
            let top = max(open[index], close[index]) + Int64((reach * up[index]).rounded(.down))
            let bottom =
                min(open[index], close[index]) - Int64((reach * down[index]).rounded(.down))
            high.append(top)
            low.append(max(bottom, 1))
            let traded = 900 * shape[index] * (0.25 + 3 * busy[index] * busy[index])
            volume.append(Int64(traded.rounded(.down)) * 10 + 10)
        }
    }

    /// Moves a close up one cent wherever the averages of 10 and of 30 would be equal.
    private static func withoutTies(_ closes: [Int64]) -> [Int64] {
        var closes = closes
        var fast: Int64 = 0
        var slow: Int64 = 0
        for index in closes.indices {
            fast += closes[index] - (index >= 10 ? closes[index - 10] : 0)
            slow += closes[index] - (index >= 30 ? closes[index - 30] : 0)
            guard index >= 29, 3 * fast == slow else { continue }
            closes[index] += 1
            fast += 1
            slow += 1
        }
        return closes
    }

    /// One-minute bars of weekdays from 2016-01-04, 14:30 UTC on.
    private static func start(of index: Int) -> Timestamp {
        let weekday = index / barsPerDay
        let day = Day(number: 16_804).advanced(by: weekday / 5 * 7 + weekday % 5)
        return Timestamp(
            day: day, sinceMidnight: .minutes(Int64(14 * 60 + 30 + index % barsPerDay)))
    }

    private static func cents(_ value: Double) -> Int64 {
        Int64((value * 100 + 0.5).rounded(.down))
    }

    private static func uniform(_ seed: UInt64, _ count: Int) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in generator.nextUniform() }
    }

    private static func normal(_ seed: UInt64, _ count: Int) -> [Double] {
        let parts = (1...4).map { uniform(child(seed, $0), count) }
        return (0..<count).map { index in
            let sum = parts[0][index] + parts[1][index] + parts[2][index] + parts[3][index]
            return (sum - 2) * 1.7320508075688772
        }
    }

    private static func child(_ seed: UInt64, _ number: Int) -> UInt64 {
        var mixed = seed &+ UInt64(number + 1) &* 0xD1B5_4A32_D192_ED03
        mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ (mixed >> 32)
    }
}
