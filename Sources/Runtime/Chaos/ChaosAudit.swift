import Accounting
import Configuration
import GatewaySimulator
import Journal
import MarketState
import Model
import Orders
import Primitives
import Risk
import TWSClient
import TradingEngine

/// Judges a session from outside: by what left it, what the simulated gateway has, and what its journal says.
struct ChaosAudit {
    /// What was found not to hold, in sentences.
    private(set) var findings: [ChaosInvariant: [String]] = [:]
    /// What the user was notified of.
    let alarms = ChaosAlarms()
    /// The orders that the journal has.
    let orders = ChaosOrders()
    /// What the session has reached.
    let reached = ChaosReached()
    private let startingCash: ExactMoney
    /// By strategy, whether its positions have a stop at the broker.
    var stops: [Bool]
    /// The number under which it connects.
    var client: Int32
    /// How many orders a strategy may send within a minute; `nil` for any number.
    var ordersPerMinute: Int?
    /// True if bars come in streams.
    private let hasStreams: Bool
    /// When the market is open.
    let calendar: SessionCalendar
    /// Since when a position has been without its stop, by strategy and instrument.
    private var bare: [Position: Bare] = [:]
    /// What the audit of exits has seen.
    var exits = ExitState()
    /// Since when an instrument has not had one stream of bars.
    var streamless: [InstrumentID: Timestamp] = [:]

    /// When the gateway had lost the broker, as far as that was looked at.
    var brokerLosses: [ClosedRange<Timestamp>] = []
    private var isBrokerLost = false

    private struct Bare {
        var since: Timestamp
        /// True if the user was notified of it.
        var isAlarmed = false
    }

    /// A strategy's position in an instrument.
    struct Position: Hashable {
        let strategy: Int
        let instrument: Int

        init(strategy: Int, instrument: Int) {
            self.strategy = strategy
            self.instrument = instrument
        }

        /// The one that an order is about.
        init(of request: OrderRequest) {
            strategy = Int(request.strategy.index)
            instrument = Int(request.instrument.index)
        }
    }

    /// How long a position may be without its stop while orders can leave, and nobody is notified of it.
    private static let bareMax = Duration.seconds(15)
    /// How long at all: cancels are repeated for half a minute before the broker is asked what became of them.
    private static let alarmedMax = Duration.minutes(2)
    /// How many findings of one kind are kept.
    private static let findingsMax = 5

    /// The audit of a configuration's session.
    init(_ settings: Settings) {
        startingCash = ExactMoney(settings.account.startingCapital)
        stops = settings.active.map { $0.stop.distance != nil }
        client = Int32(clamping: settings.ibkr.clientID)
        ordersPerMinute = settings.risk.limits?.maxOrdersPerMinute
        hasStreams = !SessionStart.isDaily(settings)
        calendar = settings.backtest.calendar
    }

    /// Follows what a session decides and writes, from its next start on.
    func follow(_ session: SimulatedSession) {
        let gateway = session.gateway
        session.plan.record = { [orders] in ChaosRecord($0, orders, gateway) }
        session.plan.observer = { [alarms, reached] in
            alarms.take($0)
            reached.take($0)
        }
    }

    /// Notes that something does not hold.
    mutating func note(_ invariant: ChaosInvariant, _ words: String) {
        guard findings[invariant, default: []].count < Self.findingsMax else { return }
        findings[invariant, default: []].append(words)
    }

    // MARK: While it runs

    /// Looks at stops, exits and streams as they are now.
    mutating func look(at session: SimulatedSession) {
        lookAtBroker(session)
        guard let driver = session.driver else {
            bare.removeAll()
            exits.since.removeAll()
            return streamless.removeAll()
        }
        let status = driver.status(at: session.now)
        let isReady = status.link == .ready
        reached.look(at: driver)
        lookAtStops(session, driver, isReady: isReady)
        lookAtExits(session, driver, isReady: isReady)
        lookAtStreams(
            session, driver, areExpected: isReady && status.step == .trading && hasStreams)
    }

