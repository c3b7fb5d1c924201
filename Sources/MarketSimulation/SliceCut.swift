package import Primitives

/// How the hours of a synthetic trading day are cut into slices.
package enum SliceCut: Hashable, Sendable {
    /// By the clock: each slice lasts this long, the last one of its hours perhaps less. At least a second.
    case every(Duration)
    /// By events: each slice has one quote, a quarter of them a trade at its bid or ask, and each begins an
    /// exponentially distributed time after the one before, by a clock that goes with the session's shape. So many
    /// quotes in a whole session on average; at least one in any.
    case quotes(perSession: Double)
}

/// Cuts an interval of a trading day.
struct SliceCutter: IteratorProtocol {
    /// A part of the interval.
    struct Part {
        /// Its index within the interval.
        let index: Int
        /// Its first time.
        let start: Timestamp
        /// How long it lasts.
        let length: Duration
        /// How much of the interval's variance it has.
        let share: Double
        /// How much of the interval's variance it and those after it have.
        let remaining: Double
        /// Whether it is the last.
        let isLast: Bool
    }

    private let hours: MarketHours.Segment
    private let shape: SessionShape
    private let cut: SliceCut
    /// How many parts there are.
    let count: Int
    private var generator: SeededGenerator
    private var index = 0
    /// How much of the interval's variance is over.
    private var share = 0.0
    /// How much of its time.
    private var time = 0 as Int64

    init(
        _ hours: MarketHours.Segment, _ shape: SessionShape, _ cut: SliceCut,
        wholeSession: Duration, _ key: DrawKey
    ) {
        self.hours = hours
        self.shape = shape
        self.cut = cut
        generator = SeededGenerator(seed: key.seed)
        switch cut {
        case .every(let length):
            count = Int((hours.length.nanoseconds - 1) / length.nanoseconds) + 1
        case .quotes(let perSession):
            let exact =
                perSession * Double(hours.length.nanoseconds) / Double(wholeSession.nanoseconds)
            count = max(1, Int((exact + generator.nextUniform()).rounded(.down)))
        }
    }

    mutating func next() -> Part? {
        guard index < count else { return nil }
        let (begin, done) = (time, share)
        let isLast = index == count - 1
        if isLast {
            (time, share) = (hours.length.nanoseconds, 1)
        } else {
            advance()
        }
        defer { index += 1 }
        return Part(
            index: index, start: hours.start + Duration(nanoseconds: begin),
            length: Duration(nanoseconds: time - begin), share: share - done, remaining: 1 - done,
            isLast: isLast)
    }

    private mutating func advance() {
        let all = Double(hours.length.nanoseconds)
        switch cut {
        case .every(let length):
            time += length.nanoseconds
            share = shape.share(of: Double(time) / all)
        case .quotes:
            // The first of the remaining points, which are equally likely anywhere in what remains.
            let draw = Natural.log(1 - generator.nextUniform()) / Double(count - 1 - index)
            share += (1 - share) * (1 - Natural.exp(draw))
            time = max(time, Int64((shape.part(with: share) * all).rounded(.down)))
        }
    }
}
