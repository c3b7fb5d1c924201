package import Primitives

/// How long a message is under way.
package enum LatencyModel: Hashable, Sendable {
    /// Always as long; not below zero.
    case fixed(Duration)
    /// At least `minimum`, and on top a random time of the exponential distribution with that mean,
    /// but at most a day.
    case exponential(minimum: Duration, mean: Duration)

    private static let addedMax = Duration.days(1)

    /// How long the next message takes. A fixed time takes nothing from the generator, so that
    /// switching latency off leaves all other random draws of a run as they were with none
    /// configured.
    package func draw(_ generator: inout SeededGenerator) -> Duration {
        switch self {
        case .fixed(let length): return length
        case .exponential(let minimum, let mean):
            let added = generator.nextExponential(mean: Double(mean.nanoseconds)).rounded()
            let bounded = min(added, Double(Self.addedMax.nanoseconds))
            return minimum + Duration(nanoseconds: Int64(bounded))
        }
    }
}

/// How long each kind of message is under way between us and a simulated venue.
package struct Latencies: Hashable, Sendable {
    /// From the market to us.
    package var marketData: LatencyModel
    /// From us to the venue: orders and cancellations.
    package var order: LatencyModel
    /// From the venue to us: what it answers.
    package var acknowledgement: LatencyModel

    /// Everything arrives at once.
    package static let none = Latencies(
        marketData: .fixed(.zero), order: .fixed(.zero), acknowledgement: .fixed(.zero))

    /// A time for each kind.
    package init(marketData: LatencyModel, order: LatencyModel, acknowledgement: LatencyModel) {
        self.marketData = marketData
        self.order = order
        self.acknowledgement = acknowledgement
    }
}
