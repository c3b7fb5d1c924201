package import Primitives

/// Section `monitoring`: what a session shows of itself, and to whom.
package struct MonitoringSettings: Hashable, Sendable {
    /// How often the portfolio is logged.
    package let portfolioInterval: Duration
    /// What a browser has to show; `nil`: none was chosen.
    package let dashboardToken: Secret?

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        portfolioInterval = section.value(
            "portfolio_log_seconds", .seconds(1...86_400), default: .seconds(60),
            "how often a session logs equity, cash, the day's profit, exposure, positions and open orders"
        )
        dashboardToken = section.reserved {
            $0.optional("dashboard_token", .secret, "what a browser has to show the dashboard")
        }
    }
}

/// Section `alerts`: how people are notified.
package struct AlertSettings: Hashable, Sendable {
    /// What the mail server asks for.
    package let smtpPassword: Secret?
    /// What messages to a webhook are signed with.
    package let webhookSecret: Secret?

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        (smtpPassword, webhookSecret) = section.reserved {
            (
                $0.optional("smtp_password", .secret, "what the mail server asks for"),
                $0.optional(
                    "webhook_secret", .secret, "what messages to a webhook are signed with")
            )
        }
    }
}

/// Section `system`: what belongs to the machine.
package struct SystemSettings: Hashable, Sendable {
    /// The file that secrets came from, as it was written.
    package let secretsFile: SettingsPath?
    /// What a vendor of data asks for.
    package let vendorKey: Secret?
    /// How many days of a session's journal are kept.
    package let journalDays: Int

    /// How many days are kept unless the configuration says otherwise. 85 symbols take less than half a
    /// gigabyte with minute bars, and two with bars of five seconds: an event takes 32 bytes, compressed 10.
    package static let journalDays = 400

    /// The memory that a session may use, in mebibytes.
    package let memoryLimit: Int
    /// How long the loop of a session may not come back before the program is ended and started again.
    package let hangLimit: Duration
    /// What becomes of orders and positions at the end of a session.
    package let exitPolicy: ExitPolicy
    /// How long a session may take to end: until the broker has answered what the policy asks for.
    package let endLimit: Duration

    /// What becomes of orders and positions at the end of a session.
    package enum ExitPolicy: String, CaseIterable, Sendable {
        /// All stays at the broker.
        case leave
        /// Entries are cancelled; positions and what protects them stay.
        case cancelOpen = "cancel_open"
        /// Entries are cancelled and positions closed.
        case flatten
    }

    /// What a session's journal waits for before anything leaves.
    package let journalDurability: JournalDurability

    /// What is waited for before what depends on the journal leaves.
    package enum JournalDurability: String, CaseIterable, Sendable {
        /// The disk has it: it survives a loss of power.
        case full
        /// The system has it: it survives the end of the program, and a loss of power can take the newest.
        case normal
        /// Nothing is waited for: it is written within a tenth of a second, and until then the program's end takes it.
        case off
    }

    /// Reads the section.
    ///
    /// - Note: a journal that is less than durable is for measurements: it is refused where the broker is no simulator.
    init(_ section: inout SettingsReader, mode: TradingMode) {
        let given = section.optional(
            "secrets_file", .text("the path of a file"),
            "a file with secrets, laid out as a configuration; your own, mode 0600")
        let folder = section.folder(of: "secrets_file")
        secretsFile = given.map { SettingsPath(given: $0, folder: folder) }
        vendorKey = section.reserved {
            $0.optional("vendor_api_key", .secret, "what a vendor of data asks for")
        }
        journalDays = section.value(
            "journal_keep_days", .integer(1...36_500, unit: "days"), default: Self.journalDays,
            "how many days of a session's journal are kept; all but the newest are compressed")
        memoryLimit = section.value(
            "memory_limit_mb", .integer(64...1_048_576, unit: "MiB"), default: 2_048,
            "the memory that a session may use: a warning at 70 percent of it, an orderly end at 90"
        )
        let seconds = section.value(
            "hang_limit_seconds", .integer(2...86_400, unit: "seconds"), default: 60,
            "how long a session's loop may hang before the program is ended and started again, halted"
        )
        hangLimit = .seconds(Int64(seconds))
        let policy: ExitPolicy = section.value(
            "exit_policy", .choice(), default: .cancelOpen,
            "what a session that ends does: leaves all at the broker, cancels entries and keeps positions with their protection, or closes positions, too"
        )
        exitPolicy = policy
        let cancelling = section.value(
            "exit_limit_seconds", .integer(1...600, unit: "seconds"), default: 10,
            "how long a session that ends waits for answers to its cancels")
        let closing = section.value(
            "flatten_limit_seconds", .integer(1...3_600, unit: "seconds"), default: 60,
            "how long a session that ends waits until its positions are closed (with `exit_policy: flatten`)"
        )
        endLimit = .seconds(Int64(policy == .flatten ? closing : cancelling))
        journalDurability = section.value(
            "journal_durability", .choice(), default: .full,
            "what the journal waits for before an order leaves; less than full is for measurements, in mode sim only"
        )
        if journalDurability != .full, mode != .sim {
            section.refuse(
                "journal_durability", found: "found \(journalDurability.rawValue)",
                allowed: "full, with trading.mode: \(mode.rawValue)")
        }
    }
}
