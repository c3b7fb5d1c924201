package import Configuration
package import Primitives

/// Whether a session may order with money: everything has to hold, in this order.
///
/// A pure value: it is evaluated from facts, and the first that is missing is the refusal.
package struct Arming: Hashable, Sendable {
    // MARK: Said three times

    /// The mode that a file of the configuration says; `nil` where none does.
    package var fileMode: TradingMode?
    /// True if the command line has `--live`.
    package var hasLiveOption = false
    /// `ibkr.account_id`.
    package var account: String?
    /// The account in the environment's `ARM_LIVE`, or as it was typed.
    package var typedAccount: String?

    // MARK: The gateway

    /// The gateway's port.
    package var port: Int
    /// The accounts of the gateway's login; `nil` before it was asked.
    package var managedAccounts: [String]?

    // MARK: Limits

    /// True if the configuration limits losses and positions.
    package var hasLimits = false
    /// The most that one order may be worth.
    package var orderCap: Money
    /// The capital that the program may use.
    package var capital: Money
    /// Why one order may be worth more than a quarter of it; `nil` without such a decision.
    package var capReason: String?

    // MARK: What was before

    /// The newest session of the journal; `nil` for a new one.
    package var lastSession: ListedSession?
    /// By what this session would decide.
    package var version: SessionVersion
    /// The sessions that are shown as evidence.
    package var evidence: [ListedSession] = []
    /// Why this version may trade without a paper session; `nil` without such a decision.
    package var evidenceReason: String?

    // MARK: People

    /// True if a test message of an alert channel was answered.
    package var hasAnsweredAlert = false
    /// The arming that is recorded; `nil` for none.
    package var grant: Grant?
    /// The time of day.
    package var now: Timestamp

    /// An arming as it was recorded.
    package struct Grant: Hashable, Sendable {
        /// The account.
        package var account: String
        /// By what the armed session decides.
        package var version: SessionVersion
        /// When it was armed.
        package var at: Timestamp

        /// An arming of a version for an account.
        package init(account: String, version: SessionVersion, at: Timestamp) {
            self.account = account
            self.version = version
            self.at = at
        }
    }

    /// Facts of which none permits anything.
    package init(
        port: Int, orderCap: Money, capital: Money, version: SessionVersion, now: Timestamp
    ) {
        self.port = port
        self.orderCap = orderCap
        self.capital = capital
        self.version = version
        self.now = now
    }

    /// The share of the capital that one order may be worth.
    package static let capShare = Percent(25)

    /// The first condition that does not hold; `nil` where all do.
    package var refusal: ArmingRefusal? {
        statementRefusal ?? gatewayRefusal ?? limitRefusal ?? historyRefusal ?? versionRefusal
            ?? peopleRefusal
    }

    private var statementRefusal: ArmingRefusal? {
        if fileMode != .live { return .modeNotInFile }
        if !hasLiveOption { return .noOption }
        guard let account else { return .noAccount }
        guard let typedAccount else { return .notTyped }
        return typedAccount == account ? nil : .otherTyped
    }

    private var gatewayRefusal: ArmingRefusal? {
        if GatewaySettings.App.allCases.contains(where: { $0.port(for: .paper) == port }) {
            return .paperPort
        }
        guard let account, TradingMode.live.permits(account: account) else { return .paperAccount }
        guard let managedAccounts else { return .accountsUnread }
        guard managedAccounts.allSatisfy({ TradingMode.live.permits(account: $0) }) else {
            return .paperLogin
        }
        return managedAccounts.contains(account) ? nil : .otherLogin
    }

    private var limitRefusal: ArmingRefusal? {
        if !hasLimits { return .noLimits }
        guard capReason.isBlank else { return nil }
        guard let most = Self.capShare.of(ExactMoney(capital)), ExactMoney(orderCap) <= most else {
            return .orderCap
        }
        return nil
    }

    private var historyRefusal: ArmingRefusal? {
        guard let lastSession else { return nil }
        if lastSession.finished == nil { return .unclean }
        if lastSession.unknownOrders > 0 { return .unknownOrders }
        if lastSession.latched > 0 { return .latched }
        return lastSession.criticalAlarms > 0 ? .criticalAlarms : nil
    }

    private var versionRefusal: ArmingRefusal? {
        guard evidenceReason.isBlank else { return nil }
        let isShown = evidence.contains {
            $0.mode == .paper && $0.finished != nil && $0.wholeDays > 0 && $0.version == version
        }
        return isShown ? nil : .noPaperSession
    }

    private var peopleRefusal: ArmingRefusal? {
        if !hasAnsweredAlert { return .noAlertChannel }
        guard let grant else { return nil }
        let isOfThis = grant.account == account && grant.version == version
        return isOfThis && grant.at <= now && now < Self.expiry(of: grant.at) ? nil : .expired
    }

    /// When an arming expires: at the weekly login, Sunday at one in the morning in New York.
    package static func expiry(of time: Timestamp) -> Timestamp {
        let day = NewYork.day(at: time)
        var login = day.advanced(by: (7 - day.weekday.rawValue) % 7)
        if NewYork.timestamp(on: login, at: .hours(1)) <= time { login = login.advanced(by: 7) }
        return NewYork.timestamp(on: login, at: .hours(1))
    }
}

