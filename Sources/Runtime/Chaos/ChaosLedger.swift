import Model
import Primitives

/// What the simulated gateway has of a session's orders, read from its ledger: the judge's own books.
struct ChaosLedger {
    /// The session's positions by its executions, those that are not flat.
    private(set) var positions: [String: Quantity] = [:]
    /// What those executions have moved of its cash, charges included.
    private(set) var cashMoved = ExactMoney.zero
    /// The references of its orders that work.
    private(set) var working: Set<String> = []
    /// How many orders there are of a reference, where there are several.
    private(set) var repeated: [String] = []
    /// What the broker has filled of each order, and may still fill.
    private(set) var orders: [OrderID: Filled] = [:]
    /// True if a client was warned of too many messages.
    private(set) var hasPacingWarning = false

    /// What became of an order: of all that the broker has under its reference.
    struct Filled: Hashable {
        /// By its executions, as they were corrected last.
        var filled = Quantity.zero
        /// What is left of what works.
        var open = Quantity.zero
    }

    /// The first characters of every reference of a session's.
    static let prefix = "mt:"
    private static let finished: Set<String> = ["Filled", "Cancelled", "ApiCancelled", "Inactive"]

    /// Reads the answer to the control command `ledger`.
    init(_ text: String) throws(RunFailure) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue(Array(text.utf8)) } catch {
            throw .defect("the simulated gateway's ledger cannot be read: \(error)")
        }
        guard case .array(let orders)? = value["orders"] else {
            throw .defect("the simulated gateway's ledger has no orders")
        }
        for order in orders { try add(order) }
        positions = positions.filter { $0.value != .zero }
        hasPacingWarning = value["codes"]?["100"] != nil
        guard case .object(let violations)? = value["violations"] else { return }
        for member in violations where member.name == "repeatedReferences" {
            if case .object(let references) = member.value { repeated = references.map(\.name) }
        }
    }

    private mutating func add(_ order: JSONValue) throws(RunFailure) {
        guard case .text(let reference)? = order["orderRef"], reference.hasPrefix(Self.prefix)
        else { return }
        guard case .text(let symbol)? = order["symbol"], case .text(let action)? = order["action"],
            case .text(let status)? = order["status"],
            case .array(let executions)? = order["executions"]
        else { throw .defect("the simulated gateway's ledger has an order without fields") }
        let isWorking = !Self.finished.contains(status)
        if isWorking { working.insert(reference) }
        let name = Self.symbol(symbol)
        let id = OrderReference(parsing: reference)?.order
        if let id { orders[id, default: Filled()].open += isWorking ? Self.left(of: order) : .zero }
        for execution in executions {
            guard case .number(let shares)? = execution["quantity"],
                case .number(let price)? = execution["price"],
                case .number(let charge)? = execution["commission"],
                let quantity = try? Quantity(shares), let price = try? Price(price),
                let charge = try? Money(charge)
            else {
                throw .defect("the simulated gateway's ledger has an execution without figures")
            }
            let signed = action == "BUY" ? quantity : -quantity
            positions[name, default: .zero] += signed
            cashMoved -= price * signed
            cashMoved -= ExactMoney(charge)
            if let id { orders[id, default: Filled()].filled += quantity }
        }
    }

    /// A symbol as configurations spell it.
    static func symbol(_ text: String) -> String { String(text.map { $0 == " " ? "." : $0 }) }

    private static func left(of order: JSONValue) -> Quantity {
        guard case .number(let total)? = order["quantity"],
            case .number(let filled)? = order["filled"], let total = try? Quantity(total),
            let filled = try? Quantity(filled)
        else { return .zero }
        return max(total - filled, .zero)
    }
}
