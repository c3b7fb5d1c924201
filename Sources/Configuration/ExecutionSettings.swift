package import MarketState
package import Model
package import Primitives

/// Section `execution`: when orders are sent, and how.
package struct ExecutionSettings: Hashable, Sendable {
    /// When what strategies want at the market goes there; `nil`: as the bars' length asks for.
    package let window: ExecutionWindow?
    /// How long before the open orders for its auction have to leave.
    package let openingCutoff: Duration
    /// How long before the close orders for its auction have to leave.
    package let closingCutoff: Duration
    /// Whether orders that wait for their price also work outside regular hours.
    package let outsideRegularHours: Bool
    /// How long an entry may work that should trade at once.
    package let orderTimeout: Duration
    /// What happens to it then.
    package let onTimeout: TimeoutAction
    /// When no entries leave, on every day.
    package let maintenance: [DailyInterval]
    /// Whether market and limit orders use the broker's adaptive algorithm.
    package let usesAdaptive: Bool

    /// What happens to an entry that should have traded at once and did not.
    package enum TimeoutAction: Hashable, Sendable {
        /// It goes on working.
        case leave
        /// It is cancelled.
        case cancel
        /// It is cancelled, and its rest sent at the market's new price, so many times.
        case reprice(timesMax: Int)
        /// It is cancelled, and its rest sent at the market.
        case escalate
    }

    private enum TimeoutWord: String, CaseIterable {
        case leave
        case cancel
        case reprice
        case escalate
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        window = section.value(
            "window", .executionWindow, default: nil,
            "when what strategies want at the market goes there; auto: open for daily bars, now for "
                + "shorter ones and with backtest.calendar: always")
        openingCutoff = section.value(
            "open_cutoff_seconds", .seconds(0...3_600), default: .minutes(2),
            "how long before the open orders for its auction have to leave")
        closingCutoff = section.value(
            "close_cutoff_seconds", .seconds(0...3_600), default: .minutes(10),
            "how long before the close orders for its auction have to leave")
        outsideRegularHours = section.value(
            "outside_rth", .flag, default: false,
            "whether orders that wait for their price, and do not say, also work outside regular hours"
        )
        orderTimeout = section.value(
            "order_timeout_seconds", .seconds(1...86_400), default: .seconds(30),
            "how long an entry may work that should trade at once: a limit at or through the market"
        )
        let word = section.value(
            "on_timeout", .choice(), default: TimeoutWord.cancel,
            "what happens to it then; reprice and escalate send its rest anew, at the market's price "
                + "or at the market")
        let times = section.when("on_timeout", word, is: .reprice) {
            $0.value(
                "reprice_max", .integer(1...10, unit: "times"), default: 3,
                "how often it is sent at a new price before it is only cancelled")
        }
        onTimeout =
            switch word {
            case .leave: .leave
            case .cancel: .cancel
            case .reprice: .reprice(timesMax: times)
            case .escalate: .escalate
            }
        maintenance = section.texts(
            "maintenance", of: .dailyInterval,
            "when no entries leave, by the market's clock: they wait, exits do not"
        ).compactMap { DailyInterval($0) }
        usesAdaptive = section.value(
            "use_adaptive", .flag, default: true,
            "whether sessions send entries at the market to the broker's algorithm Adaptive"
        )
    }

    /// What is wrong with it in a run over that calendar and bars of that length, if it is known; words
    /// for what was found and what is allowed.
    package func conflict(
        with calendar: SessionCalendar, barSize: Duration?
    ) -> (found: String, allowed: String)? {
        guard let window, window != .now else { return nil }
        let word = SettingsForm.executionWindow.write(window)
        if calendar == .always {
            return (
                "window is \(word), but without sessions there is none",
                "auto or now, with backtest.calendar: always"
            )
        }
        if case .afterOpen = window, let barSize, barSize >= calendar.sessionLength {
            return (
                "window is \(word), but daily bars do not show what the market gives then",
                "auto, open, close or now, with daily bars"
            )
        }
        return nil
    }
}

extension SettingsForm<ExecutionWindow?> {
    /// `auto`, which is `nil`, or a window.
    static var executionWindow: SettingsForm {
        // The shortest sessions last three hours and a half.
        let minutes = 1...180
        return SettingsForm(
            domain: .text("auto, now, open, open+N min (N from 1 to 180) or close"), standIn: nil,
            read: { text in
                switch text {
                case "auto": return .some(nil)
                case "now": return .now
                case "open": return .open
                case "close": return .close
                default:
                    guard text.hasPrefix("open+"), text.hasSuffix("min"),
                        let count = Int(String(text.dropFirst(5).dropLast(3)).trimmingSpaces),
                        minutes.contains(count)
                    else { return nil }
                    return .afterOpen(.minutes(Int64(count)))
                }
            },
            write: { window in
                switch window {
                case nil: "auto"
                case .now: "now"
                case .open: "open"
                case .close: "close"
                case .afterOpen(let delay): "open+\(delay.nanoseconds / 60_000_000_000) min"
                }
            })
    }
}

extension SettingsForm<String> {
    /// Two times of day, such as `23:45-00:45`.
    static var dailyInterval: SettingsForm {
        text("two different times of day such as 23:45-00:45") { DailyInterval($0) != nil }
    }
}

extension DailyInterval {
    /// Reads two times of day; at or before the first, the second is on the next day.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = Duration(timeOfDay: parts[0]),
            let end = Duration(timeOfDay: parts[1]), start != end
        else { return nil }
        self.init(from: start, to: end)
    }
}

extension Duration {
    /// Reads hours and minutes since midnight: `09:05`.
    fileprivate init?(timeOfDay text: Substring) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.isAllDigits }),
            let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours < 24, minutes < 60
        else { return nil }
        self = .minutes(hours * 60 + minutes)
    }
}

extension Substring {
    fileprivate var isAllDigits: Bool { allSatisfy { ("0"..."9").contains($0) } }
}
