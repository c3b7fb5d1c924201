import Primitives
import TWSProtocol

/// A fill, as it was and as it was corrected.
struct ManagedExecution {
    /// Its order.
    let order: ManagedOrder
    /// Everything of its identifier before the revision.
    let root: String
    /// The last part of its identifier.
    var revision: Int32 = 1
    /// How much; zero once it was taken back.
    var quantity: Quantity
    /// At what price.
    var price: Price
    /// When.
    let time: Timestamp
    /// What the order had filled with it.
    var cumulative: Quantity
    /// The average price of that.
    var average: Price
    /// Its effect on the order book's liquidity.
    let liquidity: Liquidity
    /// Where.
    let exchange: String
    /// What it cost.
    var commission: Money
    /// The profit it realised; `nil` where it opened a position.
    var realized: Money?
    /// Whether it was reported as it is now.
    var isReported = false
    /// Whether its commission was.
    var isCommissionReported = false
    /// Whether its commission is due to be reported.
    var isCommissionDue = false

    /// Its identifier.
    var id: String { "\(root).\(revision < 10 ? "0" : "")\(revision)" }
}
