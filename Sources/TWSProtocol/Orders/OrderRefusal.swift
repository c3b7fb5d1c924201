/// Why an order was not built. Nothing is sent then.
public enum OrderRefusal: Error, Hashable, Sendable {
    /// Something every such order has is not given.
    case missing(field: String)
    /// A text has a character that cannot travel.
    case badCharacter(field: String)
    /// A number is outside what makes sense.
    case outOfRange(field: String, DecimalValue)
    /// No price of the ladder fits.
    case noStepFits(field: String, DecimalValue)
    /// A distance is smaller than one step; give the price it starts from, or a larger one.
    case belowStep(field: String, DecimalValue, step: DecimalValue)
    /// Nothing of that kind can be ordered.
    case notTradable(SecurityType)
    /// That type of order goes to one exchange only.
    case wrongExchange(needed: String, given: String)
    /// A time span ends before it begins.
    case endsBeforeBegin(field: String)
    /// A condition says nothing that could hold; counted from 0.
    case condition(Int, reason: String)
    /// A bracket's exit is not behind its entry, where it would fill at once.
    case wrongSide(field: String, DecimalValue, of: DecimalValue)
    /// The block of order numbers has another size than the group of orders.
    case idBlock(needed: Int, given: Int)
}

extension OrderRefusal: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .missing(let field): "\(field) is needed"
        case .badCharacter(let field):
            "\(field) has a character that cannot be sent: use printable ASCII"
        case .outOfRange(let field, let value): "\(field) cannot be \(value)"
        case .noStepFits(let field, let price):
            "\(field) \(price): the market rule has no price beside it"
        case .belowStep(let field, let distance, let step):
            "\(field) \(distance) is less than a price step of \(step)"
        case .notTradable(let type): "nothing of type '\(type.word)' can be ordered"
        case .wrongExchange(let needed, let given):
            "such orders go to \(needed) only, not to \(given)"
        case .endsBeforeBegin(let field): "\(field) is not after the beginning"
        case .condition(let index, let reason): "condition \(index): \(reason)"
        case .wrongSide(let field, let price, let other):
            "\(field) \(price) is on the wrong side of \(other): it would fill at once"
        case .idBlock(let needed, let given):
            "the orders need \(needed) numbers in a row, not \(given)"
        }
    }
}
