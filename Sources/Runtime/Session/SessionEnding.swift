import Accounting
package import Configuration
import MarketState
package import Model
import Orders
package import Primitives
import Risk
import TradingEngine

/// How a session ends in order: the exit policy is given to the engine as instructions of the user, and what follows is
/// waited for until the deadline.
///
/// It decides nothing: what is cancelled and closed is the engine's, and a replay of the journal decides it again.
struct SessionEnding {
    /// What becomes of orders and positions.
    let policy: SystemSettings.ExitPolicy
    /// When the session ends whatever is open then, in session time.
    let deadline: Timestamp
    /// What the session has come to; `nil` before it is over.
    private(set) var report: SessionEndReport?
    private let calendar: SessionCalendar
    private var hasRestrained = false
    /// True if the halt is of the ending: entries may follow at the next start.
    private var haltsItself = false
    private var hasFlattened = false

    /// An ending of which nothing was done yet.
    init(_ policy: SystemSettings.ExitPolicy, deadline: Timestamp, _ calendar: SessionCalendar) {
        self.policy = policy
        self.deadline = deadline
        self.calendar = calendar
    }

    /// The words of its instructions in the journal.
    private var words: String { "exit policy \(policy.rawValue): the session ends" }

    /// The user has halted entries meanwhile: that stays.
    mutating func userHalted() { haltsItself = false }

    /// Asks for what the policy wants, and looks at how far it is.
    ///
    /// - Returns: true when the session may end.
    mutating func advance(_ live: LiveSession, at now: Timestamp) -> Bool {
        guard report == nil else { return true }
        let closed = calendar.session(containing: now) == nil
        switch policy {
        case .leave: break
        case .cancelOpen: restrain(live, at: now)
        case .flatten:
            restrain(live, at: now)
            // Without a link, or while the exchange is closed, it would be done when nobody is there.
            if !hasFlattened, !closed, live.link.takesExits {
                hasFlattened = true
                _ = live.instruct(.flatten(.all), because: words, at: now)
            }
        }
        let left = SessionEndReport(policy, live, opening: closed ? opening(behind: now) : nil)
        let isOver =
            switch policy {
            case .leave: true
            case .cancelOpen: left.isComplete && left.isCharged
            case .flatten:
                closed ? left.entries.isEmpty : left.isComplete && left.isCharged
            }
        guard isOver || now >= deadline else { return false }
        report = left
        if haltsItself { _ = live.instruct(.resume(.operatorRequest), because: words, at: now) }
        return true
    }

    /// Lets nothing more be opened, and cancels entries that work.
    private mutating func restrain(_ live: LiveSession, at now: Timestamp) {
        guard !hasRestrained else { return }
        hasRestrained = true
        guard live.withEngine({ $0.gate.isHalted(for: .operatorRequest) }) else {
            haltsItself = true
            _ = live.instruct(.halt, because: words, at: now)
            return
        }
        _ = live.instruct(.cancel(.all), because: words, at: now)
    }

    private func opening(behind now: Timestamp) -> Timestamp {
        let day = calendar.day(of: now)
        if let today = calendar.session(on: day), now < today.open { return today.open }
        return calendar.nextSession(after: day).open
    }
}

