import Catalog
import Model
import Primitives
import Reporting
import Signals
import Testing

@testable import Runtime

/// Changes of orders in what a run leaves behind.
@Suite struct RevisionTests {
    /// Buys at the first close, behind a stop; at the second and third it names a higher one.
    private struct Climber: Strategy {
        static let declaration = StrategyDeclaration(
            name: "climber", summary: "moves its stop", parameters: [])

        private var closeCount: Int64 = 0

        init() {}

        init(_ setup: StrategySetup) {}

        mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
            closeCount += 1
            let rule = Protection(stop: .price(Price(cents: 90_00 + closeCount * 1_00)))
            switch closeCount {
            case 1: context.enter(.buy, bar.instrument, protectedBy: rule, because: "first")
            case 2, 3: context.protect(bar.instrument, with: rule, because: "higher")
            default: break
            }
        }
    }

    /// The entry is order 1, its stop order 2: changed at the ends of the second and third minute.
    @Test func changesOfAStopAreCountedWithTheirTimes() throws {
        let closes = BarSeries.closes(Array(repeating: 100_00, count: 5))
        let start = closes.rows[0].start
        let record = try Trial([closes], Climber()).run()
        #expect(record.orders.map(\.revisionCount) == [0, 2])
        #expect(record.orders.last?.ticket.request.type == .stop(Price(cents: 93_00)))
        #expect(record.revisions.map(\.order.number) == [2, 2])
        #expect(record.revisions.map(\.at) == [start + .minutes(2), start + .minutes(3)])
        // Two submissions and two changes, one order with an execution.
        #expect(OrderEfficiency(of: record)?.ratio == 2)
    }
}
