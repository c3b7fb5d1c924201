package import Model
package import Primitives
package import TWSProtocol

/// What a ledger has to know of what it holds.
package struct AccountInstrument: Hashable, Sendable {
    /// Its place in the list of contracts.
    package let id: InstrumentID
    /// The broker's number of it.
    package let conId: ContractID
    /// Its ticker; of a currency pair, the currency that is bought.
    package let symbol: String
    /// What kind of thing it is.
    package let assetClass: AssetClass
    /// The currency it trades in.
    package let currency: String
    /// What a price of 1 is worth for a quantity of 1.
    package let multiplier: Int64

    /// What a listing says.
    package init(_ instrument: Instrument, conId: ContractID) {
        id = instrument.id
        self.conId = conId
        symbol = instrument.symbol
        assetClass = instrument.assetClass
        currency = instrument.currency
        multiplier = instrument.multiplier
    }

    /// The currency that a purchase brings, where it is a currency pair: `EUR` of `EUR.USD`.
    var boughtCurrency: String? {
        guard assetClass == .forex else { return nil }
        return String(symbol.prefix { $0 != "." })
    }
}

/// A fill for an account.
package struct AccountFill: Hashable, Sendable {
    /// The fill's identifier; corrections differ in the last part alone.
    package var execution: String
    /// What was traded.
    package var instrument: AccountInstrument
    /// Bought or sold.
    package var side: Side
    /// How much; positive.
    package var quantity: Quantity
    /// At what price.
    package var price: Price
    /// When.
    package var time: Timestamp
    /// What it cost; `nil` where that is reported later (`AccountLedger.charge`).
    package var commission: Money?
    /// The order's number in the account.
    package var permId: PermID = 0
    /// The client's own text on the order.
    package var orderRef = ""

    /// A fill whose costs are not known yet.
    package init(
        _ execution: String, _ side: Side, _ quantity: Quantity, of instrument: AccountInstrument,
        at price: Price, time: Timestamp
    ) {
        self.execution = execution
        self.instrument = instrument
        self.side = side
        self.quantity = quantity
        self.price = price
        self.time = time
    }

    /// The quantity with its sign in a position.
    var signed: Quantity { side.signed(quantity) }
}