/// What a session leaves at the broker.
package struct SessionEndReport: Hashable, Sendable {
    /// What was to become of orders and positions.
    package let policy: SystemSettings.ExitPolicy
    /// Orders of ours that may still fill, oldest first.
    package let orders: [LeftOrder]
    /// What is held for each strategy.
    package let positions: [LeftPosition]
    /// The state of the link to the broker: `READY`.
    package let link: String
    /// When the market opens next; `nil` while it is open.
    package let opening: Timestamp?
    /// False while executions lack their commission.
    let isCharged: Bool

    /// An order that may still fill.
    package struct LeftOrder: Hashable, Sendable {
        /// Our number.
        package let number: Int64
        /// What is bought or sold.
        package let symbol: String
        /// What it is for.
        package let purpose: OrderPurpose
        /// Bought or sold.
        package let side: Side
        /// How many shares are not filled.
        package let quantity: Quantity
        /// Where it stands, in words.
        package let state: String

        /// `order 12 (entry, buy 100 AAPL: working)`.
        package var words: String {
            "order \(number) (\(purpose), \(side) \(quantity) \(symbol): \(state))"
        }
    }

    /// What is held of a symbol for a strategy.
    package struct LeftPosition: Hashable, Sendable {
        /// The symbol.
        package let symbol: String
        /// Shares; negative is short.
        package let quantity: Quantity
    }

    /// What is left now.
    init(_ policy: SystemSettings.ExitPolicy, _ live: LiveSession, opening: Timestamp?) {
        self.policy = policy
        self.opening = opening
        link = live.link.name
        let names = live.names
        let known = live.withEngine { engine in
            var positions: [LeftPosition] = []
            for index in names.symbols.indices {
                for strategy in names.strategies.indices {
                    let quantity = engine.portfolio.ledger(
                        of: .strategy(StrategyID(index: strategy)), in: InstrumentID(index: index)
                    ).quantity
                    guard quantity != .zero else { continue }
                    positions.append(
                        LeftPosition(symbol: names.symbols[index], quantity: quantity))
                }
            }
            return (
                orders: engine.orders.allLive.compactMap { LeftOrder($0, engine, names) },
                positions: positions,
                isCharged: engine.orders.unchargedExecutions(since: engine.now - .minutes(5))
                    .isEmpty
            )
        }
        (orders, positions, isCharged) = (known.orders, known.positions, known.isCharged)
    }

    /// The orders that would open or enlarge a position.
    package var entries: [LeftOrder] { orders.filter { $0.purpose == .entry } }

    /// True if nothing is left that the policy was to end.
    package var isComplete: Bool {
        switch policy {
        case .leave: true
        case .cancelOpen: entries.isEmpty
        case .flatten: orders.isEmpty && positions.isEmpty
        }
    }

    /// What stays at the broker, in a sentence without its end.
    package var words: String {
        guard !orders.isEmpty else { return "no order stays at the broker" }
        let kinds: [(purpose: OrderPurpose, words: String)] = [
            (.entry, "entries"), (.exit, "exits"), (.protection, "stops and targets"),
        ]
        let counts = kinds.compactMap { kind in
            let count = orders.count { $0.purpose == kind.purpose }
            return count == 0 ? nil : "\(kind.words): \(count)"
        }
        return "these orders stay at the broker: \(counts.joined(separator: ", "))"
    }

    /// Why the policy was not carried out and what is open, in sentences; `nil` where it was.
    package var shortfall: String? {
        guard !isComplete else { return nil }
        var sentences = ["The exit policy \(policy.rawValue) was not carried out in full."]
        if let opening, policy == .flatten, !positions.isEmpty {
            sentences.append(
                "The market is closed until \(opening): nothing can be closed, and what is held keeps its protection."
            )
        }
        if link != "READY" {
            sentences.append("The link to the broker is \(link): cancels and exits cannot be sent.")
        }
        let open = policy == .cancelOpen ? entries : orders
        if !open.isEmpty {
            sentences.append("These may still fill: \(open.map(\.words).joined(separator: "; ")).")
        }
        if policy == .flatten, !positions.isEmpty {
            let held = positions.map { "\($0.quantity) \($0.symbol)" }
            sentences.append("This is still held: \(held.joined(separator: ", ")).")
        }
        sentences.append(
            "Cancels and exits that were asked for go on at the next start; look at the broker's own lists until then."
        )
        return sentences.joined(separator: " ")
    }
}

extension SessionEndReport.LeftOrder {
    fileprivate init?(_ id: OrderID, _ engine: borrowing Engine, _ names: SessionNames) {
        guard let record = engine.orders.record(of: id) else { return nil }
        let request = record.ticket.request
        number = id.number
        symbol = names.symbol(of: request.instrument)
        purpose = request.purpose
        side = request.side
        quantity = engine.orders.open(id)
        state = engine.stateWords(of: id, record)
    }
}

extension BrokerLinkState {
    /// Whether exits leave.
    fileprivate var takesExits: Bool {
        switch self {
        case .ready, .dataDegraded, .drain: true
        case .down, .handshake, .sync, .upstreamLost, .locked: false
        }
    }
}
