import Primitives
public import TWSProtocol

/// An account's values and positions at one moment.
public struct AccountSnapshot: Hashable, Sendable {
    /// The values: cash, margins, totals, by key and currency.
    public internal(set) var values: [WireAccountValue] = []
    /// The positions with their worth.
    public internal(set) var positions: [PortfolioValue] = []
    /// When the values were taken: hour and minute of the gateway's clock.
    public internal(set) var time = ""

    /// A value as a number; `nil` where there is none, or it is no number.
    ///
    /// - Parameter currency: `nil` takes the value whose currency is not `BASE`, the first of several.
    public func number(_ key: String, currency: String? = nil) -> DecimalValue? {
        values.first { value in
            value.key == key
                && (currency.map { $0 == value.currency } ?? (value.currency != "BASE"))
        }.flatMap { DecimalValue($0.value) }
    }
}

/// A change of an account.
public enum AccountUpdate: Hashable, Sendable {
    /// A value.
    case value(WireAccountValue)
    /// A position with its worth; 0 of it when it was closed.
    case position(PortfolioValue)
    /// When the values were taken: hour and minute of the gateway's clock.
    case time(String)
    /// The first set is complete.
    case complete(AccountID)
}

extension AccountUpdate {
    /// The change in a message about `account`; all where that is empty.
    init?(_ message: GatewayMessage, of account: AccountID) {
        func isOurs(_ other: AccountID) -> Bool {
            account == .none || other == .none || other == account
        }
        switch message {
        case .accountValue(let value) where isOurs(value.accountName): self = .value(value)
        case .portfolioValue(let value) where isOurs(value.accountName): self = .position(value)
        case .accountUpdateTime(let time): self = .time(time.timeStamp)
        case .accountDownloadEnd(let end) where isOurs(end.accountName):
            self = .complete(end.accountName)
        default: return nil
        }
    }
}

extension GatewayClient {
    /// The accounts of the login, asked anew; `accounts` has those reported at the session's begin.
    public func managedAccounts() async throws -> [AccountID] {
        let question = Question("managed accounts", topic: .managedAccounts) { _ in
            .reqManagedAccts(ReqManagedAccts())
        }
        return try await call(question, into: ()) { _, message in
            if case .managedAccounts(let answer) = message {
                .done(answer.accountsList)
            } else {
                .more
            }
        }
    }

    /// An account's values and positions now.
    ///
    /// A gateway reports one account at a time: another one's `accountUpdates` end with it.
    ///
    /// - Parameter account: may be left out where the login has one only.
    public func accountSnapshot(_ account: AccountID = .none) async throws -> AccountSnapshot {
        try await calls.gate.alone(.accountUpdates) {
            var question = accountQuestion(account)
            question.goesOn = true
            return try await call(question, into: AccountSnapshot()) { snapshot, message in
                switch AccountUpdate(message, of: account) {
                case .value(let value): snapshot.put(value)
                case .position(let position): snapshot.put(position)
                case .time(let time): snapshot.time = time
                case .complete: return .done(snapshot)
                case nil: break
                }
                return .more
            }
        }
    }

    /// An account's values and positions as they change: all of them first, then what changed, every
    /// three minutes and after each fill. None is dropped.
    ///
    /// - Parameter account: may be left out where the login has one only.
    public func accountUpdates(_ account: AccountID = .none) -> Subscription<AccountUpdate> {
        subscribe(accountQuestion(account), .neverDrops(capacity: settings.orderCapacity)) {
            AccountUpdate($0, of: account)
        }
    }

    private func accountQuestion(_ account: AccountID) -> Question {
        func message(_ subscribes: Bool) -> ClientMessage {
            var message = ReqAccountUpdates()
            message.subscribe = subscribes
            message.acctCode = account
            return .reqAccountUpdates(message)
        }
        let (begin, end) = (message(true), message(false))
        return Question("account updates", topic: .accountUpdates) { _ in
            begin
        } ending: { _ in
            end
        }
    }

    /// Values of all accounts now.
    ///
    /// - Parameter tags: which values: see `SummaryTag`.
    public func accountSummary(
        _ tags: [String] = SummaryTag.all, group: String = "All"
    ) async throws -> [AccountSummary] {
        var question = summaryQuestion(tags, group)
        question.goesOn = true
        return try await list(question) { message in
            switch message {
            case .accountSummary(let value): .row(value)
            case .accountSummaryEnd: .end
            default: .other
            }
        }
    }

    /// Values of all accounts as they change: all of them first, then what changed, every three minutes.
    /// Two such subscriptions at a time. None is dropped.
    public func accountSummaryUpdates(
        _ tags: [String] = SummaryTag.all, group: String = "All"
    ) -> Subscription<AccountSummary> {
        subscribe(
            summaryQuestion(tags, group), .neverDrops(capacity: settings.orderCapacity)
        ) { message in
            if case .accountSummary(let value) = message { value } else { nil }
        }
    }

    private func summaryQuestion(_ tags: [String], _ group: String) -> Question {
        let tags = tags.joined(separator: ",")
        return Question("account summary") { request in
            var message = ReqAccountSummary()
            message.reqId = request
            message.group = group
            message.tags = tags
            return .reqAccountSummary(message)
        } ending: { request in
            var message = CancelAccountSummary()
            message.reqId = request
            return .cancelAccountSummary(message)
        }
    }
}

extension AccountSnapshot {
    /// The newest of a key and currency counts.
    fileprivate mutating func put(_ value: WireAccountValue) {
        let same = values.firstIndex {
            $0.key == value.key && $0.currency == value.currency
                && $0.accountName == value.accountName
        }
        if let same { values[same] = value } else { values.append(value) }
    }

    /// The newest of an instrument counts.
    fileprivate mutating func put(_ position: PortfolioValue) {
        let same = positions.firstIndex {
            $0.contract.conId == position.contract.conId
                && $0.accountName == position.accountName
        }
        if let same { positions[same] = position } else { positions.append(position) }
    }
}

/// Values of an account summary.
public enum SummaryTag {
    /// All values besides cash by currency.
    public static let all = [
        "AccountType", "NetLiquidation", "TotalCashValue", "SettledCash", "AccruedCash",
        "BuyingPower", "EquityWithLoanValue", "GrossPositionValue", "InitMarginReq",
        "MaintMarginReq", "AvailableFunds", "ExcessLiquidity", "Cushion", "FullInitMarginReq",
        "FullMaintMarginReq", "FullAvailableFunds", "FullExcessLiquidity", "LookAheadNextChange",
        "LookAheadInitMarginReq", "LookAheadMaintMarginReq", "LookAheadAvailableFunds",
        "LookAheadExcessLiquidity", "HighestSeverity", "DayTradesRemaining", "Leverage",
    ]
    /// Cash in the base currency.
    public static let ledger = "$LEDGER"
    /// Cash in all currencies.
    public static let ledgerOfAll = "$LEDGER:ALL"

    /// Cash in one currency.
    public static func ledger(of currency: String) -> String { "$LEDGER:\(currency)" }
}
