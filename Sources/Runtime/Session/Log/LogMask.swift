import Configuration
import TWSProtocol

/// Hides account numbers and secrets in text that people see: the one place where that is done.
struct LogMask: Sendable {
    private let accounts: [String]
    private let secrets: [String]

    /// Hides what a configuration keeps secret, and the account.
    ///
    /// - Parameter account: the account that is traded, where it is known.
    init(_ settings: Settings, account: String?) {
        let known = [account, settings.ibkr.accountID].compactMap(\.self)
        accounts = known.filter { $0.count > 4 }
        secrets = [
            settings.monitoring.dashboardToken, settings.alerts.smtpPassword,
            settings.alerts.webhookSecret, settings.system.vendorKey,
        ].compactMap { $0?.revealed }.filter { !$0.isEmpty }
    }

    /// The text with `***` for each secret, and `DU***67` for an account.
    func hiding(in text: String) -> String {
        var shown = text
        for secret in secrets { shown = shown.replacing(secret, with: "***") }
        for account in accounts {
            shown = shown.replacing(account, with: AccountID(account).redacted)
        }
        return AccountText.redacted(shown)
    }
}
