import Primitives
import TWSProtocol

/// Scripts of what the broker, the exchange and other people do to orders and positions.
extension Scenario {
    static let trading: [Scenario] = [
        Scenario(
            "fill-during-1100",
            "Two seconds after the first placement the broker is lost for 20 seconds; orders are filled and cancelled meanwhile, which is told late with commissions a minute late. After the next placement it happens again, and nothing of it is told unless asked for."
        ) { _ in
            var fill = FillFault()
            fill.orders = .oldest
            var cancel = CancelFault()
            cancel.orders = .last
            var steps = [
                ScenarioStep(
                    at: .zero, .delayMessages(sent: [.commissionAndFeesReport], .seconds(60)))
            ]
            for (ordinal, keeping) in [(1, Keeping.delayed), (2, .lost)] {
                let placed = ScenarioMoment.asked(.placeOrder)
                steps += [
                    ScenarioStep(placed, ordinal, after: .seconds(2), .loseLink(keeping)),
                    ScenarioStep(placed, ordinal, after: .seconds(7), .fill(fill)),
                    ScenarioStep(placed, ordinal, after: .seconds(12), .cancel(cancel)),
                    ScenarioStep(placed, ordinal, after: .seconds(22), .restoreLink(.kept)),
                ]
            }
            return steps
        },
        Scenario(
            "restart-with-resting",
            "Five seconds after the third placement every connection breaks and the port closes for 30 seconds; the oldest resting order is filled meanwhile, and half of the last one."
        ) { _ in
            let placed = ScenarioMoment.asked(.placeOrder)
            var oldest = FillFault()
            oldest.orders = .oldest
            var half = FillFault()
            half.share = 0.5
            return [
                ScenarioStep(placed, 3, after: .seconds(5), .restart(.seconds(30))),
                ScenarioStep(placed, 3, after: .seconds(15), .fill(oldest)),
                ScenarioStep(placed, 3, after: .seconds(20), .fill(half)),
            ]
        },
        Scenario(
            "foreign-trader",
            "Every 30 seconds somebody trades or orders what was ordered last: by hand, and as client 99, which is not connected."
        ) { random in
            var steps: [ScenarioStep] = []
            for round in 0..<20 {
                var trade = TradeFault()
                trade.side = random.happens(0.5) ? .buy : .sell
                trade.quantity = 1 + Int(random.next() % 200)
                trade.client = random.happens(0.5) ? 99 : nil
                var order = OrderFault()
                order.side = trade.side == .buy ? .sell : .buy
                order.quantity = 100
                order.client = trade.client == nil ? 99 : nil
                let time = Duration.seconds(Int64(30 * (round + 1)))
                steps.append(ScenarioStep(at: time, round % 4 == 3 ? .order(order) : .trade(trade)))
            }
            return steps
        },
        Scenario(
            "duplicate-on-modify",
            "The broker is lost two seconds after a placement, for 30 seconds; a change asked for meanwhile becomes a second order with a number of its own."
        ) { _ in
            let placed = ScenarioMoment.asked(.placeOrder)
            return [
                ScenarioStep(at: .zero, .doubleChanges(DoubleChangeFault())),
                ScenarioStep(placed, 1, after: .seconds(2), .loseLink()),
                ScenarioStep(placed, 1, after: .seconds(32), .restoreLink(.kept)),
            ]
        },
        Scenario(
            "fill-after-cancel",
            "Cancels are heard a second late: a third of the order is filled between. Two seconds after the cancel half of what was cancelled is filled, then the rest."
        ) { _ in
            let cancelled = ScenarioMoment.asked(.cancelOrder)
            var before = FillFault()
            before.share = 0.34
            var half = FillFault()
            half.orders = .cancelled
            half.share = 0.5
            var remainder = half
            remainder.share = 1
            return [
                ScenarioStep(at: .zero, .delayMessages([.cancelOrder], .seconds(1))),
                ScenarioStep(cancelled, 0, after: .milliseconds(500), .fill(before)),
                ScenarioStep(cancelled, 0, after: .seconds(2), .fill(half)),
                ScenarioStep(cancelled, 0, after: .seconds(3), .fill(remainder)),
            ]
        },
        Scenario(
            "correction-bust",
            "Five seconds after the first fill its price is corrected, five seconds later again; the second fill is taken back ten seconds after it."
        ) { _ in
            let filled = ScenarioMoment.sent(.commissionAndFeesReport)
            return [
                ScenarioStep(filled, 1, after: .seconds(5), .correct(CorrectFault())),
                ScenarioStep(filled, 1, after: .seconds(10), .correct(CorrectFault())),
                // The two corrections report their commissions as well.
                ScenarioStep(filled, 4, after: .seconds(10), .bust(BustFault())),
            ]
        },
        Scenario(
            "bracket-storm",
            "Parents are filled in thirds, two seconds apart, and cancels are heard up to a second late, so that the orders of a group race each other."
        ) { _ in
            var third = FillFault()
            third.orders = .each
            third.share = 0.34
            return [
                ScenarioStep(at: .zero, .delayMessages([.cancelOrder], .zero, most: .seconds(1))),
                ScenarioStep(at: .seconds(2), .fill(third)).repeated(300, every: .seconds(2)),
            ]
        },
        Scenario(
            "margin-reject",
            "For a minute every order is refused for its margin (201, Inactive); then shares are hard to borrow and short sales held (404, locate) for two minutes."
        ) { _ in
            var off = MarginFault()
            off.isOn = false
            var found = BorrowFault()
            found.isFound = true
            return [
                ScenarioStep(at: .zero, .margin(MarginFault())),
                ScenarioStep(at: .minutes(1), .margin(off)),
                ScenarioStep(at: .minutes(1), .borrow(BorrowFault())),
                ScenarioStep(at: .minutes(3), .borrow(found)),
            ]
        },
        Scenario(
            "split-overnight",
            "While the gateway restarts for a minute, what was ordered last splits four for one: position, average cost and prices change without a fill, resting orders in it are cancelled."
        ) { _ in
            [
                ScenarioStep(at: .zero, .restart(.minutes(1))),
                ScenarioStep(at: .seconds(30), .split(SplitFault())),
            ]
        },
    ]
}
