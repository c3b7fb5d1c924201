import Model
package import Primitives
import TWSProtocol

/// The broker's ledger of one account: exact, and kept apart from whatever a client books.
///
/// All of it follows from the fills, splits and movements of cash it was given, and from the last marks.
/// What it cannot hold it refuses, and does not change.
package struct AccountLedger: Sendable {
    /// What the account is.
    package let settings: GatewayAccountSettings
    /// The day it is in New York.
    package private(set) var today: Day
    /// What is or was held, in the order of first trades.
    package internal(set) var holdings: [AccountHolding] = []
    /// Money by currency, the account's own first.
    package internal(set) var pots: [CashPot]
    /// Money that moved without a fill.
    package internal(set) var movements: [CashPotMovement] = []
    /// What other currencies are worth in the account's own.
    var rates: [String: Price] = [:]
    /// Prices of what options that are held are written on.
    var underlyings: [InstrumentID: Price] = [:]
    /// The equity with loan value of the last day's end.
    var previousDayEquity: ExactMoney
    /// On which days how many positions were opened and closed, the last five days with any.
    var dayTrades: [DayTrades] = []

    /// Where holdings are. Only looked up.
    var indexes: [InstrumentID: Int] = [:]
    /// Where executions are, by the part of the identifier that corrections share. Only looked up.
    var executions: [String: ExecutionIndex] = [:]

    /// Where an execution is.
    struct ExecutionIndex: Sendable {
        /// Its holding's place.
        let holding: Int
        /// Its place among the holding's entries.
        let entry: Int
        /// Its newest revision.
        var revision: Int32
    }

    /// Positions opened and closed on one day.
    struct DayTrades: Hashable, Sendable {
        /// The day.
        let day: Day
        /// How many.
        var count: Int
    }

    /// An account that has traded nothing yet.
    package init(settings: GatewayAccountSettings, at timestamp: Timestamp) {
        self.init(settings: settings, on: NewYork.day(at: timestamp))
    }

    init(settings: GatewayAccountSettings, on day: Day) {
        self.settings = settings
        today = day
        var pot = CashPot(settings.currency)
        pot.total = ExactMoney(settings.startingCash)
        pots = [pot]
        previousDayEquity = pot.total
    }

    /// Books a fill, or the correction of one: the highest revision of an execution counts. One that is
    /// known already changes nothing.
    ///
    /// - Returns: the profit of what it closed, commission deducted; `nil` where it closed nothing.
    @discardableResult
    package mutating func book(_ fill: AccountFill) throws(AccountFault) -> Money? {
        guard let id = WireExecutionID(fill.execution) else {
            throw .malformedExecution(fill.execution)
        }
        guard fill.quantity > .zero else { throw .emptyFill(fill.execution) }
        guard fill.instrument.assetClass.isTradable else {
            throw .notTradable(fill.instrument.symbol)
        }
        if let index = executions[id.root] {
            guard id.revision > index.revision else { return nil }
            executions[id.root]?.revision = id.revision
            do throws(AccountFault) {
                return try revise(index.holding, index.entry) { $0.correct(by: fill) }
            } catch {
                executions[id.root]?.revision = index.revision
                throw error
            }
        }
        return try add(BookedFill(fill), id)
    }

    /// Books what an execution cost.
    ///
    /// - Returns: the profit of what it closed, commission deducted; `nil` where it closed nothing.
    @discardableResult
    package mutating func charge(
        _ commission: Money, for execution: String
    ) throws(AccountFault) -> Money? {
        let index = try executionIndex(execution)
        return try revise(index.holding, index.entry) { $0.fill.commission = commission }
    }

    /// Takes an execution back with what it cost, whatever its revision.
    package mutating func bust(_ execution: String) throws(AccountFault) {
        let index = try executionIndex(execution)
        try revise(index.holding, index.entry) { $0.isBusted = true }
    }

    /// Changes a position without a fill: `new` for each `old`. What is no whole share any more is paid
    /// out at the mark; the mark follows.
    package mutating func split(
        _ instrument: InstrumentID, _ new: Int64, for old: Int64
    ) throws(AccountFault) {
        guard new > 0, old > 0 else { throw .invalidRatio(new, old) }
        guard let index = indexes[instrument] else {
            throw .noPosition("instrument \(instrument.index)")
        }
        let mark = Int128(holdings[index].position.mark.units) * Int128(old) / Int128(new)
        guard mark.magnitude <= Price.magnitudeMax.units.magnitude else {
            throw .tooLarge("the price after a split of \(new) for \(old)")
        }
        try split(index, new, for: old, at: Price(units: Int64(mark)))
    }

    /// Books money that moved without a fill.
    package mutating func book(_ movement: CashPotMovement) throws(AccountFault) {
        guard ExactMoney(movement.amount).magnitude <= .tradeMax else {
            throw .tooLarge("a movement of \(movement.amount) \(movement.currency)")
        }
        movements.append(movement)
        move(ExactMoney(movement.amount), of: movement.currency)
    }

    /// Pays a dividend per share on what is held, or takes it from who is short.
    package mutating func payDividend(
        _ perShare: Price, on instrument: InstrumentID, at time: Timestamp
    ) throws(AccountFault) {
        guard let position = position(of: instrument), position.quantity != .zero else {
            throw .noPosition("instrument \(instrument.index)")
        }
        let contract = position.instrument
        guard let exact = AccountMath.trade(perShare, position.quantity, contract.multiplier),
            let amount = exact.roundedIfRepresentable()
        else { throw .tooLarge("a dividend of \(perShare) on \(position.quantity)") }
        try book(
            CashPotMovement(
                cause: .dividend, amount: amount, currency: contract.currency, time: time))
    }

    /// Values everything at new prices, and other currencies at new rates.
    ///
    /// - Parameters:
    ///   - price: of an instrument, if there is one.
    ///   - rate: of a currency in the account's own, if there is one.
    package mutating func mark(
        price: (InstrumentID) -> Price?, rate: (String) -> Price? = { _ in nil }
    ) {
        for index in holdings.indices where holdings[index].position.quantity != .zero {
            let instrument = holdings[index].position.instrument
            if let mark = price(instrument.id) { holdings[index].mark(at: mark) }
            if case .option(let terms) = instrument.assetClass,
                let mark = price(terms.underlying)
            {
                underlyings[terms.underlying] = mark
            }
        }
        for pot in pots.dropFirst() {
            guard let found = rate(pot.currency), found > .zero else { continue }
            rates[pot.currency] = min(found, AccountMath.rateMax)
        }
    }

    /// Lets time pass: a new day in New York settles what is due and begins daily profits anew.
    package mutating func advance(to timestamp: Timestamp) {
        let day = NewYork.day(at: timestamp)
        guard day > today else { return }
        previousDayEquity = figures.equityWithLoan
        today = day
        for index in pots.indices { pots[index].settle(on: day) }
        for index in holdings.indices { holdings[index].beginDay() }
    }

    /// The position in an instrument, if it was ever traded.
    package func position(of instrument: InstrumentID) -> AccountPosition? {
        indexes[instrument].map { holdings[$0].position }
    }

    /// The holding of an instrument, if it was ever traded.
    package func holding(of instrument: InstrumentID) -> AccountHolding? {
        indexes[instrument].map { holdings[$0] }
    }
}
