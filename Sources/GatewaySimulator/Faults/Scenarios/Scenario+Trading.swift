import Primitives
import TWSProtocol

/// Scripts of what the broker, the exchange and other people do to orders and positions.
extension Scenario {
    static let trading: [Scenario] = [
        Scenario(
            "fill-during-1100",
            "Two seconds after the first placement the broker is lost for 20 seconds; orders are filled and cancelled meanwhile, which is told late with commissions a minute late. After the next placement it happens again, and nothing of it is told unless asked for."
        ) { _ in
            let commissions = MessageSelection(sent: [.commissionAndFeesReport])
            var steps = [
                ScenarioStep(
                    at: .zero, DelayMessagesFault(selection: commissions, least: .seconds(60)))
            ]
            for (ordinal, keeping) in [(1, Keeping.delayed), (2, .lost)] {
                let placed = ScenarioMoment.asked(.placeOrder)
                steps += [
                    ScenarioStep(
                        placed, ordinal, after: .seconds(2), LoseLinkFault(facts: keeping)),
                    ScenarioStep(placed, ordinal, after: .seconds(7), FillFault(orders: .oldest)),
                    ScenarioStep(placed, ordinal, after: .seconds(12), CancelFault()),
                    ScenarioStep(placed, ordinal, after: .seconds(22), RestoreLinkFault()),
                ]
            }
            return steps
        },
        Scenario(
            "restart-with-resting",
            "Five seconds after the third placement every connection breaks and the port closes for 30 seconds; the oldest resting order is filled meanwhile, and half of the last one."
        ) { _ in
            let placed = ScenarioMoment.asked(.placeOrder)
            return [
                ScenarioStep(placed, 3, after: .seconds(5), RestartFault(lasting: .seconds(30))),
                ScenarioStep(placed, 3, after: .seconds(15), FillFault(orders: .oldest)),
                ScenarioStep(placed, 3, after: .seconds(20), FillFault(share: 0.5)),
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
                let order = OrderFault(
                    side: trade.side == .buy ? .sell : .buy,
                    client: trade.client == nil ? 99 : nil)
                let time = Duration.seconds(Int64(30 * (round + 1)))
                steps.append(ScenarioStep(at: time, round % 4 == 3 ? order : trade))
            }
            return steps
        },
        Scenario(
            "duplicate-on-modify",
            "The broker is lost two seconds after a placement, for 30 seconds; a change asked for meanwhile becomes a second order with a number of its own."
        ) { _ in
            let placed = ScenarioMoment.asked(.placeOrder)
            return [
                ScenarioStep(at: .zero, DoubleChangeFault()),
                ScenarioStep(placed, 1, after: .seconds(2), LoseLinkFault()),
                ScenarioStep(placed, 1, after: .seconds(32), RestoreLinkFault()),
            ]
        },
        Scenario(
            "fill-after-cancel",
            "Cancels are heard a second late: a third of the order is filled between. Two seconds after the cancel half of what was cancelled is filled, then the rest."
        ) { _ in
            let cancelled = ScenarioMoment.asked(.cancelOrder)
            let cancels = MessageSelection(asked: [.cancelOrder])
            return [
                ScenarioStep(
                    at: .zero, DelayMessagesFault(selection: cancels, least: .seconds(1))),
                ScenarioStep(cancelled, 0, after: .milliseconds(500), FillFault(share: 0.34)),
                ScenarioStep(
                    cancelled, 0, after: .seconds(2), FillFault(orders: .cancelled, share: 0.5)),
                ScenarioStep(cancelled, 0, after: .seconds(3), FillFault(orders: .cancelled)),
            ]
        },
        Scenario(
            "correction-bust",
            "Five seconds after the first fill its price is corrected, five seconds later again; the second fill is taken back ten seconds after it."
        ) { _ in
            let filled = ScenarioMoment.sent(.commissionAndFeesReport)
            return [
                ScenarioStep(filled, 1, after: .seconds(5), CorrectFault()),
                ScenarioStep(filled, 1, after: .seconds(10), CorrectFault()),
                // The two corrections report their commissions as well.
                ScenarioStep(filled, 4, after: .seconds(10), BustFault()),
            ]
        },
        Scenario(
            "bracket-storm",
            "Parents are filled in thirds, two seconds apart, and cancels are heard up to a second late, so that the orders of a group race each other."
        ) { _ in
            let cancels = MessageSelection(asked: [.cancelOrder])
            let third = FillFault(orders: .each, share: 0.34)
            return [
                ScenarioStep(
                    at: .zero,
                    DelayMessagesFault(selection: cancels, least: .zero, most: .seconds(1))),
                ScenarioStep(at: .seconds(2), third).repeated(300, every: .seconds(2)),
            ]
        },
        Scenario(
            "margin-reject",
            "For a minute every order is refused for its margin (201, Inactive); then shares are hard to borrow and short sales held (404, locate) for two minutes."
        ) { _ in
            [
                ScenarioStep(at: .zero, MarginFault()),
                ScenarioStep(at: .minutes(1), MarginFault(isOn: false)),
                ScenarioStep(at: .minutes(1), BorrowFault()),
                ScenarioStep(at: .minutes(3), BorrowFault(isFound: true)),
            ]
        },
        Scenario(
            "split-overnight",
            "While the gateway restarts for a minute, what was ordered last splits four for one: position, average cost and prices change without a fill, resting orders in it are cancelled."
        ) { _ in
            [
                ScenarioStep(at: .zero, RestartFault(lasting: .minutes(1))),
                ScenarioStep(at: .seconds(30), SplitFault()),
            ]
        },
    ]
}
