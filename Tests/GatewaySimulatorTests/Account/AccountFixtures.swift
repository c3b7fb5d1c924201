import GatewaySimulator
import Model
import Primitives
import TWSProtocol

/// What ledgers under test trade.
enum Holdable {
    static let apple = instrument(0, "AAPL", 265_598, .stock)
    static let fund = instrument(1, "SPY", 756_733, .etf)
    static let future = instrument(
        2, "ESZ4", 495_512_563, .future(expiry: Day(number: 20_077)), multiplier: 50)
    static let call = instrument(
        3, "AAPL C200", 700_000_001,
        .option(
            OptionTerms(
                underlying: InstrumentID(index: 0), expiry: Day(number: 20_077),
                strike: Price(cents: 20_000), right: .call)), multiplier: 100)
    static let euro = instrument(4, "EUR.USD", 12_087_792, .forex)
    static let index = instrument(5, "VIX", 13_455_763, .index)
    static let all = [apple, fund, future, call, euro, index]

    private static func instrument(
        _ offset: Int, _ symbol: String, _ conId: Int32, _ kind: AssetClass, multiplier: Int64 = 1
    ) -> AccountInstrument {
        var instrument = Instrument(
            id: InstrumentID(index: offset), symbol: symbol, assetClass: kind)
        instrument.multiplier = multiplier
        return AccountInstrument(instrument, conId: ContractID(rawValue: conId))
    }
}

/// New York's noon of a day.
func newYorkNoon(_ year: Int, _ month: Int, _ day: Int) -> Timestamp {
    guard let day = Day(year: year, month: month, day: day) else { return .distantPast }
    return NewYork.timestamp(on: day, at: .hours(12))
}

/// A fill, its amounts in cents.
func accountFill(
    _ execution: String, _ side: Side, _ shares: Int64,
    _ instrument: AccountInstrument = Holdable.apple,
    cents: Int64, fee: Int64? = 100, at time: Timestamp = GatewayRig.start
) -> AccountFill {
    var fill = AccountFill(
        execution, side, Quantity(shares: shares), of: instrument, at: Price(cents: cents),
        time: time)
    fill.commission = fee.map(Money.init(cents:))
    return fill
}

extension AccountLedger {
    /// A ledger of a million dollars.
    static func fresh(
        _ kind: GatewayAccountSettings.Kind = .margin, cash: Int64 = 100_000_000,
        at timestamp: Timestamp = GatewayRig.start
    ) -> AccountLedger {
        var settings = GatewayAccountSettings(account: "DU1")
        settings.kind = kind
        settings.startingCash = Money(cents: cash)
        return AccountLedger(settings: settings, at: timestamp)
    }

    var apple: AccountPosition? { position(of: Holdable.apple.id) }

    mutating func mark(_ instrument: AccountInstrument, cents: Int64) {
        mark(price: { $0 == instrument.id ? Price(cents: cents) : nil })
    }
}

extension ExactMoney {
    /// An amount of `cents` hundredths.
    init(cents: Int64) { self.init(Money(cents: cents)) }
}
