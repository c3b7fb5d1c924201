import Accounting
import Configuration
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Simulation
import TradingEngine

/// The trading session that a backtest is in, and what happens at the bounds of sessions.
struct SessionPlan: Sendable {
    /// The session in progress; `nil` before the first and between two.
    private(set) var current: Day?
    /// When its day ends; the end of time without a session.
    private(set) var end = Timestamp.distantFuture
    /// When the first session began.
    private(set) var firstTimestamp: Timestamp?
    /// What is still to be paid in and out, the next last.
    private(set) var pendingFlows: [CashFlowSettings]
    /// The session at whose end entries were found halted for good.
    private(set) var haltedOn: Day?
    /// Withdrawals that were not made, or not of money that was there.
    var withdrawalWarnings: [String] = []
    /// True if no more can be withdrawn than is settled.
    let isCashAccount: Bool

    private let calendar: SessionCalendar
    private let resume: ResumeSettings

    /// A plan before the first session.
    init(_ setup: BacktestSetup) {
        pendingFlows = setup.cashFlows.reversed()
        isCashAccount = setup.engine.settlement != nil
        calendar = setup.venue.calendar
        resume = setup.resume
    }

    /// Begins the session that a timestamp belongs to.
    mutating func begin(at time: Timestamp) -> Day {
        firstTimestamp = firstTimestamp ?? time
        let day = calendar.day(of: time)
        current = day
        end = calendar.dayEnd(of: day)
        return day
    }

    /// Ends the session in progress.
    ///
    /// - Parameter isHalted: true if entries are halted for longer than the day.
    mutating func end(_ day: Day, isHalted: Bool) {
        current = nil
        end = .distantFuture
        if haltedOn == nil, isHalted { haltedOn = day }
    }

    /// True if entries that were halted go on with the session of `day`: what a user does in a session.
    mutating func resumes(on day: Day) -> Bool {
        guard let haltedOn else { return false }
        switch resume {
        case .never: return false
        case .nextSession: break
        case .afterDays(let count): guard day >= haltedOn.advanced(by: count) else { return false }
        }
        self.haltedOn = nil
        return true
    }

    /// The next payment that is due by `day`, if there is one.
    mutating func takeFlow(by day: Day) -> Money? {
        guard let flow = pendingFlows.last, flow.day <= day else { return nil }
        return pendingFlows.removeLast().amount
    }
}

/// The bounds of sessions.
extension Backtest {
    /// Ends the session that is over, and begins the next.
    @inline(__always)
    mutating func reachSession() throws(BacktestError) {
        if now >= sessions.end { try endSession() }
        if sessions.current == nil { beginSession() }
    }

    private mutating func beginSession() {
        let day = sessions.begin(at: now)
        if sessions.resumes(on: day) { resumeEntries() }
        while let amount = sessions.takeFlow(by: day) { pay(amount, on: day) }
    }

    private mutating func resumeEntries() {
        let time = max(now, engine.now)
        for cause in [HaltCause.drawdown, .marginCall] where engine.gate.isHalted(for: cause) {
            step(Event(at: time, kind: .operatorRequest(OperatorRequest(.resume(cause)))))
        }
    }

    /// Money comes or goes at the first timestamp of a session, before its prices are known. From a cash account
    /// no more goes than is settled; from a margin account what is not there is borrowed.
    private mutating func pay(_ amount: Money, on day: Day) {
        let time = max(now, engine.now)
        let isCashAccount = sessions.isCashAccount
        let there = max(
            isCashAccount ? engine.portfolio.spendableCash : engine.portfolio.cash, .zero)
        if amount < .zero, ExactMoney(amount) + there < .zero {
            let withdrawal = "\(Money(units: -amount.units)) on \(day)"
            guard !isCashAccount else {
                return sessions.withdrawalWarnings.append(
                    "withdrawal of \(withdrawal) not made: the settled cash was \(there.rounded())")
            }
            sessions.withdrawalWarnings.append(
                "withdrawal of \(withdrawal) was more than the cash of \(there.rounded()): the rest is owed"
            )
        }
        let before = engine.portfolio.equity.rounded()
        recorder.record(CashFlow(day: day, at: time, amount: amount, equityBefore: before))
        step(Event(at: time, kind: .cashMovement(CashMovement(.transfer, amount))))
    }

    /// Ends the session in progress, if there is one.
    mutating func endSession() throws(BacktestError) {
        guard let day = sessions.current else { return }
        guard engine.portfolio.identityHolds else { throw .ledgerDisagrees(day) }
        if equityRows == .session { noteEquity() }
        recorder.endSession(with: engine.portfolio, instruments)
        takeAnswers()
        if verifier != nil { try requireSameAnswers() }
        if hashesSessions { sessionHashes.append(try stateHash(behind: day)) }
        if let reopening { try reopen(reopening, behind: day) }
        sessions.end(day, isHalted: engine.gate.haltCauses.contains { !$0.endsWithDay })
    }

    /// Goes on with an engine that begins with the state of the one there was.
    private mutating func reopen(
        _ configured: SessionSetup, behind day: Day
    ) throws(BacktestError) {
        let hash = try stateHash(behind: day)
        // Timers are set already, and would only be set again.
        var ignored = EngineOutput()
        do throws(SavedStateError) {
            let opening = SessionOpening(day: day, program: 0, configuration: 0, strategies: 0)
            let state = try EngineState(of: engine, configured, opening: opening)
            let setup = try state.setup(for: configured, opening: opening)
            engine = state.engine(setup, opening: opening, into: &ignored)
        } catch {
            throw .stateNotSaved(day, "\(error)")
        }
        guard try stateHash(behind: day) == hash else {
            throw .stateNotSaved(day, "the state that was read is not the one that was written")
        }
    }

    /// The digest of the whole state, the strategies' own included.
    private func stateHash(behind day: Day) throws(BacktestError) -> UInt64 {
        do throws(SavedStateError) {
            return try EngineState.hash(of: engine)
        } catch {
            throw .stateNotSaved(day, "\(error)")
        }
    }

    /// Hands the recorder what the engine has concluded, and what strategies noted.
    mutating func takeAnswers() {
        recorder.take(&output)
        verifier?.decisionsWereTaken()
    }

    /// Writes down the account as it is now, if in a session.
    mutating func noteEquity() {
        guard let day = sessions.current else { return }
        recorder.record(
            EquityPoint(
                day: day, at: engine.now, equity: engine.portfolio.equity.rounded(),
                cash: engine.portfolio.cash.rounded(),
                grossExposure: engine.portfolio.grossExposure.rounded()))
    }
}