    private mutating func lookAtBroker(_ session: SimulatedSession) {
        let wasLost = isBrokerLost
        isBrokerLost = session.gateway.act { $0.isBrokerLost }
        guard isBrokerLost else { return }
        if wasLost, let loss = brokerLosses.popLast() {
            brokerLosses.append(loss.lowerBound...session.now)
        } else {
            brokerLosses.append(session.now...session.now)
        }
    }

    private mutating func lookAtStops(
        _ session: SimulatedSession, _ driver: SessionDriver, isReady: Bool
    ) {
        for strategy in stops.indices where stops[strategy] {
            for instrument in session.symbols.indices {
                let key = Position(strategy: strategy, instrument: instrument)
                guard isReady, let shortfall = Self.shortfall(of: key, driver) else {
                    bare[key] = nil
                    continue
                }
                var state = bare[key] ?? Bare(since: session.now)
                if alarms.bare.contains(InstrumentID(index: instrument)) { state.isAlarmed = true }
                bare[key] = state
                let limit = state.isAlarmed ? Self.alarmedMax : Self.bareMax
                guard session.now - state.since > limit else { continue }
                note(.protection, "\(session.now): \(session.symbols[instrument]) \(shortfall)")
                bare[key]?.since = session.now
            }
        }
    }

    /// True if nothing about an instrument's orders is in doubt, and the user need not look at it.
    static func isSettled(_ instrument: InstrumentID, _ driver: SessionDriver) -> Bool {
        driver.withEngine { engine in
            !engine.orders.isUnknown(in: instrument) && !engine.gate.isLatched(instrument)
        } ?? false
    }

    /// What is wrong with the exits of a position that is settled; `nil` where nothing is.
    private static func shortfall(of position: Position, _ driver: SessionDriver) -> String? {
        let strategy = StrategyID(index: position.strategy)
        let instrument = InstrumentID(index: position.instrument)
        return driver.withEngine { engine -> String? in
            guard !engine.orders.isUnknown(in: instrument), !engine.gate.isLatched(instrument)
            else { return nil }
            let held = engine.portfolio.ledger(of: .strategy(strategy), in: instrument).quantity
            let exits = engine.orders.linkedExits(of: strategy, in: instrument) { _ in true }
            guard held > .zero, exits != held else { return nil }
            return "\(held) held, exits of \(exits)"
        } ?? nil
    }

    // MARK: When nothing goes wrong any more

    /// Whether the session has come to rest: all is known, and its books are those of the broker. Where it cannot be,
    /// it has to say so by a halt or a latch.
    func isAtRest(_ session: SimulatedSession) throws(RunFailure) -> Bool {
        guard let driver = session.driver, driver.hasBegun else { return false }
        guard driver.status(at: session.now).link == .ready, ordersInDoubt(driver).isEmpty else {
            return false
        }
        return try differences(of: session).isEmpty
    }

    /// How the session stands, where it has not come to rest.
    func words(for session: SimulatedSession) throws(RunFailure) -> String {
        guard let driver = session.driver else { return "it does not run" }
        let snapshot = SessionSnapshot(of: driver, symbols: session.symbols, at: session.now)
        var words = ["\(snapshot.step), link \(snapshot.link)"]
        let doubted = ordersInDoubt(driver).map(\.number)
        if !doubted.isEmpty { words.append("unknown: \(doubted)") }
        if !snapshot.halts.isEmpty { words.append("halts: \(snapshot.halts)") }
        if !snapshot.latched.isEmpty { words.append("latched: \(snapshot.latched)") }
        return (words + (try differences(of: session))).joined(separator: "; ")
    }

    /// The orders in doubt that the user has not been notified of.
    private func ordersInDoubt(_ driver: SessionDriver) -> [OrderID] {
        driver.withEngine { engine in
            engine.orders.allLive.filter { order in
                let state = engine.orders.record(of: order)?.state
                return (state == .unknown || state == .executionsMissing)
                    && !alarms.unresolved.contains(order)
            }
        } ?? []
    }

