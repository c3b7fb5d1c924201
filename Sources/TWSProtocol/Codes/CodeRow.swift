/// How much a code weighs.
///
/// None of them says that an order is dead, because no code does: only its status and its executions
/// do. A code that was taken for a refusal has made programs send an order again that was alive.
public enum CodeKind: String, Hashable, CaseIterable, Sendable {
    /// For the log.
    case information
    /// Something to know; the order or request goes on.
    case warning
    /// What was asked for was refused, as far as a code can show.
    case reject
    /// The session ends.
    case fatal
    /// The link to the broker or to its data changed.
    case connectivity
    /// A code that no table has: as a warning, and the order it names is asked after.
    case unknown
}

/// What a code is about, and with it to what the message's id refers.
public enum CodeScope: String, Hashable, CaseIterable, Sendable {
    /// An order.
    case order
    /// A change of an order, whose id it is; the order itself stays as it was.
    case change
    /// The cancel of an order, whose id it is.
    case cancel
    /// A request.
    case request
    /// A running subscription, by the id of its request.
    case subscription
    /// An order or a request, whichever has the id.
    case orderOrRequest = "order-or-request"
    /// The account or its updates; no id.
    case account
    /// The whole session; no id.
    case session
    /// One kind of data service; no id.
    case farm
    /// A call that never left this program.
    case call
}

/// Which data service a code is about.
public enum FarmKind: Hashable, Sendable {
    /// Quotes, trades and order books.
    case marketData
    /// Bars and ticks of the past.
    case history
    /// Contracts.
    case securityDefinition
}

/// How a data service is.
public enum FarmState: Hashable, Sendable {
    /// Connected and working.
    case ok
    /// Disconnected: what comes from it is stale.
    case broken
    /// Not connected because nobody asks; it connects on demand.
    case inactive
    /// Being connected: data may be missing.
    case connecting
}

/// What a code changes, beyond its kind.
///
/// There is no case for the end of an order, on purpose.
public enum CodeEffect: Hashable, Sendable {
    /// Nothing.
    case none
    /// What was asked for was refused: a request is over and its place free. What became of an order
    /// only its status shows.
    case rejected
    /// The order goes on as it was.
    case orderStays
    /// The order is kept back, by the broker or until somebody confirms it.
    case orderWaits
    /// The order works on other terms than were sent: its open order lists them.
    case orderAltered
    /// The broker cancelled the order, at our wish or its own; its status confirms it.
    case cancelReported
    /// The order's id was too low: take a higher one and send once more.
    case takeHigherOrderID
    /// The change came too early: send it again shortly.
    case retryChange
    /// The child came before its parent: send it again after it.
    case resendAfterParent
    /// There was nothing to cancel.
    case alreadyGone
    /// All places are taken: end something first.
    case freeSlot
    /// The subscription goes on; a part of it is missing.
    case subscriptionStays
    /// The subscription goes on with delayed data.
    case delayedFollows
    /// There are only delayed data, which have to be asked for.
    case askForDelayed
    /// The subscription has ended and has to be made anew, in some cases after a cancel of the old one.
    case subscriptionTerminated(cancelFirst: Bool)
    /// Both sides of the book are void; the subscription goes on.
    case clearOrderBook
    /// History was asked for too often: let it rest.
    case backOff
    /// Messages leave too fast; at the third such code the session ends.
    case slowDown
    /// Account updates go to another subscription now.
    case accountUpdatesStopped
    /// The gateway lost the broker.
    case upstreamLost
    /// The gateway has the broker again; without the data kept every subscription is void.
    case upstreamRestored(dataKept: Bool)
    /// A data service changed.
    case farm(FarmKind, FarmState)
    /// Data stop until a session elsewhere ends.
    case dataStopped
    /// Another client has our id; the gateway closes the connection.
    case clientIDInUse
    /// There is no connection to the gateway.
    case notConnected
    /// The gateway ends the session.
    case sessionEnds

    /// Whether the link's own state hangs on it, so that no file may change the code's meaning.
    var belongsToLink: Bool {
        switch self {
        case .slowDown, .upstreamLost, .upstreamRestored, .farm, .dataStopped, .clientIDInUse,
            .notConnected, .sessionEnds:
            true
        case .none, .rejected, .orderStays, .orderWaits, .orderAltered, .cancelReported,
            .takeHigherOrderID, .retryChange, .resendAfterParent, .alreadyGone, .freeSlot,
            .subscriptionStays, .delayedFollows, .askForDelayed, .subscriptionTerminated,
            .clearOrderBook,
            .backOff, .accountUpdatesStopped:
            false
        }
    }
}

/// What is known of a code, or of each code of a range.
public struct CodeRow: Hashable, Sendable {
    /// The codes it speaks of.
    public let codes: ClosedRange<Int>
    /// How much they weigh.
    public let kind: CodeKind
    /// What they are about.
    public let scope: CodeScope
    /// What they change.
    public let effect: CodeEffect
    /// What an owner should do, in a sentence.
    public let advice: String

    /// A row of a user's. Its effect follows from its kind: a refusal for `reject`, the session's end
    /// for `fatal`, otherwise none.
    public init(_ codes: ClosedRange<Int>, _ kind: CodeKind, _ scope: CodeScope, advice: String) {
        let effect: CodeEffect =
            switch kind {
            case .reject: .rejected
            case .fatal: .sessionEnds
            case .information, .warning, .connectivity, .unknown: .none
            }
        self.init(codes, kind, scope, effect, advice)
    }

    init(
        _ codes: ClosedRange<Int>, _ kind: CodeKind, _ scope: CodeScope, _ effect: CodeEffect,
        _ advice: String
    ) {
        self.codes = codes
        self.kind = kind
        self.scope = scope
        self.effect = effect
        self.advice = advice
    }
}
