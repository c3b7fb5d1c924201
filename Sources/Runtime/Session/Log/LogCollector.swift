import Accounting
import Configuration
import MarketState
import Model
import Orders
import Primitives
import Reporting
import Signals
import TWSProtocol
import TradingEngine

/// Puts what a session lives through into entries of its log. It decides nothing, and nothing waits for it.
struct LogCollector {
    private let log: SessionLog
    private let portfolioInterval: Duration
    private var entries: [LogEntry] = []
    private var link: (state: LinkState, since: Timestamp)?
    private var data: DataEntries
    private var trades = TradeEntries()
    private var portfolioDue = Timestamp.distantPast
    private let calendar: SessionCalendar
    private var dayBase: DayBase?

    /// What a session day's profit is counted from.
    struct DayBase {
        /// The day.
        let day: Day
        /// All profit by then, less costs.
        let profit: ExactMoney
        /// When that was; `nil` at the beginning of the day.
        let since: Timestamp?
    }

    /// A collector for a log.
    init(_ log: SessionLog, _ settings: Settings) {
        self.log = log
        calendar = settings.backtest.calendar
        portfolioInterval = settings.monitoring.portfolioInterval
        data = DataEntries(settings.logging.marketDataInterval)
    }

    // MARK: Connection

    /// Takes in an event of the gateway's connection.
    mutating func take(_ event: SessionEvent, at now: Timestamp) {
        switch event {
        case .link(let state, let cause): linkChanged(to: state, because: cause, at: now)
        case .agreed(let agreement, let epoch):
            add(.info, "connected", at: now) {
                $0.set("server_version", .text("\(agreement.version)"))
                $0.set("connection", .integer(epoch))
            }
        case .disconnected(let fault, let wait):
            add(.warning, "disconnected", at: now) {
                $0.set("cause", .text("\(fault)"))
                $0.set("next_attempt_ms", wait.map { .integer($0.milliseconds) })
            }
        case .silence(let health):
            let level: LoggingSettings.Level =
                health == .healthy ? .info : health >= .alarm ? .error : .warning
            add(level, "line", at: now) { $0.set("silence", .text("\(health)")) }
        case .rejected(let failure):
            add(.error, "unreadable message", at: now) { $0.set("cause", .text("\(failure)")) }
        case .unsent(let messages):
            add(.warning, "messages did not leave", at: now) {
                $0.set("count", .integer(messages.count))
            }
        case .syncStalled(let missing):
            add(.warning, "the gateway does not answer", at: now) {
                $0.set("missing", .text(missing.map { "\($0)" }.joined(separator: ", ")))
            }
        case .resubscribe(let which):
            add(.debug, "subscriptions are made anew", at: now) {
                $0.set("which", .text("\(which)"))
            }
        case .message(.error(let message), _): take(message, at: now)
        case .message, .asked, .answered: break
        }
    }

    /// One entry for each change of the link: with its cause, and how long the state before lasted.
    private mutating func linkChanged(
        to state: LinkState, because cause: LinkCause, at now: Timestamp
    ) {
        let isLost = state == .down || state == .upstreamLost || state == .locked
        let former = link
        link = (state, now)
        add(isLost ? .warning : .notice, "link \(state)", at: now) {
            $0.set("state", .text("\(state)"))
            $0.set("former", former.map { .text("\($0.state)") })
            $0.set("cause", .text("\(cause)"))
            $0.set("after_ms", former.map { .integer((now - $0.since).milliseconds) })
        }
    }

    private mutating func take(_ message: ErrorMessage, at now: Timestamp) {
        let code = Int(message.errorCode)
        let reading = CodePolicy.standard.reading(of: code, text: message.errorString)
        add(reading.kind.logLevel, "the gateway reports \(code)", at: now) {
            $0.set("code", .integer(code))
            $0.set("text", .text(message.errorString))
            $0.set("id", message.id.map { .integer($0) })
            $0.set("advice", .text(reading.advice))
        }
    }

    private mutating func add(
        _ level: LoggingSettings.Level, _ text: String, at now: Timestamp,
        fields set: (inout LogEntry) -> Void
    ) {
        guard log.writes(.connection, level) else { return }
        var entry = LogEntry(at: now, level, .connection, text)
        set(&entry)
        entries.append(entry)
    }

    // MARK: The session

    /// Takes what an engine begins with: executions that are in it are in the log of trades already.
    ///
    /// - Parameter base: what the day's profit is counted from.
    mutating func begin(with engine: borrowing Engine, from base: DayBase) {
        trades.begin(with: engine)
        dayBase = base
    }

