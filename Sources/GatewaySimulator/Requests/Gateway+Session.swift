import Primitives
import TWSProtocol

/// What clients ask of the session itself.
extension Gateway {
    /// Answers a request about numbers, accounts, the clock or the connection.
    func handleSession(_ message: ClientMessage, from client: Client) {
        switch message {
        case .reqIds: answers.send(.nextValidId(nextValidId(for: client.id)), to: client.connection)
        case .reqManagedAccts:
            answers.send(.managedAccounts(managedAccounts), to: client.connection)
        case .reqCurrentTime:
            var time = CurrentTime()
            time.time = now.nanoseconds / 1_000_000_000
            answers.send(.currentTime(time), to: client.connection)
        case .reqCurrentTimeInMillis:
            var time = CurrentTimeInMillis()
            time.timeInMillis = now.nanoseconds / 1_000_000
            answers.send(.currentTimeInMillis(time), to: client.connection)
        case .reqUserInfo(let request):
            var info = UserInfo()
            info.reqId = request.reqId
            answers.send(.userInfo(info), to: client.connection)
        case .setServerLogLevel(let request):
            guard case .unknown = request.logLevel else { return }
            answers.report(
                319, "Invalid log level.", about: nil, to: client.connection)
        case .verifyRequest, .verifyMessage, .verifyAndAuthRequest, .verifyAndAuthMessage:
            answers.report(
                321,
                "Error validating request.-'bR' : cause - Intent to authenticate needs to be "
                    + "expressed during initial connect request.",
                about: nil, to: client.connection)
        default: break
        }
    }

    /// The accounts of the login.
    var managedAccounts: ManagedAccounts {
        var message = ManagedAccounts()
        message.accountsList = settings.accounts
        return message
    }

    /// The next number a client may give an order.
    func nextValidId(for client: ClientID) -> NextValidId {
        var message = NextValidId()
        message.orderId = orderManager.nextValidID(for: client)
        return message
    }
}