    private func differences(of session: SimulatedSession) throws(RunFailure) -> [String] {
        let ledger = try ChaosLedger(session.gateway.control(#"{"do":"ledger"}"#))
        return positionDifferences(of: session, ledger) + cashDifferences(of: session, ledger)
            + unknownOrders(of: session, ledger)
    }

    private func positionDifferences(of session: SimulatedSession, _ ledger: ChaosLedger)
        -> [String]
    {
        session.symbols.indices.compactMap { index in
            let instrument = InstrumentID(index: index)
            let symbol = session.symbols[index]
            let theirs = ledger.positions[symbol] ?? .zero
            let ours =
                session.driver?.withEngine { $0.portfolio.quantity(of: instrument) } ?? .zero
            return ours == theirs ? nil : "\(symbol): \(ours) here, \(theirs) by its executions"
        }
    }

    private func cashDifferences(of session: SimulatedSession, _ ledger: ChaosLedger) -> [String] {
        let theirs = (startingCash + ledger.cashMoved).rounded()
        guard let ours = session.driver?.withEngine({ $0.portfolio.cash.rounded() }),
            ours != theirs
        else { return [] }
        return ["cash: \(ours) here, \(theirs) by its executions"]
    }

    /// Orders that work here or at the broker alone.
    private func unknownOrders(of session: SimulatedSession, _ ledger: ChaosLedger) -> [String] {
        let live: [(reference: String, works: Bool)] =
            session.driver?.withEngine { engine in
                engine.orders.allLive.compactMap { order in
                    guard let reference = engine.brokerKey(of: order)?.reference else { return nil }
                    return ("\(reference)", engine.orders.record(of: order)?.state == .working)
                }
            } ?? []
        let onlyThere = ledger.working.subtracting(live.map(\.reference)).sorted().map {
            "the order \($0) works at the broker, and the session does not know it"
        }
        let onlyHere = live.filter { $0.works && !ledger.working.contains($0.reference) }.map {
            "the order \($0.reference) works by the session's word, and not at the broker"
        }
        return onlyThere + onlyHere
    }

    // MARK: At the end

    /// Judges a session that has come to rest, or had its time for that.
    ///
    /// - Parameter countsPacing: false where what was sent did not come to the gateway when it was sent.
    mutating func conclude(
        _ session: SimulatedSession, countsPacing: Bool
    ) throws(RunFailure) {
        let ledger = try ChaosLedger(session.gateway.control(#"{"do":"ledger"}"#))
        for words in positionDifferences(of: session, ledger) { note(.positions, words) }
        for words in cashDifferences(of: session, ledger) { note(.cash, words) }
        for words in unknownOrders(of: session, ledger) { note(.knownOrders, words) }
        for reference in ledger.repeated {
            note(.nothingDoubled, "several orders carry the reference \(reference)")
        }
        checkFills(session, ledger)
        checkIntents(ledger)
        checkSent(session.gateway.received)
        if countsPacing {
            for (rule, count) in session.gateway.violations {
                note(.pacing, "\(rule.rawValue), \(count) times")
            }
            if ledger.hasPacingWarning { note(.pacing, "it was warned of too many messages (100)") }
        }
        checkConnections(session.gateway.attempts, session.gateway.clientIDs)
    }

    /// Judges the journal of a session that runs no more, and by it what left.
    mutating func checkJournal(of session: SimulatedSession) throws(RunFailure) {
        let verification = try JournalVerification(of: session.folder)
        for fault in verification.files.compactMap(\.fault) { note(.journal, fault) }
        let history: ChaosHistory
        do throws(JournalError) {
            history = try ChaosHistory(in: session.folder, client: client)
        } catch {
            return note(.journal, "\(error)")
        }
        // What left is noted by the clock of the gateway's loop, the journal by the time of day.
        let ahead = session.now - session.gateway.clock.now
        let sent = session.gateway.received.map {
            SimulatedGateway.Received(
                time: $0.time + ahead, connection: $0.connection, message: $0.message,
                marks: $0.marks)
        }
        checkAgainstJournal(sent, history)
        checkReducing(session.gateway.act { $0.fills }, history)
    }
}
