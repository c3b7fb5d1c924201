package import TWSProtocol

/// A message that the order manager publishes, and to whom.
package struct OrderNote: Hashable, Sendable {
    /// To whom.
    package let audience: Audience
    /// What.
    package let message: GatewayMessage

    /// The receivers of a message.
    package enum Audience: Hashable, Sendable {
        /// The client whose order it is about, and clients that see all orders.
        case subscribers(of: ClientID)
        /// That client alone.
        case client(ClientID)
        /// That connection alone.
        case connection(ConnectionID)
    }
}

/// The order manager's answers to what is wrong, with the gateway's code and text.
struct OrderRejection: Error, Hashable, Sendable {
    /// The code.
    let code: Int32
    /// The text.
    let text: String

    /// A refusal in the gateway's words.
    init(_ code: Int32, _ text: String) {
        self.code = code
        self.text = text
    }

    /// The request makes no sense.
    static func invalid(_ cause: String) -> OrderRejection {
        OrderRejection(321, "Error validating request.-'bW' : cause - \(cause)")
    }

    /// The broker does not take the order.
    static func rejected(_ reason: String) -> OrderRejection {
        OrderRejection(201, "Order rejected - reason:\(reason)")
    }

    static let duplicateID = OrderRejection(103, "Duplicate order id")
    static let filledAlready = OrderRejection(104, "Cannot modify a filled order.")
    static let otherOrder = OrderRejection(
        105, "Order being modified does not match original order")
    static let offTick = OrderRejection(
        110, "The price does not conform to the minimum price variation for this contract.")
    static let timeAgainstType = OrderRejection(
        111, "The TIF type and the order type are incompatible.")
    static let timeOfAuction = OrderRejection(
        113, "The Tif option should be set to DAY for MOC and LOC orders.")
    static let action = OrderRejection(303, "Invalid action")
    static let autoBind = OrderRejection(
        327,
        "Only API connections with clientId set to 0 can set the auto bind TWS orders property.")
    static let typeChange = OrderRejection(
        329, "Order modify failed. Cannot change to the new order type.")
    static let size = OrderRejection(
        383, "The following order size exceeds the Size Limit of \(OrderManagerSettings.sizeMax).")
    static let type = OrderRejection(
        387, "Unsupported order type for this exchange and security type.")
    static let whatIfUntransmitted = OrderRejection(
        413, "The What-If order should have the transmit flag set to true.")
    static let zeroSize = OrderRejection(434, "The order size cannot be zero.")
    static let noAccount = OrderRejection(435, "You must specify an account.")
    static let algorithm = OrderRejection(
        439, "The order processing failed. Algorithm definition not found.")
    static let algorithmChange = OrderRejection(
        440, "Order modify failed. Algorithm cannot be modified.")
    static let algorithmType = OrderRejection(
        442, "Specified algorithm is not allowed for this order.")
    static let stillProcessed = OrderRejection(
        2102, "Unable to modify this order as it is still being processed.")
    static let noParent = OrderRejection(10006, "Missing parent order.")
    static let fraction = OrderRejection(
        10243, "Fractional-sized order cannot be placed via API. Please consult documentation.")
    static let fractionOfType = OrderRejection(
        10318, "This order doesn't support fractional quantity trading")
    static let groupChange = OrderRejection(10326, "OCA group revision is not allowed.")

    /// Nothing is known of an order that was to be cancelled.
    static func unknownOrder(_ id: APIOrderID) -> OrderRejection {
        OrderRejection(10147, "OrderId \(id) that needs to be cancelled is not found.")
    }

    /// An order that was to be cancelled is over.
    static func orderIsOver(_ id: APIOrderID, _ status: OrderStatus.Status) -> OrderRejection {
        OrderRejection(
            10148,
            "OrderId \(id) that needs to be cancelled cannot be cancelled, state: \(status.word).")
    }

    /// An order that was to be cancelled is being cancelled.
    static func cancelledTwice(_ id: PermID) -> OrderRejection {
        OrderRejection(
            161, "Cancel attempted when order is not in a cancellable state.  Order permId = \(id)")
    }
}
