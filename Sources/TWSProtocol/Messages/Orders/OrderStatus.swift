/// Where an order stands. Often repeated unchanged, and sometimes missing.
public struct OrderStatus: FieldRecord {
    /// The number its client gave it.
    public var orderId: APIOrderID = 0
    /// Where it stands.
    public var status = Status.none
    /// What is filled, in shares or contracts.
    public var filled: DecimalValue = .zero
    /// What is left.
    public var remaining: DecimalValue?
    /// The average price of what is filled; 0 before that.
    public var avgFillPrice: DecimalValue = .zero
    /// Its number in the account.
    public var permId: PermID = 0
    /// The order it hangs on; 0 for none.
    public var parentId: APIOrderID = 0
    /// The price of the last fill; 0 before that.
    public var lastFillPrice: DecimalValue = .zero
    /// The client that placed it.
    public var clientId: ClientID = 0
    /// Why it is held: `locate` while shares to borrow are sought, `trigger`; joined by commas.
    public var whyHeld = ""
    /// The price its limit was capped to; 0 for none.
    public var mktCapPrice: DecimalValue = .zero

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("orderId", &orderId)
        coder.word("status", &status)
        coder.decimal("filled", &filled)
        coder.decimal("remaining", &remaining, .empty)
        coder.double("avgFillPrice", &avgFillPrice, or: .zero)
        coder.id("permId", &permId, or: 0)
        coder.id("parentId", &parentId, or: 0)
        coder.double("lastFillPrice", &lastFillPrice, or: .zero)
        coder.id("clientId", &clientId, or: 0)
        coder.text("whyHeld", &whyHeld)
        coder.double("mktCapPrice", &mktCapPrice, or: .zero)
    }

    /// Where an order stands. A fill may still follow any of these.
    public enum Status: WireWord {
        /// None given.
        case none
        /// Not yet sent on by the gateway, while it looks up the contract.
        case apiPending
        /// Sent, not acknowledged.
        case pendingSubmit
        /// Asked to be cancelled; it may still fill.
        case pendingCancel
        /// Accepted and held by the broker: simulated types, conditions, orders before the open, children of an unfilled parent; also an ordinary order's first state.
        case preSubmitted
        /// Works at its destination, partly filled or not.
        case submitted
        /// Cancelled by the client before it was acknowledged.
        case apiCancelled
        /// What was left is cancelled, or the order was refused.
        case cancelled
        /// All of it is filled.
        case filled
        /// Does not work: refused, held, or waiting for a person. It may become active again.
        case inactive
        /// A word that is not known.
        case unknown(String)

        /// Every known one.
        public static let known: [Status] = [
            .submitted, .preSubmitted, .filled, .cancelled, .pendingSubmit, .pendingCancel,
            .inactive, .apiPending, .apiCancelled, .none,
        ]
        /// Their words.
        public static let words = WordTable<Status>(known)

        /// The word as it travels.
        public var word: String {
            switch self {
            case .none: ""
            case .apiPending: "ApiPending"
            case .pendingSubmit: "PendingSubmit"
            case .pendingCancel: "PendingCancel"
            case .preSubmitted: "PreSubmitted"
            case .submitted: "Submitted"
            case .apiCancelled: "ApiCancelled"
            case .cancelled: "Cancelled"
            case .filled: "Filled"
            case .inactive: "Inactive"
            case .unknown(let word): word
            }
        }

        /// Whatever the case of its letters: programs differ in it.
        public init(word: String) {
            self =
                Self.words.value(of: word)
                ?? Self.known.first { $0.word.lowercased() == word.lowercased() }
                ?? .unknown(word)
        }
    }
}
