import Model
import Primitives
import TWSProtocol

/// What was last asked of an order, so that the gateway's answers are read for what they are.
struct AskedOrder: Hashable, Sendable {
    /// Our number of the order.
    let order: OrderID
    /// What it is in.
    let instrument: InstrumentID
    /// The terms that the gateway is known to have for it; `nil` where they are not known.
    var terms: WireTerms?
    /// Whether the broker's algorithm works it; `nil` where that is not known.
    var isAdaptive: Bool?
    /// The step that was asked for last.
    var step = Asked.begin
    /// The change that is under way, if one is.
    var change: AskedChange?
    /// True while the answer to a cancel that was sent as a question is to come.
    var isProbed = false
    /// The price that the broker has capped its limit to; `nil` where it has not.
    var cap: Price?

    /// An order of which nothing is asked but to place it.
    init(_ ticket: OrderTicket, as terms: WireTerms? = nil) {
        order = ticket.id
        instrument = ticket.request.instrument
        self.terms = terms
    }
}

/// A change of an order that the gateway has not answered.
struct AskedChange: Hashable, Sendable {
    /// The change's number among those of the order.
    let revision: Int32
    /// The terms that its open order will show.
    let terms: WireTerms
}

/// Those terms of an order on the wire that a change can change.
struct WireTerms: Hashable, Sendable {
    let quantity: DecimalValue?
    let limit: DecimalValue?
    let auxiliary: DecimalValue?
    let percent: DecimalValue?

    /// The terms of an order.
    init(_ order: Order) {
        quantity = order.totalQuantity
        limit = order.lmtPrice.flatMap { $0 == .zero ? nil : $0 }
        auxiliary = order.auxPrice.flatMap { $0 == .zero ? nil : $0 }
        percent = order.trailingPercent
    }
}
