import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing
import TradingEngine

/// A cash account under random intents, fills and days, with settled cash counted a second time.
private struct CashSession: ~Copyable {
    /// The first thing that was wrong.
    private(set) var failure: String?
    private(set) var purchaseCount = 0
    /// How often somebody wanted to buy with money that was not there.
    var refusalCount: Int { rig.count(of: .settledCash) }

    private var rig: Rig
    private var chance: SeededGenerator
    private let calendar = SettlementCalendar()
    private var day: Day
    private var cents: [Int64] = [50_00, 20_00]
    /// Orders that work and what is left of them, with the price of their approval.
    private var working: [(ticket: OrderTicket, left: Int64, price: Price)] = []
    private var executions: Int64 = 0
    /// Commissions that are not told yet.
    private var owed: [(order: OrderID, report: CommissionReport)] = []
    /// Counted from what was executed alone.
    private var total: Int128
    private var spendable: Int128
    private var unsettled: [(day: Day, amount: Int128)] = []
    private var chargesOfSales: Int128 = 0

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        let capital = Money(cents: chance.number(in: 500_00...50_000_00))
        rig = Rig(
            sizing: .percentOfEquity(Percent(chance.number(in: 20...150))),
            limits: RiskLimits(overLimit: chance.one(of: [.reduce, .reject])), isPriced: false
        ) {
            $0.capital = capital
            $0.settlement = SettlementCalendar()
        }
        total = ExactMoney(capital).units
        spendable = total
        // Over the beginnings of all cycles, and over all seasons.
        let eras = ["1995-05-20", "2005-10-01", "2017-08-25", "2024-05-15", "2024-11-01"]
        day = civil(chance.one(of: eras)).advanced(by: Int(chance.number(in: 0...20)))
        rig.open(day)
        check()
    }

    mutating func play() {
        guard failure == nil else { return }
        switch chance.number(in: 0...9) {
        case 0...2: request()
        case 3...6: trade()
        case 7: move()
        case 8: endOrder()
        default: nextDay()
        }
        check()
    }

    private mutating func request() {
        let instrument = InstrumentID(index: Int(chance.number(in: 0...1)))
        let price = cents[Int(instrument.index)]
        let intent = chance.one(of: [
            Instruction.enter(.buy), .enterAtLimit(.buy, cents: price - chance.number(in: 0...100)),
            .enterAtStop(.buy, cents: price + chance.number(in: 1...100)),
            .target(chance.number(in: 0...500)), .exit, .exit, .cancel,
        ])
        handle(rig.request(intent, in: instrument))
    }

    private mutating func handle(_ commands: [Command]) {
        for command in commands {
            switch command {
            case .submit(let ticket):
                let latest = Price(cents: cents[Int(ticket.request.instrument.index)])
                let price: Price =
                    switch ticket.request.type {
                    case .limit(let limit): limit
                    case .stop(let stop): max(stop, latest)
                    default: latest
                    }
                working.append((ticket, ticket.request.quantity.units, price))
            case .cancel, .modify, .setTimer, .probe, .query: break
            }
        }
    }

    /// Some of an order trades: a purchase with its costs within the cash buffer of one percent.
    private mutating func trade() {
        guard !working.isEmpty else { return }
        let index = Int(chance.number(in: 0...Int64(working.count - 1)))
        let (ticket, left, price) = working[index]
        let quantity = chance.chance(percent: 50) ? left : chance.number(in: 1...left)
        let costs = chance.number(in: 0...100)
        let move =
            if case .limit = ticket.request.type { chance.number(in: -300...0) } else {
                chance.number(in: -300...(100 - costs))
            }
        let paid = Price(units: price.units + price.units / 10_000 * move)
        executions += 1
        let execution = Execution(
            id: ExecutionID(base: executions), instrument: ticket.request.instrument,
            side: ticket.request.side, quantity: Quantity(units: quantity), price: paid,
            time: rig.now)
        let worth = Int128(price.units) * Int128(quantity)
        let commission = Money(units: Int64(worth * Int128(costs) / 10_000 / 10_000_000_000))
        owed.append(
            (ticket.id, CommissionReport(execution: execution.id, amount: commission)))
        if left == quantity { working.remove(at: index) } else { working[index].left -= quantity }

        let cash = (paid * Quantity(units: quantity)).units
        switch ticket.request.side {
        case .buy:
            purchaseCount += 1
            total -= cash
            spendable -= cash
        case .sell:
            total += cash
            unsettled.append((calendar.settlementDay(ofTradeOn: day), cash))
        }
        handle(rig.report(ticket.id.number, .executed(execution)))
        check()
        if chance.chance(percent: 70) { charge() }
    }

    private mutating func charge() {
        guard !owed.isEmpty else { return }
        let (order, report) = owed.removeFirst()
        let amount = ExactMoney(report.amount).units
        total -= amount
        spendable -= amount
        if rig.engine.orders.request(of: order)?.side == .sell { chargesOfSales += amount }
        handle(rig.report(order.number, .commission(report)))
    }

    private mutating func move() {
        let index = Int(chance.number(in: 0...1))
        cents[index] = max(1_00, cents[index] + cents[index] * chance.number(in: -10...10) / 100)
        rig.price(cents[index], of: InstrumentID(index: index))
    }

    private mutating func endOrder() {
        guard !working.isEmpty else { return }
        let index = Int(chance.number(in: 0...Int64(working.count - 1)))
        let expired = working.remove(at: index)
        handle(rig.report(expired.ticket.id.number, .cancelled(.expired)))
    }

    private mutating func nextDay() {
        while !owed.isEmpty { charge() }
        repeat {
            day = day.advanced(by: 1)
        } while !SessionCalendar.newYork.hasSession(on: day)
        let due = unsettled.filter { $0.day <= day }
        spendable += due.reduce(0) { $0 + $1.amount }
        unsettled.removeAll { $0.day <= day }
        let time = SessionCalendar.newYork.open(on: day)
        let bar = Make.bar(-1, open: cents[0], close: cents[0])
        handle(rig.publish(.bar(bar), at: time))
    }

    private mutating func check() {
        guard failure == nil else { return }
        if rig.engine.portfolio.cash.units != total { failure = "cash is not what executions left" }
        if rig.engine.portfolio.spendableCash.units != spendable {
            failure = "settled cash is not what executions and settlements left"
        }
        if !rig.isSound { failure = "books do not add up" }
        // What sales cost is the only thing that may have taken more than there was.
        if spendable < -chargesOfSales { failure = "money was spent that had not settled" }
    }
}

@Suite struct CashPropertyTests {
    /// Property: in 10,000 random sequences settled cash never becomes negative through a purchase whose
    /// price and costs were within the cash buffer, and every sum is what executions, charges and settlement
    /// days make it.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func unsettledMoneyIsNeverSpent(seed: UInt64) {
        for sequence in 0..<100 as Range<UInt64> {
            var session = CashSession(seed: seed * 100 + sequence)
            for _ in 0..<40 { session.play() }
            let failure = session.failure
            #expect(failure == nil, "sequence \(seed * 100 + sequence)")
        }
    }

    /// The property above means little unless sequences buy, and want more than they may.
    @Test func sequencesBuyAndAreRefused() {
        var (purchases, refusals) = (0, 0)
        for seed in 0..<200 as Range<UInt64> {
            var session = CashSession(seed: seed)
            for _ in 0..<40 { session.play() }
            purchases += session.purchaseCount
            refusals += session.refusalCount
        }
        #expect(purchases > 500)
        #expect(refusals > 100)
    }
}
