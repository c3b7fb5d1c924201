import Accounting
import Model
import Primitives
import Reporting

/// 2024-01-02 14:30 UTC: the fills of these tests are minutes after it.
let opening = Timestamp(seconds: 1_704_205_800)

extension RunRecord {
    /// A run of one strategy in AAPL and an option with multiplier 100, in which nothing happened.
    static var uneventful: RunRecord {
        var option = Instrument(id: InstrumentID(index: 1), symbol: "SPXW")
        option.multiplier = 100
        return RunRecord(
            instruments: [Instrument(id: InstrumentID(index: 0), symbol: "AAPL"), option],
            strategies: ["crossover", "momentum"], reasons: ["", "fast above slow", "stop"],
            currency: "USD", startingCapital: Money(cents: 100_000_00), fills: [], orders: [],
            equity: [], finalEquity: Money(cents: 100_000_00), openPositions: [], maxDrawdown: nil,
            barCount: 0, from: opening, to: opening, refusals: [], warnings: [], stateHash: 0)
    }

    /// A run whose equity at the ends of successive sessions was that many cents.
    static func sessions(startingWith start: Int64, equityInCents: [Int64]) -> RunRecord {
        var record = uneventful
        record.startingCapital = Money(cents: start)
        record.equity = equityInCents.enumerated().map { index, cents in
            EquityPoint.sample(session: index, equity: Money(cents: cents))
        }
        record.finalEquity = record.equity.last?.equity ?? record.startingCapital
        record.to = opening + .days(Int64(equityInCents.count))
        return record
    }
}

extension CashFlow {
    /// Money paid at the beginning of a session.
    static func sample(session: Int, cents: Int64, before: Int64) -> CashFlow {
        let at = opening + .days(Int64(session)) + .minutes(-1)
        return CashFlow(
            day: at.day, at: at, amount: Money(cents: cents), equityBefore: Money(cents: before))
    }
}

extension EquityPoint {
    static func sample(
        session: Int, equity: Money, grossExposure: Money = .zero
    ) -> EquityPoint {
        let at = opening + .days(Int64(session))
        return EquityPoint(
            day: at.day, at: at, equity: equity, cash: equity, grossExposure: grossExposure)
    }
}

extension FillRecord {
    /// A fill of `shares` at a price in cents, `minute` minutes after the opening.
    static func sample(
        _ side: Side, _ shares: Int64, atCents cents: Int64, minute: Int64 = 0,
        commission: Money = .zero, instrument: Int = 0, strategy: Int = 0, reason: Int = 0
    ) -> FillRecord {
        .sample(
            side, Quantity(shares: shares), at: Price(cents: cents), minute: minute,
            commission: commission, instrument: instrument, strategy: strategy, reason: reason)
    }

    static func sample(
        _ side: Side, _ quantity: Quantity, at price: Price, minute: Int64 = 0,
        commission: Money = .zero, instrument: Int = 0, strategy: Int = 0, reason: Int = 0
    ) -> FillRecord {
        FillRecord(
            execution: Execution(
                id: ExecutionID(base: minute + 1), instrument: InstrumentID(index: instrument),
                side: side, quantity: quantity, price: price, time: opening + .minutes(minute)),
            order: OrderID(number: minute + 1), strategy: StrategyID(index: strategy),
            commission: commission, reason: TextID(index: reason))
    }
}

extension String {
    init(ascii bytes: [UInt8]) { self.init(decoding: bytes, as: UTF8.self) }
}

extension StrategyRecord {
    /// 10.00 realised, 2.00 unrealised, 0.50 of dividends, 1.25 charged, exposed in two sessions.
    static var sample: StrategyRecord {
        var profit = Profit()
        profit.realized = ExactMoney(Money(cents: 10_00))
        profit.unrealized = ExactMoney(Money(cents: 2_00))
        profit.income = ExactMoney(Money(cents: 50))
        profit.charges = ExactMoney(Money(cents: 1_25))
        return StrategyRecord(profit, exposedSessions: 2)
    }
}
