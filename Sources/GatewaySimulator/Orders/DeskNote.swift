package import TWSProtocol

/// Something the desk has to say, and to whom.
package struct DeskNote: Hashable, Sendable {
    /// To whom.
    package let audience: Audience
    /// What.
    package let message: GatewayMessage

    /// To whom something is said.
    package enum Audience: Hashable, Sendable {
        /// The client whose order it is about, and clients that see all orders.
        case watchers(of: ClientID)
        /// That client alone.
        case client(ClientID)
        /// That connection alone.
        case connection(ConnectionID)
    }
}

/// The desk's answers to what is wrong, with the gateway's code and text.
struct DeskRefusal: Error, Hashable, Sendable {
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
    static func invalid(_ cause: String) -> DeskRefusal {
        DeskRefusal(321, "Error validating request.-'bW' : cause - \(cause)")
    }

    /// The broker does not take the order.
    static func rejected(_ reason: String) -> DeskRefusal {
        DeskRefusal(201, "Order rejected - reason:\(reason)")
    }

    static let duplicateID = DeskRefusal(103, "Duplicate order id")
    static let filledAlready = DeskRefusal(104, "Cannot modify a filled order.")
    static let otherOrder = DeskRefusal(
        105, "Order being modified does not match original order")
    static let offTick = DeskRefusal(
        110, "The price does not conform to the minimum price variation for this contract.")
    static let timeAgainstType = DeskRefusal(
        111, "The TIF type and the order type are incompatible.")
    static let timeOfAuction = DeskRefusal(
        113, "The Tif option should be set to DAY for MOC and LOC orders.")
    static let action = DeskRefusal(303, "Invalid action")
    static let autoBind = DeskRefusal(
        327,
        "Only API connections with clientId set to 0 can set the auto bind TWS orders property.")
    static let typeChange = DeskRefusal(
        329, "Order modify failed. Cannot change to the new order type.")
    static let size = DeskRefusal(
        383, "The following order size exceeds the Size Limit of \(DeskSettings.sizeMax).")
    static let type = DeskRefusal(
        387, "Unsupported order type for this exchange and security type.")
    static let whatIfHeld = DeskRefusal(
        413, "The What-If order should have the transmit flag set to true.")
    static let zeroSize = DeskRefusal(434, "The order size cannot be zero.")
    static let noAccount = DeskRefusal(435, "You must specify an account.")
    static let algorithm = DeskRefusal(
        439, "The order processing failed. Algorithm definition not found.")
    static let algorithmChange = DeskRefusal(
        440, "Order modify failed. Algorithm cannot be modified.")
    static let algorithmType = DeskRefusal(
        442, "Specified algorithm is not allowed for this order.")
    static let stillProcessed = DeskRefusal(
        2102, "Unable to modify this order as it is still being processed.")
    static let noParent = DeskRefusal(10006, "Missing parent order.")
    static let fraction = DeskRefusal(
        10243, "Fractional-sized order cannot be placed via API. Please consult documentation.")
    static let fractionOfType = DeskRefusal(
        10318, "This order doesn't support fractional quantity trading")
    static let groupChange = DeskRefusal(10326, "OCA group revision is not allowed.")

    /// Nothing is known of an order that was to be cancelled.
    static func unknownOrder(_ id: APIOrderID) -> DeskRefusal {
        DeskRefusal(10147, "OrderId \(id) that needs to be cancelled is not found.")
    }

    /// An order that was to be cancelled is over.
    static func orderIsOver(_ id: APIOrderID, _ status: OrderStatus.Status) -> DeskRefusal {
        DeskRefusal(
            10148,
            "OrderId \(id) that needs to be cancelled cannot be cancelled, state: \(status.word).")
    }

    /// An order that was to be cancelled is being cancelled.
    static func cancelledTwice(_ id: PermID) -> DeskRefusal {
        DeskRefusal(
            161, "Cancel attempted when order is not in a cancellable state.  Order permId = \(id)")
    }
}
