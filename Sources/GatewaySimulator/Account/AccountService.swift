package import Primitives
package import TWSProtocol

/// The accounts of a login and their subscribers.
package struct AccountService: Sendable {
    /// The ledgers, in the order of the login's accounts.
    package internal(set) var ledgers: [AccountLedger]

    /// The subscribers to one account's values and positions; at most one subscription each.
    var updates: [AccountUpdates] = []
    /// The subscribers to summaries; at most two each.
    var summaries: [AccountSummaries] = []
    /// The subscribers to all positions, and what was published to them.
    var positions: [PositionUpdates] = []
    /// The subscribers to values by account and model.
    var multiUpdates: [MultiUpdates] = []
    /// The subscribers to profits.
    var profits: [ProfitUpdates] = []

    /// When the day that ledgers are in ends.
    private var dayEnd = Timestamp.distantPast
    private var nextRefresh: Timestamp
    private var nextProfit: Timestamp

    /// What happens to an account, other than its fills.
    package enum Change: Hashable, Sendable {
        /// A fill, or the correction of one.
        case fill(AccountFill)
        /// What an execution cost.
        case commission(Money, execution: String)
        /// An execution is taken back.
        case bust(String)
        /// `new` for each `old`.
        case split(InstrumentID, new: Int64, old: Int64)
        /// A dividend for each share.
        case dividend(InstrumentID, perShare: Price)
        /// Money in, or out when it is negative.
        case cash(CashPotMovement.Cause, Money, currency: String)
    }

    /// Accounts that traded nothing yet.
    package init(accounts: [GatewayAccountSettings], at timestamp: Timestamp) {
        self.init(
            ledgers: accounts.map { AccountLedger(settings: $0, at: timestamp) }, at: timestamp)
    }

    /// Accounts as their ledgers stand.
    package init(ledgers: [AccountLedger], at timestamp: Timestamp) {
        self.ledgers = ledgers
        nextRefresh = Self.next(Self.refreshInterval, after: timestamp)
        nextProfit = Self.next(Self.profitInterval, after: timestamp)
    }

    /// How often changed values are published (IBKR, "Account Updates").
    package static let refreshInterval = Duration.minutes(3)
    /// How often changed profits are published (IBKR, "Profit And Loss (P&L)").
    package static let profitInterval = Duration.seconds(1)

    /// The ledger of an account; `none` names the first.
    package func ledger(of account: AccountID) -> AccountLedger? {
        index(of: account).map { ledgers[$0] }
    }

    /// Books what happened to an account, and notifies who is subscribed at once.
    ///
    /// - Returns: the profit of what a fill closed, commission deducted; `nil` where it closed nothing.
    @discardableResult
    package mutating func book(
        _ change: Change, for account: AccountID, at now: Timestamp, _ view: AccountView,
        into answers: inout Answers
    ) throws(AccountFault) -> Money? {
        guard let index = index(of: account) else { throw .unknownAccount(account) }
        var profit: Money?
        switch change {
        case .fill(let fill): profit = try ledgers[index].book(fill)
        case .commission(let money, let execution):
            profit = try ledgers[index].charge(money, for: execution)
        case .bust(let execution): try ledgers[index].bust(execution)
        case .split(let instrument, let new, let old):
            try ledgers[index].split(instrument, new, for: old)
        case .dividend(let instrument, let perShare):
            try ledgers[index].payDividend(perShare, on: instrument, at: now)
        case .cash(let cause, let amount, let currency):
            try ledgers[index].book(
                CashPotMovement(cause: cause, amount: amount, currency: currency, time: now))
        }
        mark(view)
        publishPositions(view, into: &answers)
        refresh(at: now, view, into: &answers)
        return profit
    }

    /// Lets time pass: ledgers begin new days, and who is subscribed receives what changed when it is due.
    package mutating func advance(
        to now: Timestamp, _ view: AccountView, into answers: inout Answers
    ) {
        if now >= dayEnd { beginDay(at: now, view) }
        let isRefreshDue = now >= nextRefresh
        let isProfitDue = now >= nextProfit
        if isRefreshDue { nextRefresh = Self.next(Self.refreshInterval, after: now) }
        if isProfitDue { nextProfit = Self.next(Self.profitInterval, after: now) }
        guard isRefreshDue || isProfitDue && !profits.isEmpty else { return }
        mark(view)
        if isRefreshDue { refresh(at: now, view, into: &answers) }
        if isProfitDue { publishProfits(view, into: &answers) }
    }

    private mutating func beginDay(at now: Timestamp, _ view: AccountView) {
        let day = NewYork.day(at: now)
        dayEnd = NewYork.timestamp(on: day.advanced(by: 1), at: .zero)
        guard ledgers.contains(where: { $0.today < day }) else { return }
        mark(view)
        for index in ledgers.indices { ledgers[index].advance(to: now) }
    }

    /// A connection ended: nothing is published to it any more.
    package mutating func forget(_ connection: ConnectionID) {
        updates.removeAll { $0.connection == connection }
        summaries.removeAll { $0.connection == connection }
        positions.removeAll { $0.connection == connection }
        multiUpdates.removeAll { $0.connection == connection }
        profits.removeAll { $0.connection == connection }
    }

    /// Values all ledgers at the market.
    mutating func mark(_ view: AccountView) {
        for index in ledgers.indices { ledgers[index].mark(price: view.price, rate: view.rate) }
    }

    /// The place of an account; `none` names the first.
    func index(of account: AccountID) -> Int? {
        guard account != .none else { return ledgers.isEmpty ? nil : 0 }
        return ledgers.firstIndex { $0.settings.account == account }
    }

    /// Publishes what changed of values.
    private mutating func refresh(
        at now: Timestamp, _ view: AccountView, into answers: inout Answers
    ) {
        guard !updates.isEmpty || !summaries.isEmpty || !multiUpdates.isEmpty else { return }
        let rows = ledgers.map { $0.rows(at: now) }
        for index in updates.indices {
            publish(&updates[index], rows, at: now, view, into: &answers)
        }
        for index in summaries.indices { publish(&summaries[index], rows, into: &answers) }
        for index in multiUpdates.indices { publish(&multiUpdates[index], rows, into: &answers) }
    }

    private static func next(_ interval: Duration, after timestamp: Timestamp) -> Timestamp {
        let length = interval.nanoseconds
        return Timestamp(nanoseconds: (timestamp.nanoseconds / length + 1) * length)
    }
}

/// What was published to a client of an account's values: only others are published again.
struct PublishedValues: Sendable {
    private struct Name: Hashable, Sendable {
        let account: AccountID
        let key: String
        let currency: String
    }

    private var values: [Name: String] = [:]

    /// Whether a value is news; from now on it is none.
    mutating func isNews(_ row: AccountRow, of account: AccountID) -> Bool {
        let name = Name(account: account, key: row.key, currency: row.currency)
        guard values[name] != row.value else { return false }
        values[name] = row.value
        return true
    }
}
