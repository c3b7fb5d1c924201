package import Primitives

/// Section `logging`: what is written down while a session runs.
package struct LoggingSettings: Hashable, Sendable {
    /// The least important entries that are written.
    package let level: Level
    /// The folder of the files.
    package let directory: SettingsPath
    /// What an entry looks like.
    package let format: Format

    /// How important an entry is.
    package enum Level: String, CaseIterable, Sendable {
        /// Every step.
        case trace
        /// What helps to find a fault.
        case debug
        /// What happened.
        case info
        /// What seldom happens.
        case notice
        /// What may become a fault.
        case warning
        /// What failed.
        case error
        /// What stops the session.
        case critical
    }

    /// What an entry looks like.
    package enum Format: String, CaseIterable, Sendable {
        /// A line for people.
        case text
        /// A JSON object on a line.
        case json
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        self = section.reserved(for: "run") { LoggingSettings(reading: &$0) }
    }

    private init(reading section: inout SettingsReader) {
        level = section.value(
            "level", .choice(), default: .info, "the least important entries that are written")
        let given = section.optional(
            "directory", .text("the path of a folder"),
            "where the files go; default: logs in the working directory")
        let folder = given == nil ? "" : section.folder(of: "directory")
        directory = SettingsPath(given: given ?? "logs", folder: folder)
        format = section.value("format", .choice(), default: .text, "what an entry looks like")
    }
}

/// Section `monitoring`: who may look at a session.
package struct MonitoringSettings: Hashable, Sendable {
    /// What a browser has to show; `nil`: none was chosen.
    package let dashboardToken: Secret?

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        dashboardToken = section.reserved(for: "run") {
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
        (smtpPassword, webhookSecret) = section.reserved(for: "run") {
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

    /// How many days are kept unless the configuration says otherwise. At about 27 bytes a bar, 85 symbols take less
    /// than half a gigabyte with minute bars, and five with bars of five seconds, before they are compressed.
    package static let journalDays = 400

    /// The memory that a session may use, in mebibytes.
    package let memoryLimit: Int
    /// How long the loop of a session may not come back before the program is ended and started again.
    package let hangLimit: Duration

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        let given = section.optional(
            "secrets_file", .text("the path of a file"),
            "a file with secrets, laid out as a configuration; your own, mode 0600")
        let folder = section.folder(of: "secrets_file")
        secretsFile = given.map { SettingsPath(given: $0, folder: folder) }
        vendorKey = section.reserved(for: "data download") {
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
    }
}
