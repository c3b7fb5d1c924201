import Foundation
package import MarketState
package import Model
package import Primitives
package import Simulation

/// Section `backtest`: what is simulated, from which data and at which costs.
package struct BacktestSettings: Hashable, Sendable {
    /// The first day; `nil`: that of the data.
    package let from: Day?
    /// The last day; `nil`: that of the data.
    package let to: Day?
    /// Which time belongs to which session.
    package let calendar: SessionCalendar
    /// What every random draw of the run follows from.
    package let seed: UInt64
    /// The bars, or quotes and trades.
    package let data: DataSettings?
    /// What executions cost.
    package let commission: CommissionSettings
    /// How much worse than the market orders trade.
    package let slippage: SlippageSettings
    /// How long messages take.
    package let latency: LatencySettings
    /// The part of a bar's volume that one instrument's orders may take; `nil`: any.
    package let participation: Percent?
    /// When a limit order fills that the price touches.
    package let limitFill: VenueRules.LimitFill
    /// What triggers stops where there are quotes and trades.
    package let stopTrigger: VenueRules.StopTrigger
    /// What is assumed about the order of prices within a bar.
    package let barPath: VenueRules.BarPath
    /// How far an order as large as a bar's volume moves the price; `nil` moves it nowhere.
    package let impact: Percent?
    /// Whether strategies see bars from before `from`, as many as they ask for, before they may act.
    package let warmup: Bool
    /// What is paid in and out on the way, in order of days.
    package let cashFlows: [CashFlowSettings]
    /// When entries that a limit has halted for good go on.
    package let resume: ResumeSettings

    private static let cashFlowsMax = 1_000

    private enum CalendarName: String, CaseIterable {
        case nyse
        case always
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        from = section.optional("from", .day, "the first day; default: that of the data")
        to = section.optional("to", .day, "the last day, inclusive; default: that of the data")
        if let from, let to, from > to {
            section.refuse("to", found: "found \(to)", allowed: "\(from), which is from, or later")
        }
        let calendarName = section.value(
            "calendar", .choice(), default: CalendarName.nyse, "which time belongs to which session"
        )
        calendar =
            switch calendarName {
            case .nyse: .newYork
            case .always: .always
            }
        seed = UInt64(
            section.value(
                "seed", .integer(0...Int.max), default: 1, "what every random draw follows from"))
        data = section.section("data") { DataSettings(&$0) }
        commission = section.section("commission") { CommissionSettings(&$0) }
        slippage = section.section("slippage") { SlippageSettings(&$0) }
        latency = section.section("latency") { LatencySettings(&$0) }
        let share = section.value(
            "participation_pct", .percent(.from(0, to: 100), of: "a bar's volume"),
            default: Percent(10), "what one instrument's orders may take of a bar; 0: no limit")
        participation = share == .zero ? nil : share
        limitFill = section.value(
            "limit_fill", .choice(), default: .through,
            "whether a price that touches a limit fills it or has to go through")
        stopTrigger = section.value(
            "stop_trigger", .choice(), default: .last,
            "what triggers stops over quotes and trades: the last trade, or bid and ask")
        barPath = section.value(
            "bar_path", .choice(), default: .pessimistic,
            "the order of prices within a bar: stops first, or open, nearer extreme, other, close")
        let moved = section.value(
            "impact_pct", .percent(.from(0, to: 100), of: "the price"), default: .zero,
            "how far an order as large as a bar's volume moves it, smaller ones by the root; 0: not"
        )
        impact = moved == .zero ? nil : moved
        let switchedOn = section.value(
            "warmup", .onOff, default: .on, "whether strategies see bars from before the first day")
        warmup = switchedOn == .on
        resume = ResumeSettings(&section)
        let period = (from: from, to: to)
        let flows = section.optionalSections("cash_flows") {
            CashFlowSettings(&$0, from: period.from, to: period.to)
        }
        if flows.count > Self.cashFlowsMax {
            section.refuse(
                "cash_flows", found: "found \(flows.count) of them",
                allowed: "at most \(Self.cashFlowsMax)")
        }
        // A stable order: two of one day stay as they were written.
        cashFlows = flows.enumerated()
            .sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }.map(\.element)
    }
}

