package import Primitives

/// A fall of compounded returns below their highest value so far, from the first session below to
/// the first one back.
package struct DrawdownEpisode: Hashable, Sendable {
    /// The part of the high that was lost at the lowest session end: 0.25 is a quarter. Positive.
    package let depth: Double
    /// The last session at the high; `nil` when the high is the start.
    package let peak: Day?
    /// The first session that ended below.
    package let start: Day
    /// The session that ended lowest.
    package let valley: Day
    /// The first session that ended at the high or above it again; `nil` if none has.
    package let recovery: Day?
    /// How many days of the calendar it took: from `peak` (or else `start`) to `recovery` (or else
    /// the last session).
    package let days: Int
}

/// The falls of a series of returns, measured at session ends, the start counting as a high.
package struct Drawdowns: Hashable, Sendable {
    /// The five deepest, deepest first; of equal ones, the earlier first.
    package let deepest: [DrawdownEpisode]
    /// Days of the calendar that the longest took, among all of them; `nil` without any.
    package let longestDays: Int?
    /// Sessions that ended below the high / all sessions; needs a session.
    package let underWater: Double?

    private static let episodesMax = 5

    /// The falls of `returns`, in order of days.
    package init(of returns: [DailyReturn]) {
        var scan = DrawdownScan()
        for daily in returns { scan.take(daily) }
        scan.end(recovery: nil)
        longestDays = scan.episodes.map(\.days).max()
        underWater = quotient(Double(scan.sessionsBelow), Double(returns.count))
        let deepestFirst = scan.episodes.enumerated().sorted {
            let (first, second) = ($0.element.depth, $1.element.depth)
            return first != second ? first > second : $0.offset < $1.offset
        }
        deepest = deepestFirst.prefix(Self.episodesMax).map(\.element)
    }
}

/// Walks over returns and notes where falls begin and end.
private struct DrawdownScan {
    private(set) var episodes: [DrawdownEpisode] = []
    private(set) var sessionsBelow = 0

    private var level = 1.0
    private var high = 1.0
    private var peak: Day?
    private var last: Day?
    private var episode: Episode?

    private struct Episode {
        let start: Day
        var valley: Day
        var depth: Double
    }

    mutating func take(_ daily: DailyReturn) {
        level *= 1 + daily.value
        last = daily.day
        let drawdown = (high - level) / high
        // Back at the high but for rounding is back.
        guard drawdown > Moments.noise else {
            end(recovery: daily.day)
            high = max(high, level)
            peak = daily.day
            return
        }
        sessionsBelow += 1
        guard let episode, episode.depth >= drawdown else {
            episode = Episode(
                start: episode?.start ?? daily.day, valley: daily.day, depth: drawdown)
            return
        }
    }

    /// Ends the fall in progress, if there is one.
    mutating func end(recovery: Day?) {
        guard let episode, let last = recovery ?? last else { return }
        let days = Int(last.number) - Int((peak ?? episode.start).number)
        episodes.append(
            DrawdownEpisode(
                depth: episode.depth, peak: peak, start: episode.start, valley: episode.valley,
                recovery: recovery, days: days))
        self.episode = nil
    }
}
