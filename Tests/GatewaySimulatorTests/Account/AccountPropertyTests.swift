import Foundation
import GatewaySimulator
import Model
import Primitives
import Testing

/// Random lives of accounts.
@Suite struct AccountPropertyTests {
    /// What happens in a life, in order.
    private struct Life {
        var ledger = AccountLedger.fresh()
        /// The fills as they finally are, by execution; busted ones are gone.
        var final: [(root: String, fill: AccountFill)] = []
        var generator: SeededGenerator
        var revisions: [Int] = []

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        mutating func step(_ number: Int) throws {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0 where !final.isEmpty:
                let index = Int.random(in: final.indices, using: &generator)
                revisions[index] += 1
                var newer = draw("\(final[index].root).\(revisions[index])")
                newer.instrument = final[index].fill.instrument
                newer.time = final[index].fill.time
                try ledger.book(newer)
                final[index].fill = newer
            case 1 where !final.isEmpty:
                let index = Int.random(in: final.indices, using: &generator)
                try ledger.bust(final[index].fill.execution)
                final.remove(at: index)
                revisions.remove(at: index)
            case 2 where !final.isEmpty:
                let index = Int.random(in: final.indices, using: &generator)
                let fee = Money(cents: Int64.random(in: 0..<1_000, using: &generator))
                try ledger.charge(fee, for: final[index].fill.execution)
                final[index].fill.commission = fee
            case 3:
                for instrument in Holdable.all {
                    let cents = Int64.random(in: 100..<100_000, using: &generator)
                    ledger.mark(instrument, cents: cents)
                }
            default:
                let fill = draw("r\(number).1")
                try ledger.book(fill)
                final.append((root: "r\(number)", fill: fill))
                revisions.append(1)
            }
        }

        private mutating func draw(_ execution: String) -> AccountFill {
            let kinds = [Holdable.apple, Holdable.fund, Holdable.future, Holdable.call]
            let instrument = kinds[Int.random(in: kinds.indices, using: &generator)]
            var fill = AccountFill(
                execution, Bool.random(using: &generator) ? .buy : .sell,
                Quantity(units: Int64.random(in: 1...50_000_000_000, using: &generator)),
                of: instrument,
                at: Price(units: Int64.random(in: 1...100_000_000_000, using: &generator)),
                time: GatewayRig.start)
            fill.commission = Money(cents: Int64.random(in: 0..<1_000, using: &generator))
            return fill
        }
    }

    /// What an account is worth is what it began with and its profits and losses, to the last digit.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func cashAndPositionsAreStartAndProfits(seed: UInt64) throws {
        var life = Life(seed: seed)
        for number in 0..<200 {
            try life.step(number)
            let figures = life.ledger.figures
            var profits = ExactMoney(life.ledger.settings.startingCash)
            var settled = life.ledger.pots[0].settled
            for holding in life.ledger.holdings {
                profits += holding.position.realized + holding.position.unrealized
            }
            for pending in life.ledger.pots[0].pending { settled += pending.amount }
            #expect(figures.netLiquidation == profits)
            #expect(figures.dailyProfit == profits - ExactMoney(life.ledger.settings.startingCash))
            #expect(settled == life.ledger.pots[0].total)
        }
    }

    /// Corrections, busts and late commissions leave what booking the last word at once would have left.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func revisionsLeaveWhatTheLastWordWouldHave(seed: UInt64) throws {
        var life = Life(seed: seed)
        for number in 0..<200 { try life.step(number) }
        var plain = AccountLedger.fresh()
        for entry in life.final { try plain.book(entry.fill) }
        for holding in life.ledger.holdings {
            let position = holding.position
            let expected = plain.position(of: position.instrument.id)
            #expect(position.quantity == expected?.quantity ?? .zero)
            #expect(position.cost == expected?.cost ?? .zero)
            #expect(position.realized == expected?.realized ?? .zero)
        }
        #expect(life.ledger.pots == plain.pots)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func savedLedgerGoesOnAsIfNothingHappened(seed: UInt64) throws {
        var life = Life(seed: seed)
        for number in 0..<100 { try life.step(number) }
        life.ledger.advance(to: GatewayRig.start + .days(1))
        if life.ledger.apple != nil { try life.ledger.split(Holdable.apple.id, 3, for: 2) }
        try life.ledger.book(
            CashPotMovement(
                cause: .deposit, amount: Money(cents: 7), currency: "EUR", time: GatewayRig.start))
        for number in 100..<150 { try life.step(number) }
        let data = try JSONEncoder().encode(life.ledger.snapshot)
        let saved = try JSONDecoder().decode(GatewayAccountSnapshot.self, from: data)
        var restored = try AccountLedger(restoring: saved, settings: life.ledger.settings) {
            conId in
            Holdable.all.first { $0.conId == conId }
        }
        #expect(restored.report == life.ledger.report)
        #expect(restored.figures == life.ledger.figures)
        #expect(restored.pots == life.ledger.pots)
        #expect(restored.snapshot == life.ledger.snapshot)
        try restored.book(accountFill("later.01", .buy, 3, cents: 999))
        try life.ledger.book(accountFill("later.01", .buy, 3, cents: 999))
        #expect(restored.report == life.ledger.report)
    }

    @Test func savedLedgerOfAnUnlistedContractIsRefused() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .buy, 1, cents: 100))
        let saved = ledger.snapshot
        #expect(throws: AccountFault.unknownContract(Holdable.apple.conId)) {
            try AccountLedger(restoring: saved, settings: ledger.settings) { _ in nil }
        }
    }

    @Test func savedLedgerOfImpossibleTimesIsRefused() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .buy, 1, cents: 100))
        var saved = ledger.snapshot
        saved.day = .max
        #expect(throws: AccountFault.implausible("day 2147483647")) {
            try AccountLedger(restoring: saved, settings: ledger.settings) { _ in Holdable.apple }
        }
        saved = ledger.snapshot
        saved.holdings[0].flow = "much"
        #expect(throws: AccountFault.malformedAmount("much")) {
            try AccountLedger(restoring: saved, settings: ledger.settings) { _ in Holdable.apple }
        }
    }
}
