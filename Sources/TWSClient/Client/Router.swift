import Primitives
import TWSProtocol

/// What a message belongs to: a numbered request, or one of the questions that have no number.
enum Route: Hashable, Sendable {
    /// A numbered request.
    case request(RequestID)
    /// A question without a number: its answers are recognised by their kind.
    case topic(Topic)
    /// What an order asks.
    case order(APIOrderID)
}

/// Questions without a number.
enum Topic: Hashable, Sendable {
    case currentTime
    case currentTimeInMillis
    case managedAccounts
    case nextValidID
    case openOrders
    case completedOrders
    case commissions
    case positions
    case accountUpdates
    case scannerParameters
    case newsProviders
    case newsBulletins
    case familyCodes
    case depthExchanges
    case marketRule(Int32)
    case advisor
}

/// Somebody who waits for messages of one route.
struct Listener: Sendable {
    /// Takes a message; true when nothing more is wanted.
    let receive: @Sendable (GatewayMessage) -> Bool
    /// Handles a notice about the request; true when nothing more is wanted.
    let notice: @Sendable (Notice, CodeReading) -> Bool
    /// The connection ended; true when nothing more is wanted.
    let disconnected: @Sendable (SessionFault) -> Bool
}

/// Who waits for what. Value type; `GatewayClient` keeps it under its lock.
struct Router: Sendable {
    private var listeners: [Route: [(id: Int, listener: Listener)]] = [:]
    private var nextListener = 0
    private var nextRequest = Self.firstRequest

    /// Request numbers begin far above order numbers, since errors name both in one field.
    static let firstRequest: Int32 = 1 << 30

    /// A request number not used before in this process.
    mutating func newRequest() -> RequestID {
        nextRequest =
            nextRequest >= ClientSession.firstOwnRequest - 1
            ? Self.firstRequest : nextRequest + 1
        return RequestID(rawValue: nextRequest)
    }

    /// Adds a listener.
    ///
    /// - Returns: its number, for `remove`.
    mutating func add(_ listener: Listener, to route: Route) -> Int {
        nextListener += 1
        listeners[route, default: []].append((nextListener, listener))
        return nextListener
    }

    /// Removes a listener; true when it was there.
    mutating func remove(_ id: Int, from route: Route) -> Bool {
        guard let index = listeners[route]?.firstIndex(where: { $0.id == id }) else { return false }
        listeners[route]?.remove(at: index)
        if listeners[route]?.isEmpty == true { listeners[route] = nil }
        return true
    }

    /// The listeners of a route, oldest first.
    func listeners(of route: Route) -> [(id: Int, listener: Listener)] { listeners[route] ?? [] }

    /// Every route that somebody listens to, numbered ones in the order of their numbers.
    var routes: [Route] { Array(listeners.keys) }
}
