import Primitives
package import TWSProtocol

/// What clients ask of their accounts.
extension Gateway {
    /// Answers a request about values, positions, profits, families or an advisor's groups.
    func handleAccount(_ message: ClientMessage, from client: Client) {
        accounts.answer(message, from: client, at: now, accountView, into: &answers)
    }

    /// Books what happened to an account; who is subscribed receives it behind what was published before.
    ///
    /// - Returns: the profit of what a fill closed, commission deducted; `nil` where it closed nothing.
    @discardableResult
    func book(
        _ change: AccountService.Change, for account: AccountID = .none
    ) throws(AccountFault) -> Money? {
        let profit = try accounts.book(
            change, for: account, at: now, accountView, into: &answers)
        stateRevision += 1
        return profit
    }

    /// Books what somebody else than a client did to an account: the broker, or its owner by hand.
    package func change(
        _ account: AccountID = .none, by change: AccountService.Change
    ) throws(AccountFault) {
        try book(change, for: account)
        flush()
    }

    /// What the accounts see of the other modules.
    var accountView: AccountView {
        AccountView(of: contracts, price: { [weak self] in self?.mark($0) })
    }
}
