import Model
import Primitives
package import TWSProtocol

/// Options that are exercised, or let lapse.
extension OrderManager {
    /// A client asked for options to be exercised.
    ///
    /// What is exercised is booked at once: the options leave at nothing, what they are on comes at the strike.
    /// A lapse is noted by nothing but its expiry, as are options out of the money without the override.
    package mutating func exercise(_ request: ExerciseOptions, from client: Client) {
        do throws(OrderRejection) {
            try exercise(request)
        } catch { report(error, about: request.reqId.rawValue, to: .connection(client.connection)) }
        pump()
    }

    private mutating func exercise(_ request: ExerciseOptions) throws(OrderRejection) {
        let listing: ListedContract
        do throws(ContractRefusal) {
            listing = try contracts.resolve(request.contract, for: .order)
        } catch { throw OrderRejection(error.code, error.text) }
        guard case .option(let terms) = listing.instrument.assetClass else {
            throw .invalid("Only options can be exercised")
        }
        guard request.exerciseQuantity > 0 else {
            throw .invalid("The quantity of options to exercise is not positive")
        }
        switch request.exerciseAction {
        case .lapse: return
        case .unknown: throw .invalid("Invalid exercise action")
        case .exercise: break
        }
        let quantity = Quantity(shares: Int64(request.exerciseQuantity))
        let held = dependencies.held(request.account, listing.id)
        guard held >= quantity else {
            throw .rejected("The account holds \(held) of the option, not \(quantity).")
        }
        guard request.override || isInTheMoney(terms) else {
            throw .rejected("Exercise of an option out of the money needs the override.")
        }
        try book(terms, quantity, of: listing, for: request.account)
    }

    private mutating func isInTheMoney(_ terms: OptionTerms) -> Bool {
        show(terms.underlying)
        guard let last = snapshots[Int(terms.underlying.index)].last else { return false }
        switch terms.right {
        case .call: return last > terms.strike
        case .put: return last < terms.strike
        }
    }

    private mutating func book(
        _ terms: OptionTerms, _ quantity: Quantity, of option: ListedContract,
        for account: AccountID
    ) throws(OrderRejection) {
        let (units, isTooMuch) = quantity.units.multipliedReportingOverflow(
            by: option.instrument.multiplier)
        guard !isTooMuch, units <= OrderManagerSettings.sizeMax * Quantity.unitsPerOne else {
            throw .size
        }
        let side: Side = terms.right == .call ? .buy : .sell
        let legs = [
            (option, Side.sell, quantity, Price.zero),
            (contracts[terms.underlying], side, Quantity(units: units), terms.strike),
        ]
        for (listing, side, quantity, price) in legs {
            var order = Order()
            order.action = side == .buy ? .buy : .sell
            order.totalQuantity = DecimalValue(quantity)
            order.orderType = .market
            order.tif = .day
            order.account = account
            var request = PlaceOrder(0, listing.contract, order)
            if request.contract.exchange.isEmpty { request.contract.exchange = "SMART" }
            let entered = enter(try check(request), of: 0, isManual: true)
            entered.stage = .accepted
            entered.isExercise = true
            record(entered.remaining, at: price, of: entered, isResting: false)
        }
    }
}
