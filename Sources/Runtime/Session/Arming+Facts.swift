package import Configuration
import Foundation
import Glibc
import Model
import Primitives

extension Arming {
    /// What is said outside the configuration.
    package struct Statements: Sendable {
        /// The mode that a file of the configuration says; `nil` where none does.
        package var fileMode: TradingMode?
        /// True if the command line has `--live`.
        package var hasLiveOption = false
        /// The account in the environment's `ARM_LIVE`, or as it was typed.
        package var typedAccount: String?
        /// Why one order may be worth more than a quarter of the capital.
        package var capReason: String?
        /// Why this version may trade without a paper session.
        package var evidenceReason: String?
        /// The journal's folder of a paper session.
        package var paperJournal: String?
        /// The journal's folder of the session.
        package var journal: String?

        /// Nothing.
        package init() {}
    }

    /// The facts of a configuration and of what is said beside it; the gateway was not asked yet.
    package init(_ settings: Settings, _ statements: Statements) throws(RunFailure) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        self.init(
            port: settings.ibkr.port, orderCap: settings.orderCap,
            capital: settings.account.startingCapital,
            version: SessionVersion(settings, program: try SessionStart.programDigest()),
            now: Timestamp(seconds: Int64(time.tv_sec)))
        fileMode = statements.fileMode
        hasLiveOption = statements.hasLiveOption
        account = settings.ibkr.accountID
        typedAccount = statements.typedAccount
        let losses = settings.risk.losses
        hasLimits =
            settings.risk.limits != nil
            && (losses.dailyPercent != nil || losses.dailyAmount != nil
                || losses.drawdownPercent != nil)
        capReason = statements.capReason
        evidenceReason = statements.evidenceReason
        lastSession = statements.journal.flatMap { SessionHistory(folder: $0).sessions.last }
        evidence = statements.paperJournal.map { SessionHistory(folder: $0).sessions } ?? []
    }
}

extension Settings {
    /// The most that one order may open: the limits of a position hold it.
    fileprivate var orderCap: Money {
        let capital = account.startingCapital
        guard let limits = risk.limits else { return capital }
        let share = limits.maxPositionPercent.of(ExactMoney(capital))?.rounded() ?? capital
        return limits.maxPositionValue.map { min($0, share) } ?? share
    }
}
