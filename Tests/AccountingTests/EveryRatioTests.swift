import Accounting
import Model
import Primitives
import TestSupport
import Testing

/// Property: positions and lots, long and short, follow n:1 and 1:n for every n to 10,000.
@Suite struct EveryRatioTests {
    @Test(arguments: [Side.buy, .sell])
    func positionsAndLotsFollowEveryWholeRatio(side: Side) throws {
        let history = [
            Make.execution(1, side, 1_999, cents: 300_00),
            Make.execution(2, side, 1_001, cents: 310_00, second: 1),
        ]
        let exDay = Make.open.day.advanced(by: 1)
        for n in 2...10_000 as ClosedRange<Int64> {
            for isForward in [true, false] {
                let decimal =
                    isForward
                    ? Quantity(shares: n)
                    : Quantity(units: (2 * Quantity.unitsPerOne / n + 1) / 2)
                let ratio = try #require(SplitRatio(snapping: decimal), "\(n)")
                let booked = BookedAction(
                    CorporateAction(
                        instrument: InstrumentID(index: 0), exDay: exDay, kind: .split(ratio)),
                    price: Price(cents: 305_00))
                var ledger = PositionLedger()
                for execution in history { ledger.apply(execution, multiplier: 1) }
                let isBooked = ledger.apply(booked, multiplier: 1)
                let whole = isForward ? 3_000 * n : 3_000 / n
                let isRight =
                    isBooked
                    && ledger.quantity == side.signed(Quantity(shares: whole))
                    && LotMethod.allCases.allSatisfy {
                        LotLedger($0, of: history, actions: [booked]).agrees(with: ledger)
                    }
                if !isRight { Issue.record("\(ratio.new):\(ratio.old)") }
            }
        }
    }
}
