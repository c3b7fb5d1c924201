import MarketState
import Model
import Primitives
import Signals

/// Which instruments rose most, and the trades to hold those, when it is time.
struct MomentumRanking: Sendable {
    private let top: Int
    private var schedule: RebalanceSchedule
    private var trades: RebalanceTrades
    /// All instruments by symbol.
    private let instruments: [InstrumentID]
    /// When the newest bar began whose end was looked at.
    private var seen = Timestamp.distantPast
    private var canRank = false
    /// Best first; kept for its memory.
    private var best: [Candidate] = []

    private struct Candidate: Sendable {
        let instrument: InstrumentID
        let score: Double
    }

    /// A ranking before the first bar.
    ///
    /// - Parameter top: how many instruments are to be held.
    init(
        of instruments: [Instrument], top: Int, _ schedule: RebalanceSchedule,
        _ trades: RebalanceTrades
    ) {
        self.top = top
        self.schedule = schedule
        self.trades = trades
        self.instruments = instruments.sorted { $0.symbol < $1.symbol }.map(\.id)
        best.reserveCapacity(min(top, instruments.count) + 1)
    }

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
        rank(closes, context)
        if context.keepsNotes { noteScores(closes, &context) }
        trades.begin(equity: context.equity)
        let session = session(context)
        for instrument in instruments where closes.newestStart(of: instrument) >= session {
            let isChosen = best.contains { $0.instrument == instrument }
            trades.plan(instrument, isHeld: isChosen, context)
        }
        trades.order(&context)
    }

    private mutating func rank(
        _ closes: borrowing CloseHistory, _ context: borrowing StrategyContext
    ) {
        let session = session(context)
        var places = top
        for instrument in instruments where closes.newestStart(of: instrument) < session {
            if context.holding(of: instrument).position != .zero { places -= 1 }
        }
        best.removeAll(keepingCapacity: true)
        for instrument in instruments where closes.newestStart(of: instrument) >= session {
            guard let score = closes.lookbackReturn(of: instrument) else { continue }
            insert(Candidate(instrument: instrument, score: score), places: places)
        }
    }

    /// Leaves the scores of all that can be ranked, best first, in the order that `insert` makes.
    private func noteScores(
        _ closes: borrowing CloseHistory, _ context: inout StrategyContext
    ) {
        let session = session(context)
        var candidates: [Candidate] = []
        for instrument in instruments where closes.newestStart(of: instrument) >= session {
            guard let score = closes.lookbackReturn(of: instrument) else { continue }
            candidates.append(Candidate(instrument: instrument, score: score))
        }
        let ordered = candidates.enumerated().sorted {
            let (first, second) = ($0.element.score, $1.element.score)
            return first != second ? first > second : $0.offset < $1.offset
        }
        for (place, candidate) in ordered.enumerated() {
            context.note(
                score: candidate.element.score, rank: place + 1,
                of: candidate.element.instrument)
        }
    }

    /// Puts a candidate among the best, behind those that are as good.
    private mutating func insert(_ candidate: Candidate, places: Int) {
        var place = best.count
        while place > 0 && best[place - 1].score < candidate.score { place -= 1 }
        guard place < places else { return }
        best.insert(candidate, at: place)
        if best.count > places { best.removeLast() }
    }

    /// When the day of the newest bar began.
    private func session(_ context: borrowing StrategyContext) -> Timestamp {
        let calendar = context.calendar
        return calendar.dayEnd(of: calendar.day(of: seen).advanced(by: -1))
    }
}
