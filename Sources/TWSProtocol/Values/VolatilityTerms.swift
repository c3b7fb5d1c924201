/// An option order by volatility, and the order that hedges its delta.
public struct VolatilityTerms: FieldRecord {
    /// The volatility in percent.
    public var volatility: DecimalValue?
    /// The volatility's period.
    public var volatilityType: VolatilityType?
    /// The type of the order that hedges. The attributes of that order travel only where there is one.
    public var deltaNeutralOrderType = WireOrderType.none
    /// The price of the order that hedges, where its type takes one.
    public var deltaNeutralAuxPrice: DecimalValue?
    /// The instrument that hedges.
    public var deltaNeutralConId: ContractID = 0
    /// The hedging order's settling firm.
    public var deltaNeutralSettlingFirm = ""
    /// The hedging order's clearing account.
    public var deltaNeutralClearingAccount = AccountID.none
    /// The hedging order's clearing intent.
    public var deltaNeutralClearingIntent = ""
    /// Whether the hedging order opens or closes.
    public var deltaNeutralOpenClose = OpenClose.none
    /// Whether the hedging order sells short.
    public var deltaNeutralShortSale = false
    /// Where its shares are borrowed.
    public var deltaNeutralShortSaleSlot = ShortSaleSlot.none
    /// The place, where the slot asks for one.
    public var deltaNeutralDesignatedLocation = ""
    /// Whether the price follows the stock.
    public var continuousUpdate = false
    /// The stock price it is reckoned from.
    public var referencePriceType: ReferencePriceType?

    /// With nothing set.
    public init() {}

    /// As orders and open orders have them.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        head(&coder)
        coder.only(if: deltaNeutralOrderType != .none) {
            $0.id("deltaNeutralConId", &deltaNeutralConId, or: 0)
            $0.text("deltaNeutralSettlingFirm", &deltaNeutralSettlingFirm)
            $0.account("deltaNeutralClearingAccount", &deltaNeutralClearingAccount)
            $0.text("deltaNeutralClearingIntent", &deltaNeutralClearingIntent)
            $0.word("deltaNeutralOpenClose", &deltaNeutralOpenClose)
            shortSale(&$0)
        }
        tail(&coder)
    }

    /// With four attributes of the hedging order only: completed orders.
    mutating func completedFields(_ coder: inout some FieldCoder & ~Copyable) {
        head(&coder)
        coder.only(if: deltaNeutralOrderType != .none) {
            $0.id("deltaNeutralConId", &deltaNeutralConId, or: 0)
            shortSale(&$0)
        }
        tail(&coder)
    }

    private mutating func head(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("volatility", &volatility, .empty)
        coder.code("volatilityType", &volatilityType, .empty)
        coder.word("deltaNeutralOrderType", &deltaNeutralOrderType)
        coder.double("deltaNeutralAuxPrice", &deltaNeutralAuxPrice, .empty)
    }

    private mutating func shortSale(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("deltaNeutralShortSale", &deltaNeutralShortSale)
        coder.code("deltaNeutralShortSaleSlot", &deltaNeutralShortSaleSlot, or: .none)
        coder.text("deltaNeutralDesignatedLocation", &deltaNeutralDesignatedLocation)
    }

    private mutating func tail(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("continuousUpdate", &continuousUpdate)
        coder.code("referencePriceType", &referencePriceType, .empty)
    }
}
