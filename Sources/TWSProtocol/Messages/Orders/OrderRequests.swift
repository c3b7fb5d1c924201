/// Asks for an order to be cancelled. It may fill until the answer shows otherwise.
public struct CancelOrder: FieldRecord {
    /// The order's number.
    public var orderId: APIOrderID = 0
    /// When a person asked for it.
    public var manualOrderCancelTime = WireTime.none
    /// Who asked for it, where exchanges want to know.
    public var extOperator = ""
    /// Whether a person asked for it: 1, or 0 for a machine.
    public var manualOrderIndicator: Int32?

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.until(192) { $0.constant("1") }
        coder.id("orderId", &orderId)
        coder.since(169) { $0.time("manualOrderCancelTime", &manualOrderCancelTime) }
        // Three fields of requests for quotes, in three versions only.
        coder.during(187..<190) {
            $0.constant("")
            $0.constant("")
            $0.constant("2147483647")
        }
        coder.since(192) {
            $0.text("extOperator", &extOperator)
            $0.integer("manualOrderIndicator", &manualOrderIndicator, .sentinel)
        }
    }
}

/// Asks for every order of the login to be cancelled, protective and manual ones included.
public struct ReqGlobalCancel: FieldRecord {
    /// Who asked for it, where exchanges want to know.
    public var extOperator = ""
    /// Whether a person asked for it: 1, or 0 for a machine.
    public var manualOrderIndicator: Int32?

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.until(192) { $0.constant("1") }
        coder.since(192) {
            $0.text("extOperator", &extOperator)
            $0.integer("manualOrderIndicator", &manualOrderIndicator, .sentinel)
        }
    }
}

/// Asks for this client's open orders; client 0 binds manual ones with it.
public struct ReqOpenOrders: FieldRecord {
    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// Asks for every client's open orders, once.
public struct ReqAllOpenOrders: FieldRecord {
    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// Asks for orders entered by hand to be bound to client 0 from now on; other clients get 327.
public struct ReqAutoOpenOrders: FieldRecord {
    /// Whether they are bound.
    public var autoBind = false

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.flag("autoBind", &autoBind)
    }
}

/// Asks for the orders that ended today.
public struct ReqCompletedOrders: FieldRecord {
    /// Only those placed by programs.
    public var apiOnly = false

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("apiOnly", &apiOnly)
    }
}

/// Asks for the lowest order number that may be used.
public struct ReqIds: FieldRecord {
    /// Not looked at by gateways.
    public var numIds: Int32 = 1

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.integer("numIds", &numIds, or: 1)
    }
}

/// Exercises options, or lets them lapse.
public struct ExerciseOptions: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The option; without `primaryExchange`.
    public var contract = Contract()
    /// What is to happen.
    public var exerciseAction = ExerciseAction.exercise
    /// How many contracts.
    public var exerciseQuantity: Int32 = 0
    /// The account that holds them.
    public var account = AccountID.none
    /// Whether to go against what would happen by itself, such as exercising out of the money.
    public var override = false
    /// When a person asked for it.
    public var manualOrderTime = WireTime.none
    /// The customer behind an omnibus account.
    public var customerAccount = AccountID.none
    /// Whether that customer is a professional.
    public var professionalCustomer = false

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("2")
        coder.id("reqId", &reqId)
        contract.fieldsWithoutPrimaryExchange(&coder)
        coder.code("exerciseAction", &exerciseAction)
        coder.integer("exerciseQuantity", &exerciseQuantity)
        coder.account("account", &account)
        coder.flag("override", &override)
        coder.since(180) { $0.time("manualOrderTime", &manualOrderTime) }
        coder.since(183) { $0.account("customerAccount", &customerAccount) }
        coder.since(184) { $0.flag("professionalCustomer", &professionalCustomer) }
    }
}
