import Configuration
import MarketState
import Model
import Orders
import Primitives
import TWSProtocol
import TWSVenue
import TradingEngine

/// Begins a file of the journal with each session day of a run, exactly as a start of the program does: with the state
/// that the engine has by then, from which another engine goes on.
struct SessionRotation {
    /// What a file begins with, besides the configuration.
    struct Plan {
        /// What the configuration names.
        let configured: SessionSetup
        /// The configuration.
        let settings: Settings
        /// The journal.
        let journal: SessionJournal
        /// The contracts of symbols, by symbol.
        let contracts: [String: Contract]
    }

    /// What the journal keeps beside the engine's state.
    struct Edge {
        /// The texts with their numbers.
        let texts: [(name: NameID, text: String)]
        /// The number of the newest connection.
        let epoch: ConnectionEpoch
        /// The bars that strategies were shown.
        let shown: ShownBars
    }

    private let plan: Plan
    /// What the file in use was opened with.
    private var opening: SessionOpening
    private var setup: SessionSetup
    /// When to try again what has failed.
    private var due = Timestamp.distantPast
    /// The contracts by the numbers of the newest file; `nil` where they are those of the file before.
    private(set) var changedContracts: [TradedContract]?

    /// How long after a file could not be made it is tried again: the one in use serves meanwhile.
    static let interval = Duration.seconds(60)

    /// - Parameters:
    ///   - setup: what the engine was made of.
    ///   - opening: what the file in use was opened with.
    init(_ plan: Plan, _ setup: SessionSetup, _ opening: SessionOpening) {
        self.plan = plan
        self.setup = setup
        self.opening = opening
    }

    private var calendar: SessionCalendar { plan.settings.backtest.calendar }

    /// True once another day with a session has begun.
    func isDue(at now: Timestamp) -> Bool {
        let day = calendar.day(of: now)
        return day > opening.day && calendar.hasSession(on: day) && now >= due
    }

    /// True once the day's session has opened: waiting for a better moment is over.
    func isLate(at now: Timestamp) -> Bool { now >= calendar.open(on: calendar.day(of: now)) }

    /// Begins a file.
    ///
    /// - Parameter engine: the one in use; everything that it has answered is durable.
    /// - Returns: what goes on in its place; `nil` if no file could be made.
    mutating func begin(
        behind engine: borrowing Engine, _ edge: Edge, at now: Timestamp
    ) -> SessionStart? {
        let next = SessionOpening(
            day: calendar.day(of: now), version: opening.version, program: opening.program,
            configuration: opening.configuration, strategies: opening.strategies)
        do throws(RunFailure) {
            var past = SessionStart.Past(
                state: try state(of: engine), hash: plan.journal.headHash)
            past.names = edge.texts
            past.epoch = edge.epoch
            past.shown = edge.shown
            let start = try SessionStart(
                behind: past, plan.configured, plan.settings, plan.journal, next, at: now)
            changedContracts =
                start.instruments == setup.engine.instruments
                ? nil : start.contracts(of: plan.contracts)
            setup = start.setup
            opening = next
            return start
        } catch {
            due = now + Self.interval
            plan.journal.complain(
                "warning: the journal's file of \(next.day) cannot be made; that of \(opening.day) "
                    + "serves on. \(error)")
            return nil
        }
    }

    private func state(of engine: borrowing Engine) throws(RunFailure) -> EngineState {
        do throws(SavedStateError) {
            return try EngineState(of: engine, setup, opening: opening)
        } catch {
            throw .defect("the state cannot be saved: \(error)")
        }
    }
}

extension SessionStart {
    /// The contracts of the engine's instruments.
    ///
    /// - Parameter contracts: by symbol.
    borrowing func contracts(of contracts: [String: Contract]) -> [TradedContract] {
        instruments.compactMap { instrument in
            contracts[instrument.symbol].map { TradedContract(instrument.id, $0) }
        }
    }
}
