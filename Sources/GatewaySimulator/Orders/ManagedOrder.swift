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
    /// Whether the broker has made it, to liquidate.
    var isLiquidation = false
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
    /// What its group and its parent have taken from it.
    var taken = Quantity.zero
    /// What its fills cost so far.
    var costs = OrderCosts()
    /// The sum of its commissions.
    var commission = Money.zero
    /// When it ends, if its time in force does not end it before: the end of the duration it names.
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
    /// What the broker has of it, as it was told last; `nil`: nothing.
    var sent: SentOrder?
    /// Whether none of it works since its parent has filled nothing.
    var isWaitingForParent = false
    /// What it has seen of the market.
    var monitor = OrderMonitor()
    /// The instruments whose market it watches, its own first.
    var monitored: [InstrumentID] = []

    /// The hours it works in, those of now or the next ones, as they were last asked for.
    var window: TradingWindow?
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
    /// Whether it is among those of which the broker may have to be told.
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

    /// The average price of its fills, to the nearest unit; zero before the first.
    var averagePrice: Price {
        guard filled > .zero else { return .zero }
        return Price(
            units: Int64(clamping: notional.dividedHalfToEven(by: Int128(filled.units))))
    }

    /// Its account.
    var account: AccountID { request.order.account }
}

/// An order as the broker has it.
struct SentOrder: Hashable {
    /// What it is for, under its number.
    let ticket: OrderTicket
    /// What else holds for it.
    let terms: BrokerTerms
}

/// Orders of which one takes the place of the others.
final class OrderGroup {
    /// Its name, with the account's in front.
    let key: String
    /// What a fill does to the others.
    let rule: BrokerTerms.GroupRule
    /// The broker's number of it.
    let number: Int
    /// Those that are not over, oldest first.
    var members: [ManagedOrder] = []
    /// Whether something of it has filled.
    var hasFilled = false

    /// A group nobody is in.
    init(key: String, rule: BrokerTerms.GroupRule, number: Int) {
        self.key = key
        self.rule = rule
        self.number = number
    }
}

extension BrokerTerms.GroupRule {
    /// The rule of an OCA type; orders that name none reduce each other without block, as gateways have it.
    init(_ type: OCAType) {
        switch type {
        case .cancelWithBlock: self = .cancelWithBlock
        case .reduceWithBlock: self = .reduceWithBlock
        case .none, .reduceWithoutBlock, .unknown: self = .reduceWithoutBlock
        }
    }
}
