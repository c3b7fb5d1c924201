import GatewaySimulator
import Primitives
import TWSProtocol

/// Accounts without a gateway around them, at prices of a test's own.
final class AccountRig {
    private var service: AccountService
    private var answers = Answers()
    private var received: [ConnectionID: [GatewayMessage]] = [:]
    private var connectionCount = 0
    /// The session clock.
    private(set) var now = GatewayRig.start
    /// What instruments are valued at.
    var prices: [InstrumentID: Price] = [:]
    /// The contracts there are.
    var listing: [ContractID: Contract] = [:]

    /// Accounts of a million dollars each.
    init(accounts: [AccountID] = ["DU1234567"]) {
        service = AccountService(accounts: accounts.map(GatewayAccountSettings.init), at: now)
    }

    private var view: AccountView {
        AccountView(
            price: { [prices] in prices[$0] }, rate: { _ in nil },
            contract: { [listing] in listing[$0] })
    }

    /// A new client.
    func begin() -> AccountClient {
        connectionCount += 1
        return AccountClient(rig: self, connection: ConnectionID(number: connectionCount))
    }

    /// Lets time pass in steps.
    func pass(_ time: Duration, step: Duration = .milliseconds(250)) {
        let end = now + time
        while now < end {
            now = min(end, now + step)
            service.advance(to: now, view, into: &answers)
            deliver()
        }
    }

    /// Books what happens to an account.
    func change(_ account: AccountID = .none, by change: AccountService.Change) throws {
        try service.book(change, for: account, at: now, view, into: &answers)
        deliver()
    }

    fileprivate func send(_ message: ClientMessage, from connection: ConnectionID) {
        let client = Client(connection: connection, id: 1, version: .newest)
        service.answer(message, from: client, at: now, view, into: &answers)
        deliver()
    }

    fileprivate func leave(_ connection: ConnectionID) { service.forget(connection) }

    fileprivate func messages(to connection: ConnectionID) -> [GatewayMessage] {
        received[connection] ?? []
    }

    fileprivate func take(to connection: ConnectionID) -> [GatewayMessage] {
        received.removeValue(forKey: connection) ?? []
    }

    private func deliver() {
        for answer in answers.take(at: now) {
            received[answer.connection, default: []].append(answer.message)
        }
    }
}

/// Somebody who asks of accounts.
struct AccountClient {
    let rig: AccountRig
    let connection: ConnectionID

    /// Asks.
    func send(_ message: ClientMessage) { rig.send(message, from: connection) }

    /// Ends the connection.
    func leave() { rig.leave(connection) }

    /// Everything it was told and did not take.
    var messages: [GatewayMessage] { rig.messages(to: connection) }

    /// Takes what it was told since the last time.
    @discardableResult func take() -> [GatewayMessage] { rig.take(to: connection) }

    /// The codes it was told, in order.
    var codes: [Int32] {
        messages.compactMap {
            guard case .error(let error) = $0 else { return nil }
            return error.errorCode
        }
    }
}
