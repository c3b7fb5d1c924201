/// The legs of a combination; empty for every other instrument.
public struct ComboTerms: FieldRecord {
    /// The legs.
    public var comboLegs: [OrderComboLeg] = []
    /// The prices of the legs, where they have their own.
    public var orderComboLegs: [OrderComboLegPrice] = []
    /// How the combination is routed.
    public var smartComboRoutingParams: [TagValue] = []

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.list("comboLegs", &comboLegs)
        coder.list("orderComboLegs", &orderComboLegs)
        coder.list("smartComboRoutingParams", &smartComboRoutingParams)
    }
}

/// One leg of a combination that is ordered.
public struct OrderComboLeg: FieldRecord {
    /// The leg's instrument.
    public var conId: ContractID = 0
    /// How many of it in one combination.
    public var ratio: Int32 = 1
    /// Bought or sold when the combination is bought.
    public var action = OrderAction.none
    /// Where the leg goes.
    public var exchange = ""
    /// Whether the leg opens or closes.
    public var openClose = LegOpenClose.same
    /// Where its shares are borrowed.
    public var shortSaleSlot = ShortSaleSlot.none
    /// The place, where the slot asks for one.
    public var designatedLocation = ""
    /// The exemption from the rule on short sales; -1 for none.
    public var exemptCode: Int32 = -1

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("conId", &conId, or: 0)
        coder.integer("ratio", &ratio, or: 0)
        coder.word("action", &action)
        coder.text("exchange", &exchange)
        coder.code("openClose", &openClose, or: .same)
        coder.code("shortSaleSlot", &shortSaleSlot, or: .none)
        coder.text("designatedLocation", &designatedLocation)
        coder.integer("exemptCode", &exemptCode, or: -1)
    }
}

/// The price of one leg.
public struct OrderComboLegPrice: FieldRecord {
    /// The price; `nil` where the leg has none of its own.
    public var price: DecimalValue?

    /// With nothing set.
    public init() {}

    /// The price.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("price", &price, .empty)
    }
}

extension DeltaNeutralContract {
    /// Whether there is one, then its fields: orders of all three kinds.
    static func fields(
        of contract: inout DeltaNeutralContract?, _ coder: inout some FieldCoder & ~Copyable
    ) {
        var hasContract = contract != nil
        coder.flag("deltaNeutralContract", &hasContract)
        guard hasContract else {
            contract = nil
            return
        }
        var present = contract ?? DeltaNeutralContract()
        present.fields(&coder)
        contract = present
    }
}
