import Model
import Primitives
import Simulation
import TWSProtocol

/// An order as the broker knows it: a thing with an identity that every message about it changes.
final class ManagedOrder {
    /// Its place in the order of arrival, from 1.
    let number: Int64
    /// The account's number of it.
    let permID: PermID
    /// The client that placed it; 0 for orders entered by hand.
    let clientID: ClientID
    /// What it is for.
    let listing: ListedContract
    /// Whether it was entered by hand at the gateway.
    let isManual: Bool
    /// When it came.
    let placedAt: Timestamp
    /// The number its client gave it; 0 or less for orders entered by hand.
    var orderID: APIOrderID
    /// What was asked for, under the terms now in force.
    var request: PlaceOrder
    /// Which way it goes.
    let side: Side
    /// How much it is for, under the terms now in force.
    var quantity: Quantity
    /// How it is worked, under the terms now in force.
    var plan: OrderPlan

    /// How far it has come.
    var stage = Stage.untransmitted
    /// Whether its cancellation is under way.
    var isCancelAsked = false
    /// Whether a modification is under way.
    var isModificationAsked = false
    /// How much of it is filled.
    var filled = Quantity.zero
    /// The sum of price times quantity of its fills, in units of both.
    var notional: Int128 = 0
    /// When it reached the broker, or its terms last changed there.
    var workingSince: Timestamp
    /// The price of its first fill.
    var firstPrice = Price.zero
    /// The price of its last fill.
    var lastPrice = Price.zero
    /// What others of its group have taken from it.
    var taken = Quantity.zero
    /// What its fills cost so far.
    var costs = OrderCosts()
    /// The sum of its commissions.
    var commission = Money.zero
    /// When it works no more by itself; `nil` for never.
    var expires: Timestamp?
    /// When it ended.
    var endedAt: Timestamp?
    /// How it ended, as people read it.
    var endText = ""

    /// The order it hangs on.
    var parent: ManagedOrder?
    /// The orders that hang on it, oldest first.
    var children: [ManagedOrder] = []
    /// Its group.
    var group: OrderGroup?
    /// What of it is at the venue.
    var work: VenueWork?
    /// What it has seen of the market.
    var monitor = OrderMonitor()
    /// The instruments whose market it watches, its own first.
    var monitored: [InstrumentID] = []

    /// The hours it works in, those of now or the next ones, as they were last asked for.
    var window: OrderSessionHours.Window?
    /// When it is looked at next.
    var nextLook: Timestamp?
    /// Whether shares to borrow are sought.
    var isLocating = false
    /// Whether it books the exercise of an option, which costs nothing.
    var isExercise = false
    /// Whether it was transmitted and waits for the broker to be reached.
    var isWithheld = false
    /// Whether something of it could not be reported yet.
    var isUnreported = false
    /// Its status as last published.
    var lastReported: OrderStatus?
    /// Whether it is among those whose state may have to be published.
    var isTouched = false
    /// Whether it is among those whose work at the venue may have to change.
    var isStale = false

    /// How far an order has come.
    enum Stage: String, Codable, Sendable {
        /// At the gateway, not transmitted. To `underWay`, or `apiCancelled`.
        case untransmitted = "held"
        /// Sent, not acknowledged. To `accepted`, `inactive` or `cancelled`.
        case underWay
        /// At the broker. To `filled` or `cancelled`.
        case accepted
        /// Refused by the broker; a modification sends it again.
        case inactive
        /// All of it is filled. Last.
        case filled
        /// What was left is cancelled. Last.
        case cancelled
        /// Cancelled at the gateway, before it was sent. Last.
        case apiCancelled

        /// Whether it is over.
        var isOver: Bool {
            switch self {
            case .untransmitted, .underWay, .accepted, .inactive: false
            case .filled, .cancelled, .apiCancelled: true
            }
        }
    }

    /// An order that has just come.
    init(
        _ terms: CheckedOrder, number: Int64, permID: PermID, clientID: ClientID,
        isManual: Bool, at timestamp: Timestamp
    ) {
        self.number = number
        self.permID = permID
        self.clientID = clientID
        self.isManual = isManual
        listing = terms.listing
        side = terms.side
        quantity = terms.quantity
        request = terms.request
        plan = terms.plan
        orderID = terms.request.orderId
        placedAt = timestamp
        workingSince = timestamp
        monitored = [terms.listing.id]
    }

