import Primitives
import TWSProtocol

/// Which messages a fault takes, and how many of them.
struct MessageSelection: Hashable, Sendable {
    /// The kinds of a client's messages.
    var asked: Set<ClientMessageKind> = []
    /// The kinds of the gateway's messages.
    var sent: Set<GatewayMessageKind> = []
    /// Only of this client.
    var client: ClientID?
    /// Which share of them, 0 to 1.
    var share: Double = 1
    /// After so many the fault is over; `nil` for no bound.
    var times: Int?
}

/// What happens to messages between the socket and the gateway's modules.
enum MessageEffect: Hashable, Sendable {
    /// They are lost.
    case drop
    /// Orders that are placed, changed or cancelled run, but nothing is published about them unless asked for.
    case mute
    /// They come later: after a time drawn from the range, or when they are released (`nil`). Those of
    /// different times change places.
    case delay(ClosedRange<Duration>?)
    /// Those that come while the market is closed wait until it opens.
    case delayUntilOpen
    /// They come so many times more.
    case copy(Int)
    /// The client receives a code instead of an answer.
    case refuse(RefusalWords)
    /// Their prices and sizes are wrong.
    case distort(WrongData)
    /// Other accounts are reported.
    case accounts([String])
}

/// What a client is told whose message is refused.
struct RefusalWords: Hashable, Sendable {
    /// The code.
    let code: Int32
    /// Its text.
    let text: String
    /// The details of a rejection, as JSON; empty without any. Versions before 166 do not have them.
    var advanced = ""
}

/// What brought a fault of messages about.
enum FaultCause: Hashable, Sendable {
    /// A fault of its own.
    case none
    /// The broker is lost.
    case link
    /// A farm is broken.
    case farm(FarmService)
    /// The gateway takes no orders.
    case readOnly
    /// The login has other accounts.
    case accounts
}

/// A fault of messages.
struct MessageRule: Sendable {
    /// Which messages.
    let selection: MessageSelection
    /// What happens to them.
    let effect: MessageEffect
    /// What brought it about, so that it can be ended with it.
    let cause: FaultCause
    /// When it is over.
    let until: Timestamp
    /// How many are left.
    var remaining: Int

    /// Whether the message is one of those, and drawn.
    mutating func takes(
        isOfKind: Bool, client: ClientID, at now: Timestamp, _ random: inout SeededGenerator
    ) -> Bool {
        guard isOfKind, remaining > 0, now < until, selection.client ?? client == client,
            random.happens(selection.share)
        else { return false }
        remaining -= 1
        return true
    }
}

extension MessageSelection {
    /// News of orders.
    static let orderFacts: Set<GatewayMessageKind> = [
        .orderStatus, .openOrder, .execDetails, .commissionAndFeesReport, .orderBound,
    ]

    /// News of positions and accounts.
    static let accountFacts: Set<GatewayMessageKind> = [
        .position, .positionMulti, .accountValue, .portfolioValue, .accountUpdateTime,
        .accountSummary, .accountUpdateMulti, .pnl, .pnlSingle,
    ]

    /// Requests that change orders.
    static let ordering: Set<ClientMessageKind> = [
        .placeOrder, .cancelOrder, .reqGlobalCancel, .exerciseOptions,
    ]

    /// Requests for lists of orders.
    static let listingOrders: Set<ClientMessageKind> = [
        .reqOpenOrders, .reqAllOpenOrders, .reqAutoOpenOrders, .reqCompletedOrders,
    ]

    /// Requests that a gateway passes on to the broker. What it knows of orders itself it reports anyway,
    /// and what is asked of data is answered as when their farms are down.
    static let needsBroker: Set<ClientMessageKind> = [
        .reqCompletedOrders, .reqPositions, .reqPositionsMulti, .reqAccountUpdates,
        .reqAccountUpdatesMulti, .reqAccountSummary, .reqContractDetails, .reqMatchingSymbols,
        .reqPnL, .reqPnLSingle,
    ]
}
