import MarketState
import Model
package import Primitives
package import Simulation
package import TWSProtocol

/// What an order manager is.
package struct OrderManagerSettings: Sendable {
    /// The accounts orders may be for. An order that names none is for the only one there is.
    package var accounts: [AccountID] = ["DU1234567"]
    /// How its broker and the exchange treat orders. What executions cost is in `commissions`.
    package var rules = OrderManagerSettings.own(VenueRules(calendar: .newYork))
    /// How long an order is under way to the broker, in session time.
    package var placementLatency = Duration.milliseconds(15)
    /// How long a modification is.
    package var modificationLatency = Duration.milliseconds(15)
    /// How long a cancellation is.
    package var cancellationLatency = Duration.milliseconds(15)
    /// What executions cost.
    package var commissions = OrderCommissions()
    /// What numbers of orders and executions follow from.
    package var seed: UInt64 = 1

    /// The first order number of a client that has used none.
    package static let firstOrderID: APIOrderID = 1
    /// For how many days ended orders and executions are kept, today among them.
    package static let daysKept = 7
    /// How many ended orders the broker knows, for children and members of groups that come later.
    package static let finishedMax = 4_096
    /// The most shares, or units of what a contract is for, that one order may be for: the largest price a
    /// venue here trades at times this is money that can be reckoned.
    package static let sizeMax: Int64 = 9_000_000
    /// The highest price at which orders here fill.
    package static let priceMax = Price(units: 1_000_000 * Price.unitsPerOne)

    /// The usual settings.
    package init() {}

    /// A backtest's rules as they hold here: with quotes and trades. An order meets the quote that stands when it
    /// comes, since a market is followed only while an order works in it.
    private static func own(_ rules: VenueRules) -> VenueRules {
        var rules = rules
        rules.commission = .none
        rules.matching = .ticks
        rules.meetsQuoteOnArrival = true
        // The order manager looks at ticks itself, by market rules that differ with the price.
        rules.checksTicks = false
        return rules
    }

    /// The order manager of a gateway.
    package init(_ gateway: SimulatedGatewaySettings) {
        accounts = gateway.accounts
        rules = Self.own(gateway.rules)
        commissions.stocks = gateway.rules.commission
        seed = gateway.seed
    }
}

/// What executions cost, by the kind of contract.
package struct OrderCommissions: Sendable {
    /// Of shares and funds.
    package var stocks = CommissionSchedule.ibkrFixed
    /// Of options: USD 0.65 a contract, at least 1.00.
    package var options = CommissionSchedule.perShare(
        rate: Money(cents: 65), minimum: Money(cents: 1_00), maximum: nil)
    /// Of futures: USD 2.25 a contract, with what exchanges and regulators ask.
    package var futures = CommissionSchedule.perShare(
        rate: Money(cents: 2_25), minimum: .zero, maximum: nil)
    /// Of currencies: 0.2 basis points, at least 2.00.
    package var forex = CommissionSchedule.percent(
        Percent(units: 2_000), minimum: Money(cents: 2_00))

    /// IBKR's prices for small customers, with the fixed schedule for shares.
    package init() {}

    /// What a kind of contract costs.
    func schedule(for kind: AssetClass) -> CommissionSchedule {
        switch kind {
        case .stock, .etf, .index: stocks
        case .option: options
        case .future: futures
        case .forex: forex
        }
    }
}