/// Keys `backtest.resume` and `backtest.resume_days`: what stands in for the person who lets entries go on after
/// a drawdown or a margin call. In a session a person does that.
package enum ResumeSettings: Hashable, Sendable {
    /// Nobody: the run ends halted.
    case never
    /// As the next session begins.
    case nextSession
    /// As the first session begins that many days after the halt.
    case afterDays(Int)

    private enum Rule: String, CaseIterable {
        case never
        case nextSession = "next_session"
        case afterDays = "after_days"
    }

    /// Reads the keys.
    init(_ section: inout SettingsReader) {
        let rule = section.value(
            "resume", .choice(), default: Rule.never,
            "when entries go on after a drawdown or margin call, from where losses count anew")
        let days = section.when("resume", rule, is: .afterDays) {
            $0.required(
                "resume_days", .integer(1...3_650, unit: "days"), "how many days after the halt")
        }
        self =
            switch rule {
            case .never: .never
            case .nextSession: .nextSession
            case .afterDays: .afterDays(days)
            }
    }
}

/// An element of the list `backtest.cash_flows`: money paid in or out.
package struct CashFlowSettings: Hashable, Sendable {
    /// When: at the first timestamp of that day's session, or of the next one.
    package let day: Day
    /// How much; negative is paid out.
    package let amount: Money

    /// A payment.
    package init(day: Day, amount: Money) {
        self.day = day
        self.amount = amount
    }

    /// Reads an element; its day must be within the period.
    init(_ section: inout SettingsReader, from: Day?, to: Day?) {
        day = section.required(
            "day", .day, "when: as the session of that day begins, or else the next one")
        amount = section.required(
            "amount_usd", .money(.from(-1_000_000_000, to: 1_000_000_000)),
            "how much is paid in; negative is paid out")
        if let from, day < from {
            section.refuse(
                "day", found: "found \(day)", allowed: "\(from), which is from, or later")
        }
        if let to, day > to {
            section.refuse("day", found: "found \(day)", allowed: "\(to), which is to, or earlier")
        }
    }
}

/// Section `backtest.data`: the bars, or quotes and trades, and what their source means by them.
package struct DataSettings: Hashable, Sendable {
    /// A file or a folder of files.
    package let path: SettingsPath
    /// What the files hold; `nil`: what their header says.
    package let kind: DataKind?
    /// What prices were adjusted for.
    package let basis: PriceBasis
    /// Which end of a bar its time names.
    package let stamp: BarStamp
    /// The clock of times without a zone; `nil`: such times are refused.
    package let zone: WallClock?
    /// How long a bar lasts; `nil`: what the file says, else its most frequent step.
    package let barSize: Duration?

    /// Reads the section; without a path and a basis it is none: only backtests need one.
    init?(_ section: inout SettingsReader) {
        let given = section.optional(
            "path", .text("the path of a file or folder"), "the data; backtests need it")
        kind = section.optional(
            "kind", .choice(), "what the files hold; default: what the header of the first says")
        let basis: PriceBasis? = section.optional(
            "basis", .choice(), "what prices were adjusted for; backtests need it")
        stamp = section.value(
            "stamp", .choice(), default: .start, "which end of a bar its time names")
        zone = section.optional("zone", .choice(), "the wall clock of times without a zone")
        barSize = section.optional(
            "bar_size", .duration(.seconds(1)...(.days(7))),
            "how long a bar lasts; default: as the file's time column says, else its most frequent step"
        )
        guard let given, let basis else {
            let missing = given == nil ? "path" : "basis"
            if (given == nil) != (basis == nil), section.problems.isEmpty {
                section.refuse(missing, found: "missing", allowed: section.allowed(missing))
            }
            return nil
        }
        path = SettingsPath(given: given, folder: section.folder(of: "path"))
        self.basis = basis
    }
}

/// A path and where it starts.
package struct SettingsPath: Hashable, Sendable {
    /// As it was written.
    package let given: String
    /// The folder of the file it was written in, with its final `/`; empty: the working directory.
    package let folder: String

    /// As it is from the working directory.
    package var resolved: String { given.hasPrefix("/") ? given : folder + given }

    /// As it is from the root.
    var fromRoot: String { URL(fileURLWithPath: resolved).standardizedFileURL.path }
}