    /// Takes in a batch, once it is in the journal and the engine has answered it.
    mutating func take(_ batch: RecordBatch, _ names: SessionNames, _ engine: borrowing Engine) {
        if log.writes(.data, .info) { entries += data.take(batch.events, names) }
        entries += trades.take(batch.events, names, engine)
    }

    /// Takes in a decision.
    ///
    /// - Parameter alarm: what the user was notified with; `nil` for none.
    mutating func take(
        _ decision: Decision, _ alarm: SessionAlarm?, _ names: SessionNames, reason: String
    ) {
        // The change itself has an entry with its cause.
        if case .linkChanged = decision.kind { return }
        let (kind, level) = (decision.kind, decision.kind.logLevel)
        guard log.writes(kind.logCategory, level) else { return }
        let words = [DecisionWords.kind(kind), DecisionWords.detail(kind)].compactMap(\.self)
        var entry = LogEntry(
            at: decision.at, level, kind.logCategory, alarm?.text ?? words.joined(separator: " "))
        entry.isAlarm = alarm != nil
        entry.set("decision", .integer(decision.number))
        entry.set("symbol", decision.subject.instrument.map { .text(names.symbol(of: $0)) })
        entry.set("strategy", decision.subject.strategy.map { .text(names.name(of: $0)) })
        entry.set("intent", decision.subject.intent.map { .integer($0) })
        entry.set("order", decision.subject.order.map { .integer($0.number) })
        for figure in decision.figures.all {
            entry.set(DecisionWords.name(figure.name), .text(figure.text))
        }
        entry.set("reason", reason.isEmpty ? nil : .text(reason))
        entries.append(entry)
    }

    /// Takes in scores that strategies have noted.
    mutating func take(_ notes: [ScoreNote], _ names: SessionNames) {
        guard log.writes(.scores, .info) else { return }
        for note in notes {
            var entry = LogEntry(at: note.at, .info, .scores, "score")
            entry.set("symbol", .text(names.symbol(of: note.instrument)))
            entry.set("strategy", .text(names.name(of: note.strategy)))
            entry.set("score", .number(note.score))
            entry.set("rank", note.rank > 0 ? .integer(note.rank) : nil)
            entry.set("held", .exact(note.held))
            entries.append(entry)
        }
    }

    // MARK: Writing

    /// Hands everything to the log, and now and then how the portfolio stands.
    mutating func flush(_ names: SessionNames, _ engine: borrowing Engine, at now: Timestamp) {
        let base = dayBase(engine, at: now)
        if now >= portfolioDue {
            portfolioDue = now + portfolioInterval
            entries.append(Self.portfolio(names, engine, base, at: now))
        }
        flush()
    }

    private mutating func dayBase(_ engine: borrowing Engine, at now: Timestamp) -> DayBase {
        let day = calendar.day(of: now)
        if let dayBase, dayBase.day == day { return dayBase }
        // What the day's first events have brought belongs to it.
        let hasBegun = calendar.day(of: engine.now) == day
        let earned: ExactMoney = hasBegun ? engine.dayProfit ?? .zero : .zero
        let base = DayBase(day: day, profit: engine.portfolio.profit.net - earned, since: nil)
        dayBase = base
        return base
    }

    /// Hands everything to the log.
    mutating func flush() {
        guard !entries.isEmpty else { return }
        log.write(entries)
        entries.removeAll(keepingCapacity: true)
    }

    private static func portfolio(
        _ names: SessionNames, _ engine: borrowing Engine, _ base: DayBase, at now: Timestamp
    ) -> LogEntry {
        var held: [String] = []
        for index in names.symbols.indices {
            let quantity = engine.portfolio.quantity(of: InstrumentID(index: index))
            if quantity != .zero { held.append("\(names.symbols[index]) \(quantity)") }
        }
        var entry = LogEntry(at: now, .info, .portfolio, "portfolio")
        entry.set("equity", .exact(engine.portfolio.equity.rounded()))
        entry.set("cash", .exact(engine.portfolio.cash.rounded()))
        entry.set(
            "day_profit", .exact((engine.portfolio.profit.net - base.profit).rounded()))
        entry.set("since", base.since.map { .text("\($0)") })
        entry.set("exposure", .exact(engine.portfolio.grossExposure.rounded()))
        entry.set("positions", .integer(held.count))
        entry.set("held", held.isEmpty ? nil : .text(held.joined(separator: ", ")))
        entry.set("open_orders", .integer(engine.orders.allLive.count))
        return entry
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
