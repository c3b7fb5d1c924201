import Model
import Primitives
import TWSProtocol

/// Watches that every list comes to its end: one that stays away is a condition with a name of its own.
///
/// The session itself asks again for orders, executions and positions; here the account's values are asked for again.
struct ListReview: Sendable {
    private let account: AccountID
    private let patience: Int64
    private var stalled: [SessionCondition] = []
    /// How often each list was asked for in vain.
    private var counts: [SessionCondition: Int] = [:]
    /// When the account's values are asked for again; `nil` where they are not waited for.
    private var accountDeadline: Timestamp?
    private var hasAccount = false

    /// How long the account's values are waited for before they are asked for again.
    static let answerLimit = Duration.seconds(10)
    /// How often they are asked for before that is an alarm.
    static let askedMax = 4

    /// - Parameter patience: how many times as long answers are waited for.
    init(account: AccountID, patience: Int64) {
        self.account = account
        self.patience = patience
    }

    /// What stays away, in words.
    var words: [String] { stalled.map { "\($0.name) (asked \(counts[$0] ?? 0) times)" } }

    /// Takes in an event of the session.
    mutating func take(_ event: SessionEvent) -> [ConditionReport] {
        switch event {
        case .asked(let answers):
            for condition in answers.compactMap(\.condition) {
                counts[condition, default: 0] += 1
            }
            return []
        case .syncStalled(let missing):
            return missing.compactMap(\.condition).compactMap { began($0) }
        case .answered(let answer): return answer.condition.map { ended($0) } ?? []
        case .disconnected:
            accountDeadline = nil
            let former = stalled
            return former.flatMap { ended($0) }
        default: return []
        }
    }

    /// Takes in that the account's values came to their end.
    mutating func accountEnded() -> [ConditionReport] {
        guard !hasAccount else { return [] }
        hasAccount = true
        accountDeadline = nil
        return ended(.accountValuesMissing)
    }

    /// Takes in that time has passed.
    ///
    /// - Returns: what began, and what is to be asked.
    mutating func review(
        _ link: BrokerLinkState, at now: Timestamp
    ) -> (reports: [ConditionReport], questions: [ClientMessage]) {
        guard !hasAccount, link == .sync || link.isSynchronised else { return ([], []) }
        guard let deadline = accountDeadline else {
            // The engine asks with every connection.
            accountDeadline = now + Self.answerLimit.times(patience)
            counts[.accountValuesMissing] = 1
            return ([], [])
        }
        guard now >= deadline else { return ([], []) }
        let count = counts[.accountValuesMissing, default: 0]
        var reports: [ConditionReport] = []
        if count >= Self.askedMax { reports += began(.accountValuesMissing).map { [$0] } ?? [] }
        counts[.accountValuesMissing] = count + 1
        let limit = count >= Self.askedMax ? Duration.seconds(60) : Self.answerLimit
        accountDeadline = now + limit.times(patience)
        var question = ReqAccountUpdates()
        question.subscribe = true
        question.acctCode = account
        return (reports, [.reqAccountUpdates(question)])
    }

    private mutating func began(_ condition: SessionCondition) -> ConditionReport? {
        guard !stalled.contains(condition) else { return nil }
        stalled.append(condition)
        return ConditionReport(
            condition, isPresent: true, value: Int64(counts[condition] ?? 0))
    }

    private mutating func ended(_ condition: SessionCondition) -> [ConditionReport] {
        counts[condition] = nil
        guard stalled.contains(condition) else { return [] }
        stalled.removeAll { $0 == condition }
        return [ConditionReport(condition, isPresent: false)]
    }
}

extension SyncAnswer {
    /// The condition that it stays away; `nil` for what comes with the link.
    fileprivate var condition: SessionCondition? {
        switch self {
        case .managedAccounts, .nextValidID: nil
        case .openOrders: .openOrdersMissing
        case .completedOrders: .completedOrdersMissing
        case .executions: .executionsMissing
        case .positions: .positionsMissing
        }
    }
}
