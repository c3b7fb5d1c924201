/// An order's attributes under IBKR's names, with the defaults of IBKR's own clients.
///
/// An attribute an order was given travels or stops the message: one that the agreed version or the
/// kind of order does not carry is refused when it is written. Builders that allow only what goes
/// together are in `Orders/`.
public struct Order: Hashable, Sendable {
    // MARK: What every order sets

    /// Buys or sells.
    public var action = OrderAction.none
    /// How much, in shares or contracts; fractions where the account may.
    public var totalQuantity: DecimalValue?
    /// How it finds its price.
    public var orderType = WireOrderType.none
    /// The worst price it takes, for types with a limit.
    public var lmtPrice: DecimalValue?
    /// The price that releases it, the trailing amount, or the offset of a pegged type.
    public var auxPrice: DecimalValue?
    /// How long it works. Set it: an empty one gets the gateway's preset (10349).
    public var tif = WireTimeInForce.none
    /// The account it trades for.
    public var account = AccountID.none
    /// The client's own text; comes back with every report about the order.
    public var orderRef = ""

    // MARK: How it works

    /// Whether the gateway sends it on; false keeps it there until another order of its family is sent.
    public var transmit = true
    /// The order it hangs on; 0 for none.
    public var parentId: APIOrderID = 0
    /// Whether it works outside regular hours, too.
    public var outsideRth = false
    /// Which prices release it.
    public var triggerMethod = TriggerMethod.standard
    /// When it begins to work, in UTC or with a zone.
    public var goodAfterTime = WireTime.none
    /// When it ends, for that time in force; in UTC or with a zone.
    public var goodTillDate = WireTime.none
    /// How many seconds it works.
    public var duration: Int32?
    /// The group in which one order cancels or reduces the others.
    public var ocaGroup = ""
    /// What a fill does to the others of the group.
    public var ocaType = OCAType.none
    /// A trailing stop's price at the start, later its price now.
    public var trailStopPrice: DecimalValue?
    /// A trailing stop's distance in percent; excludes an amount in `auxPrice`.
    public var trailingPercent: DecimalValue?
    /// A relative order's offset as a fraction of the price.
    public var percentOffset: DecimalValue?
    /// The amount of money to trade instead of a quantity.
    public var cashQty: DecimalValue?
    /// The broker's algorithm that works the order; empty for none.
    public var algoStrategy = ""
    /// The algorithm's parameters.
    public var algoParams: [TagValue] = []
    /// The algorithm's name at the client.
    public var algoId = ""
    /// What must hold before it works.
    public var conditions: [OrderCondition] = []
    /// Whether conditions are looked at outside regular hours, too.
    public var conditionsIgnoreRth = false
    /// Whether the conditions cancel the order instead of releasing it.
    public var conditionsCancelOrder = false
    /// Whether only margin and costs are asked for; nothing is ordered then.
    public var whatIf = false
    /// Whether its parent is cancelled with it.
    public var autoCancelParent = false

    // MARK: How it is shown and filled

    /// A block order for the ISE exchange.
    public var blockOrder = false
    /// Takes the best prices of all exchanges at once.
    public var sweepToFill = false
    /// The size shown in the book; 0 for all of it.
    public var displaySize: Int32? = 0
    /// Not shown in the book.
    public var hidden = false
    /// How far beyond its limit it may trade.
    public var discretionaryAmt: DecimalValue = .zero
    /// Whether a pegged order may trade up to its limit.
    public var discretionaryUpToLimitPrice = false
    /// All at once or nothing.
    public var allOrNone = false
    /// The smallest fill that is taken.
    public var minQty: Int32?
    /// Whether sizes vary.
    public var randomizeSize = false
    /// Whether prices vary.
    public var randomizePrice = false
    /// Whether the broker caps the price; `nil` leaves it to the gateway's setting.
    public var usePriceMgmtAlgo: Bool?
    /// Leaves time and price to the broker.
    public var notHeld = false
    /// Routes directly instead of by the broker's choice.
    public var optOutSmartRouting = false
    /// How long it stays on the broker's own venue, in its units.
    public var postToAts: Int32?
    /// Whether the overnight session counts, too.
    public var includeOvernight = false
    /// Whether it trades against an auction's imbalance only.
    public var imbalanceOnly = false

    // MARK: Whose it is

    /// A customer's or the firm's.
    public var origin = OrderOrigin.customer
    /// Whether it opens or closes; institutions only.
    public var openClose = OpenClose.none
    /// The advisor's model it belongs to.
    public var modelCode = ""
    /// The letter of the exchange's old rule 80A.
    public var rule80A = ""
    /// The firm that settles; institutions only.
    public var settlingFirm = ""
    /// The account it clears to; institutions only.
    public var clearingAccount = AccountID.none
    /// Where it clears: `IB`, `Away` or `PTA`.
    public var clearingIntent = ""
    /// The customer behind an omnibus account.
    public var customerAccount = AccountID.none
    /// Whether that customer is a professional.
    public var professionalCustomer = false
    /// Whether a broker advised it.
    public var solicited = false
    /// Who enters it, where exchanges ask for that.
    public var extOperator = ""
    /// When a person entered it.
    public var manualOrderTime = WireTime.none
    /// Whether a person entered it: 1, or 0 for a machine.
    public var manualOrderIndicator: Int32?
    /// The codes of refusals (201) that are accepted on a second try.
    public var advancedErrorOverride = ""
    /// Whether the gateway's bound on prices far from the market is off.
    public var overridePercentageConstraints = false
    /// What it hedges in its parent.
    public var hedgeType = HedgeType.none
    /// The beta or the ratio of a hedge.
    public var hedgeParam = ""
    /// Whether a hedge's price is left to the client.
    public var dontUseAutoPriceForHedge = false
    /// Whether it only holds orders of an order management system.
    public var isOmsContainer = false
    /// Further options as the broker names them.
    public var orderMiscOptions: [TagValue] = []

    // MARK: What few orders set

    /// How an advisor's order is shared out.
    @Rare<AdvisorAllocation> public var advisor
    /// Where borrowed shares come from.
    @Rare<ShortSale> public var shortSale
    /// An option order's auction and pricing by delta.
    @Rare<AuctionTerms> public var auction
    /// An order by volatility, and what hedges it.
    @Rare<VolatilityTerms> public var volatilityTerms
    /// The steps of a scale order.
    @Rare<ScaleTerms> public var scale
    /// The table and times of a scale order.
    @Rare<ScaleSchedule> public var scaleSchedule
    /// What an order pegged to a benchmark follows.
    @Rare<BenchmarkPeg> public var benchmark
    /// What the order becomes once a price is reached.
    @Rare<AdjustedTerms> public var adjusted
    /// The bounds of orders pegged to midpoint or best.
    @Rare<PegOffsets> public var pegOffsets
    /// The tier of soft dollars.
    @Rare<SoftDollarTier> public var softDollarTier
    /// Who decided and who executes.
    @Rare<DecisionMakers> public var decisionMakers

    /// With nothing set.
    public init() {}
}
