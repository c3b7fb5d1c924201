import MarketState
import Model
import Primitives
import Signals
import TestSupport

extension Rehearsal {
    /// Says how many shares of S`index` the strategy holds and has ordered.
    mutating func setHeld(_ shares: Int64, working: Int64 = 0, of index: Int) {
        setHolding(
            StrategyContext.Holding(
                quantity: Quantity(shares: shares), working: Quantity(shares: working)),
            of: InstrumentID(index: index))
    }
}

/// A strategy of `type` with these parameters, for instruments S0, S1 …
func bundled(
    _ type: any Strategy.Type, _ values: [String: ParameterValue] = [:], instruments: Int = 1
) throws -> any Strategy {
    var parameters = Parameters(defaultsOf: type.declaration.parameters)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        try parameters.set(name, to: value)
    }
    return try type.init(
        StrategySetup(instruments: stocks(instruments), parameters: parameters))
}

/// Instruments S0, S1 …
func stocks(_ count: Int) -> [Instrument] {
    (0..<count).map { Instrument(id: InstrumentID(index: $0), symbol: "S\($0)") }
}

/// What a strategy intents when it is shown closes, in cents, one a minute.
func intents(
    _ type: any Strategy.Type, _ values: [String: ParameterValue], closes: [Int64]
) throws -> [Int: Intent.Goal] {
    var rehearsal = Rehearsal(try bundled(type, values), instruments: stocks(1))
    for (index, close) in closes.enumerated() {
        rehearsal.show([Make.bar(index, open: close, close: close)])
    }
    return Dictionary(
        uniqueKeysWithValues: rehearsal.intents.map { intent in
            (Int((intent.at - Make.open).nanoseconds / 60_000_000_000) - 1, intent.goal)
        })
}
