import Primitives
import TWSProtocol

/// A subscription to a summary of all accounts.
struct AccountSummaries: Sendable {
    /// Who.
    let connection: ConnectionID
    /// Under which number.
    let reqId: RequestID
    /// Which values.
    let tags: [String]
    /// Which currencies.
    let ledger: LedgerChoice
    /// The values that were published.
    var published = PublishedValues()

    /// Which values by currency a summary has.
    enum LedgerChoice: Hashable, Sendable {
        /// None.
        case none
        /// The sum.
        case base
        /// The sum and each.
        case all
        /// One.
        case currency(String)

        func contains(_ currency: String) -> Bool {
            switch self {
            case .none: false
            case .base: currency == "BASE"
            case .all: true
            case .currency(let only): currency == only
            }
        }
    }
}

extension AccountService {
    private static let summariesMax = 2

    /// Begins a summary subscription. The same number again replaces it.
    mutating func answer(
        _ request: ReqAccountSummary, from client: Client, at now: Timestamp, _ view: AccountView,
        into answers: inout Answers
    ) {
        let tags = request.tags.split(separator: ",").map { $0.filter { $0 != " " } }
            .filter { !$0.isEmpty }
        let fault =
            if tags.isEmpty {
                "Tags cannot be null"
            } else if request.group.isEmpty {
                "Group name cannot be null"
            } else if request.group != "All" {
                "Group name is invalid"
            } else {
                String?.none
            }
        if let fault { return refuse(fault, request.reqId, client, &answers) }
        summaries.removeAll { $0.connection == client.connection && $0.reqId == request.reqId }
        guard summaries.count(where: { $0.connection == client.connection }) < Self.summariesMax
        else {
            return answers.report(
                322,
                "Error processing request.-'b4' : cause - Maximum number of account summary "
                    + "requests exceeded; desubscribe to previous request first",
                about: request.reqId.rawValue, to: client.connection)
        }
        mark(view)
        var subscription = AccountSummaries(
            connection: client.connection, reqId: request.reqId,
            tags: tags.filter { !$0.hasPrefix("$LEDGER") }, ledger: Self.choice(of: tags))
        publish(&subscription, ledgers.map { $0.rows(at: now) }, into: &answers)
        summaries.append(subscription)
        var end = AccountSummaryEnd()
        end.reqId = request.reqId
        answers.send(.accountSummaryEnd(end), to: client.connection)
    }

    private static func choice(of tags: [String]) -> AccountSummaries.LedgerChoice {
        guard let tag = tags.last(where: { $0.hasPrefix("$LEDGER") }) else { return .none }
        guard let colon = tag.firstIndex(of: ":") else { return .base }
        let currency = String(tag[tag.index(after: colon)...])
        return currency == "ALL" ? .all : .currency(currency)
    }

    /// Publishes what is new of a summary: words, then amounts, then values by currency.
    func publish(
        _ subscription: inout AccountSummaries, _ rows: [[AccountRow]], into answers: inout Answers
    ) {
        for (index, rows) in rows.enumerated() {
            let account = ledgers[index].settings.account
            let requested = rows.compactMap { row in
                row.isLedger ? nil : subscription.tag(of: row).map { (row, $0) }
            }
            let words = requested.filter { $0.0.currency.isEmpty }
            let amounts = requested.filter { !$0.0.currency.isEmpty }
            for (row, tag) in words + amounts {
                subscription.publish(row, as: tag, of: account, account, into: &answers)
            }
            // On a login with one account the values by currency are those of all.
            let shown = ledgers.count == 1 ? AccountID("All") : account
            for row in rows where row.isLedger && subscription.ledger.contains(row.currency) {
                subscription.publish(row, as: row.key, of: account, shown, into: &answers)
            }
        }
    }
}

extension AccountSummaries {
    /// Under which of the tags asked for a value goes; `Leverage` is that of securities.
    fileprivate func tag(of row: AccountRow) -> String? {
        if tags.contains(row.key) { return row.key }
        return row.key == "Leverage-S" && tags.contains("Leverage") ? "Leverage" : nil
    }

    fileprivate mutating func publish(
        _ row: AccountRow, as tag: String, of account: AccountID, _ shown: AccountID,
        into answers: inout Answers
    ) {
        guard published.isNews(row, of: account) else { return }
        var summary = AccountSummary()
        summary.reqId = reqId
        summary.account = shown
        (summary.tag, summary.value, summary.currency) = (tag, row.value, row.currency)
        answers.send(.accountSummary(summary), to: connection)
    }
}
