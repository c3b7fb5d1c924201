import MarketState
import Model
import Primitives
import Signals

/// Which instruments rose most, and the trades to hold those, when it is time.
struct MomentumRanking: Codable, Sendable {
    private let top: Int
    /// What has not risen by more is not held.
    private let threshold: Double
    private var schedule: RebalanceSchedule
    private var trades: RebalanceTrades
    /// All instruments by symbol.
    private let instruments: [InstrumentID]
    /// When the newest bar began whose end was looked at.
    private var seen = Timestamp.distantPast
    private var canRank = false
    /// All that can be ranked, best first; kept for its memory.
    private var ranked: [Candidate] = []

    private struct Candidate: Codable, Sendable, BitwiseCopyable {
        let instrument: InstrumentID
        /// In `instruments`.
        let index: Int32
        let score: Double

        /// Of equal ones, the first by symbol comes first.
        func isBetter(than other: Self) -> Bool {
            score != other.score ? score > other.score : index < other.index
        }
    }

    /// A ranking before the first bar.
    ///
    /// - Parameters:
    ///   - top: how many instruments are to be held.
    ///   - threshold: the return above which they are.
    init(
        of instruments: [Instrument], top: Int, above threshold: Double,
        _ schedule: RebalanceSchedule, _ trades: RebalanceTrades
    ) {
        self.top = top
        self.threshold = threshold
        self.schedule = schedule
        self.trades = trades
        self.instruments = instruments.sorted { $0.symbol < $1.symbol }.map(\.id)
        ranked.reserveCapacity(instruments.count)
    }

    /// Leaves out bars that began then: they are past, and no reason to trade.
    mutating func passOver(_ start: Timestamp) { seen = max(seen, start) }

    /// Ranks and trades when it is time.
    mutating func sliceClosed(_ closes: borrowing CloseHistory, _ context: inout StrategyContext) {
        let start = closes.newestStart
        // Bars of other strategies' instruments alone are no reason to count.
        guard start > seen else { return }
        seen = start
        trades.followUp(&context)
        if !canRank { canRank = instruments.contains { closes.lookbackReturn(of: $0) != nil } }
        guard canRank,
            schedule.isDue(at: start, after: closes.previousStart, in: context.calendar)
        else { return }
        let session = session(context)
        let slots = rank(closes, since: session, context)
        if context.keepsNotes { noteScores(&context) }
        trades.begin(equity: context.equity)
        let best = ranked.prefix(slots).prefix { $0.score > threshold }
        for instrument in instruments where closes.newestStart(of: instrument) >= session {
            let isChosen = best.contains { $0.instrument == instrument }
            trades.plan(instrument, isHeld: isChosen, context)
        }
        trades.order(&context)
    }

    /// Ranks what has had a bar since the session began. Returns how many of the best are to be held.
    private mutating func rank(
        _ closes: borrowing CloseHistory, since session: Timestamp,
        _ context: borrowing StrategyContext
    ) -> Int {
        var slots = top
        ranked.removeAll(keepingCapacity: true)
        for (index, instrument) in instruments.enumerated() {
            if closes.newestStart(of: instrument) < session {
                if context.holding(of: instrument).position != .zero { slots -= 1 }
            } else if let score = closes.lookbackReturn(of: instrument) {
                ranked.append(
                    Candidate(
                        instrument: instrument, index: Int32(truncatingIfNeeded: index),
                        score: score))
            }
        }
        ranked.sort { $0.isBetter(than: $1) }
        return max(slots, 0)
    }

    /// Leaves the scores of all that can be ranked, best first.
    private func noteScores(_ context: inout StrategyContext) {
        for (index, candidate) in ranked.enumerated() {
            context.note(score: candidate.score, rank: index + 1, of: candidate.instrument)
        }
    }

    /// When the day of the newest bar began.
    private func session(_ context: borrowing StrategyContext) -> Timestamp {
        let calendar = context.calendar
        return calendar.dayEnd(of: calendar.day(of: seen).advanced(by: -1))
    }
}
