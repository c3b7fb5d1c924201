package import Model
package import Primitives

/// Values for tests, with the parts a test does not care about filled in.
package enum Make {
    /// 2024-01-02, a Tuesday, 14:30 UTC: the opening bell in New York.
    package static let open = Timestamp(seconds: 1_704_205_800)

    /// US shares with these tickers.
    package static func instruments(_ symbols: String...) -> [Instrument] {
        symbols.enumerated().map { Instrument(id: InstrumentID(index: $0), symbol: $1) }
    }

    /// A bar of `barSize` that starts `bars` lengths after the opening bell.
    package static func bar(
        _ bars: Int, open: Int64, high: Int64? = nil, low: Int64? = nil, close: Int64,
        volume: Int64 = 1_000_000, instrument: Int = 0, barSize: Duration = .minutes(1)
    ) -> Bar {
        Bar(
            instrument: InstrumentID(index: instrument),
            start: Make.open + Duration(nanoseconds: barSize.nanoseconds * Int64(bars)),
            barSize: barSize, open: Price(cents: open),
            high: Price(cents: high ?? max(open, close)),
            low: Price(cents: low ?? min(open, close)), close: Price(cents: close),
            volume: Quantity(shares: volume))
    }

    /// A timestamp so many seconds after the opening bell.
    package static func time(_ seconds: Int64) -> Timestamp { open + .seconds(seconds) }

    /// A request for whole shares.
    package static func request(
        _ side: Side, _ shares: Int64, _ type: OrderType = .market, purpose: OrderPurpose = .entry,
        instrument: Int = 0, strategy: Int = 0, timeInForce: TimeInForce = .day
    ) -> OrderRequest {
        OrderRequest(
            strategy: StrategyID(index: strategy), instrument: InstrumentID(index: instrument),
            side: side, quantity: Quantity(shares: shares), type: type, timeInForce: timeInForce,
            purpose: purpose)
    }

    /// A commission in cents for an execution.
    package static func commission(
        _ base: Int64, cents: Int64, revision: Int = 1
    ) -> CommissionReport {
        CommissionReport(
            execution: ExecutionID(base: base, revision: revision), amount: Money(cents: cents))
    }

    /// An execution of whole shares at whole cents, `second` seconds after the opening bell.
    package static func execution(
        _ base: Int64, _ side: Side, _ shares: Int64, cents: Int64, revision: Int = 1,
        instrument: Int = 0, second: Int64 = 0
    ) -> Execution {
        Execution(
            id: ExecutionID(base: base, revision: revision),
            instrument: InstrumentID(index: instrument), side: side,
            quantity: Quantity(shares: shares), price: Price(cents: cents),
            time: Make.open + .seconds(second))
    }
}

extension Array {
    /// All orders of the elements; for at most eight of them.
    package var permutations: [[Element]] {
        precondition(count <= 8, "more than 40,320 permutations are too many for a test")
        guard count > 1 else { return [self] }
        return indices.flatMap { index in
            var others = self
            let element = others.remove(at: index)
            return others.permutations.map { [element] + $0 }
        }
    }
}