extension Optional<String> {
    /// True where nobody has said anything.
    fileprivate var isBlank: Bool { self?.allSatisfy(\.isWhitespace) ?? true }
}

/// Why a session may not order with money.
package enum ArmingRefusal: Hashable, CaseIterable, Sendable {
    /// No file of the configuration says so.
    case modeNotInFile
    /// The command line does not.
    case noOption
    /// The configuration names no account.
    case noAccount
    /// Nobody has typed the account.
    case notTyped
    /// Another account was typed.
    case otherTyped
    /// The port is one of paper accounts.
    case paperPort
    /// The account is a paper account.
    case paperAccount
    /// The gateway was not asked for its accounts.
    case accountsUnread
    /// The login has a paper account.
    case paperLogin
    /// The login does not have the account.
    case otherLogin
    /// The configuration does not limit losses or positions.
    case noLimits
    /// One order may be worth too much.
    case orderCap
    /// The last session did not end in order.
    case unclean
    /// It left orders of which it is not known what became of them.
    case unknownOrders
    /// It left symbols latched.
    case latched
    /// It gave critical alarms.
    case criticalAlarms
    /// No paper session of this version is shown.
    case noPaperSession
    /// Nobody would be alerted.
    case noAlertChannel
    /// What was armed has changed, or the week is over.
    case expired

    /// The reason, and what to do.
    package var words: String {
        switch self {
        case .modeNotInFile:
            "trading.mode: live is not in a file of the configuration: write it there."
        case .noOption: "the command line does not say --live."
        case .noAccount: "ibkr.account_id does not name the account."
        case .notTyped:
            "the account was not typed: type it when asked, or set ARM_LIVE to it in the environment."
        case .otherTyped:
            "the account that was typed, or is in ARM_LIVE, is not that of ibkr.account_id."
        case .paperPort: "ibkr.port is by convention a paper account's."
        case .paperAccount: "ibkr.account_id is a paper account: it begins with D."
        case .accountsUnread: "the gateway has not said which accounts its login has."
        case .paperLogin: "the gateway's login has a paper account: log in with the other one."
        case .otherLogin: "the gateway's login does not have the account of ibkr.account_id."
        case .noLimits:
            "limits are missing: set risk.limits: on with risk.max_daily_loss_pct, risk.max_daily_loss_usd or "
                + "risk.max_drawdown_pct, and risk.max_position_pct or risk.max_position_usd."
        case .orderCap:
            "one order may be worth more than a quarter of account.starting_capital: lower risk.max_position_pct or "
                + "risk.max_position_usd, or give --cap-reason with the reason."
        case .unclean: "the last session of the journal did not end in order: look at why."
        case .unknownOrders:
            "the last session of the journal left orders of which it is not known what became of them."
        case .latched:
            "the last session of the journal left symbols latched: look at them (martlet ctl clear)."
        case .criticalAlarms:
            "the last session of the journal gave critical alarms: look at them (martlet ctl decisions)."
        case .noPaperSession:
            "no paper session of this program, configuration and strategies has gone through a day of the market: "
                + "run one and name its journal with --paper-journal, or give --untested-reason with the reason."
        case .noAlertChannel:
            "no alert channel has answered a test message, and this version has no alerts yet: nobody would be "
                + "notified. Mode live is not possible before."
        case .expired:
            "the arming has expired, as program, configuration or account have changed, or the week is over."
        }
    }
}
