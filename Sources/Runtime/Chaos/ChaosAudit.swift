import Accounting
import GatewaySimulator
import Model
import Orders
import Primitives
import Risk
import TWSProtocol
import TradingEngine

/// Judges a session from outside: by what left it, what the simulated gateway has, and what its journal says.
struct ChaosAudit {
    /// What was found not to hold, in sentences.
    private(set) var findings: [ChaosInvariant: [String]] = [:]
    /// What the user was notified of.
    let alarms = ChaosAlarms()
    private let startingCash: ExactMoney
    /// By strategy, whether its positions have a stop at the broker.
    private let stops: [Bool]
    /// Since when a position has been without its stop, by strategy and instrument.
    private var bare: [Position: Bare] = [:]

    private struct Bare {
        var since: Timestamp
        /// True if the user was notified of it.
        var isAlarmed = false
    }

    private struct Position: Hashable {
        let strategy: Int
        let instrument: Int
    }

    /// How long a position may be without its stop while orders can leave, and nobody is notified of it.
    private static let bareMax = Duration.seconds(15)
    /// How long at all: cancels are repeated for half a minute before the broker is asked what became of them.
    private static let alarmedMax = Duration.minutes(2)
    /// How many connections may be tried within a minute.
    private static let attemptsMax = 12
    /// How many findings of one kind are kept.
    private static let findingsMax = 5

    /// - Parameters:
    ///   - startingCash: what the account begins with.
    ///   - stops: by strategy, whether its positions have a stop at the broker.
    init(startingCash: Money, stops: [Bool]) {
        self.startingCash = ExactMoney(startingCash)
        self.stops = stops
    }

    /// Notes that something does not hold.
    mutating func note(_ invariant: ChaosInvariant, _ words: String) {
        guard findings[invariant, default: []].count < Self.findingsMax else { return }
        findings[invariant, default: []].append(words)
    }

    // MARK: While it runs

    /// Looks at what protects positions as they are now.
    mutating func look(at session: SimulatedSession) {
        guard stops.contains(true), let driver = session.driver else { return bare.removeAll() }
        let isReady = driver.status(at: session.now).link == .ready
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

    /// Whether the session has come to rest: all is known, and its books are those of the broker. Where it cannot be, it
    /// has to say so by a halt or a latch.
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
        checkSent(session.gateway.received)
        for (rule, count) in session.gateway.violations where countsPacing {
            note(.pacing, "\(rule.rawValue), \(count) times")
        }
        checkAttempts(session.gateway.attempts)
    }

    /// Judges the journal of a session that runs no more.
    mutating func checkJournal(in folder: String) throws(RunFailure) {
        let verification = try JournalVerification(of: folder)
        for fault in verification.files.compactMap(\.fault) { note(.journal, fault) }
    }

    private mutating func checkSent(_ sent: [SimulatedGateway.Received]) {
        var references: [Int32: String] = [:]
        var highest = Int32.min
        for message in sent {
            if case .cancelOrder(let cancel) = message.message,
                references[cancel.orderId.rawValue] == nil
            {
                note(.others, "a cancel of \(cancel.orderId.rawValue), which it has not placed")
            }
            guard case .placeOrder(let order) = message.message else { continue }
            let (number, reference) = (order.orderId.rawValue, order.order.orderRef)
            if !reference.hasPrefix(ChaosLedger.prefix) {
                note(.references, "order \(number) carries '\(reference)'")
            }
            guard let known = references[number] else {
                if number <= highest { note(.numbers, "order \(number) behind \(highest)") }
                highest = max(highest, number)
                references[number] = reference
                continue
            }
            if known != reference {
                note(.numbers, "number \(number) is of \(known) and of \(reference)")
            }
        }
    }

    private mutating func checkAttempts(_ attempts: [Timestamp]) {
        for (index, first) in attempts.enumerated() {
            let beyond = index + Self.attemptsMax
            guard beyond < attempts.count, attempts[beyond] - first < .minutes(1) else { continue }
            return note(.connections, "\(Self.attemptsMax + 1) attempts within a minute")
        }
    }
}