    /// The instrument.
    var instrument: InstrumentID { listing.id }

    /// Its terms now in force.
    var terms: CheckedOrder {
        CheckedOrder(
            request: request, listing: listing, side: side, quantity: quantity, plan: plan)
    }

    /// What it is for at present: its quantity less what its group took.
    var total: Quantity { max(quantity - taken, .zero) }

    /// What is left of it.
    var remaining: Quantity { max(total - filled, .zero) }

    /// How much of it may be filled in all, as far as its parent has come.
    var released: Quantity {
        guard let parent, parent.filled < parent.quantity else { return quantity }
        guard parent.filled > .zero else { return .zero }
        // In whole shares, as the broker releases them.
        let part = Int128(quantity.units) * Int128(parent.filled.units)
        return Quantity(units: Int64(clamping: part / Int128(parent.quantity.units))).wholeShares
    }

    /// What of it may be filled now and is not.
    var due: Quantity { max(min(released, quantity) - taken - filled, .zero) }

    /// Whether it waits for its parent.
    var isWaitingForParent: Bool { parent != nil && released == .zero }

    /// The average price of its fills, to the nearest unit; zero before the first.
    var averagePrice: Price {
        guard filled > .zero else { return .zero }
        return Price(
            units: Int64(clamping: notional.dividedHalfToEven(by: Int128(filled.units))))
    }

    /// Its account.
    var account: AccountID { request.order.account }
}

/// What of an order is at the venue, reckoned along with the venue.
struct VenueWork {
    /// The venue's number of it.
    let id: OrderID
    /// How it works there.
    var intent: VenueIntent
    /// The quantity the venue was given.
    var quantity: Quantity
    /// What it filled there.
    var filled = Quantity.zero
    /// What its group took there.
    var taken: Quantity
    /// The venue's group.
    let group: Int?

    /// What it may still fill there.
    var leavesQuantity: Quantity { quantity - filled - taken }
}

/// How an order should work at the venue.
struct VenueIntent: Hashable {
    /// How it finds its price.
    var type: OrderType
    /// For how long, as far as that is the venue's to know.
    var time = TimeInForce.goodTillCancelled
    /// Whether it works outside regular hours.
    var outside = false
    /// How much.
    var quantity: Quantity

    /// Whether an order that works so can be changed to work like `other`.
    func canBecome(_ other: VenueIntent) -> Bool {
        guard time == other.time, outside == other.outside else { return false }
        switch (type, other.type) {
        case (.limit, .limit), (.stop, .stop), (.stopLimit, .stopLimit): return true
        default: return type == other.type
        }
    }
}

/// Orders of which one takes the place of the others.
final class OrderGroup {
    /// Its name, with the account's in front.
    let key: String
    /// What a fill does to the others.
    let type: OCAType
    /// Those that are not over, oldest first.
    var members: [ManagedOrder] = []
    /// What all of it has filled.
    var filled = Quantity.zero
    /// The group's groups at the venue, one an instrument. There only while something of it works.
    var atVenue: [InstrumentID: VenueGroup] = [:]

    /// A group at the venue.
    struct VenueGroup {
        /// The venue's number of it.
        let number: Int
        /// What its orders have filled.
        var filled = Quantity.zero
        /// How many of its orders work.
        var count = 0

        /// Notes a fill, up to more than any order is for.
        mutating func fill(_ quantity: Quantity) {
            filled = min(filled + quantity, OrderGroup.filledMax)
        }
    }

    /// As much as is counted: what nothing is left of afterwards, however large.
    fileprivate static let filledMax = Quantity(shares: 1_000 * OrderManagerSettings.sizeMax)

    /// Notes a fill, up to more than any order is for.
    func fill(_ quantity: Quantity) { filled = min(filled + quantity, Self.filledMax) }

    /// A group nobody is in.
    init(key: String, type: OCAType) {
        self.key = key
        self.type = type
    }

    /// Whether only one of its orders can trade at a time.
    var blocks: Bool {
        switch type {
        case .cancelWithBlock, .reduceWithBlock: true
        case .none, .reduceWithoutBlock, .unknown: false
        }
    }
}
