import Primitives
import TWSProtocol

/// Scripts of orders whose answers are lost, late, doubled or in another order.
extension Scenario {
    /// What is published about an order.
    private static let callbacks: Set<GatewayMessageKind> = [
        .openOrder, .orderStatus, .execDetails, .commissionAndFeesReport,
    ]

    static let ordering: [Scenario] = [
        Scenario(
            "swallowed",
            "5 % of placements and cancels are never answered: half of them are lost, the others are carried out in silence."
        ) { _ in
            let some = MessageSelection(asked: [.placeOrder, .cancelOrder], share: 0.025)
            return [
                ScenarioStep(at: .zero, DropMessagesFault(selection: some)),
                ScenarioStep(at: .zero, MuteFault(selection: some)),
            ]
        },
        Scenario(
            "id-rollback",
            "Four placements are taken from the socket and lost; two seconds after the fourth the gateway restarts for a minute and tells a next valid number below theirs."
        ) { _ in
            [
                ScenarioStep(
                    at: .zero,
                    DropMessagesFault(selection: MessageSelection(asked: [.placeOrder], times: 4))),
                ScenarioStep(
                    .asked(.placeOrder), 4, after: .seconds(2), RestartFault(lasting: .minutes(1))),
            ]
        },
        Scenario(
            "late-cancel-ack",
            "Cancels asked for while the market is closed are not answered before it opens."
        ) { _ in
            let cancels = MessageSelection(asked: [.cancelOrder])
            return [
                ScenarioStep(
                    at: .zero, DelayMessagesFault(selection: cancels, untilOpen: true))
            ]
        },
        Scenario(
            "callback-permutations",
            "What is told of an order comes in any order within 2 seconds, some of it twice, some of it never; requests are answered fully after that."
        ) { _ in
            let statuses = MessageSelection(sent: [.openOrder, .orderStatus], share: 0.2)
            return [
                ScenarioStep(at: .zero, DropMessagesFault(selection: statuses)),
                ScenarioStep(
                    at: .zero,
                    RepeatFault(selection: MessageSelection(sent: callbacks, share: 0.3))),
                ScenarioStep(
                    at: .zero,
                    DelayMessagesFault(
                        selection: MessageSelection(sent: callbacks), least: .zero,
                        most: .seconds(2))),
            ]
        },
        Scenario(
            "info-codes",
            "Codes that change nothing, and codes of refusals that did not happen, are told of every order: at its placing, while it works, at its fills and at its cancel."
        ) { _ in
            let codes = [
                399, 404, 10349, 10090, 2109, 202, 161, 10147, 10148, 201, 200, 110, 103, 10311,
                2137,
            ]
            let moments: [ScenarioMoment] = [
                .asked(.placeOrder), .sent(.execDetails), .asked(.cancelOrder),
            ]
            return moments.flatMap { moment in
                codes.enumerated().map { index, code in
                    ScenarioStep(
                        moment, 0, after: .seconds(Int64(index) / 3),
                        CodeFault(code: code, orders: .last))
                }
            }
        },
        Scenario(
            "dialog-hold",
            "A dialog in the gateway holds every order until one of them is cancelled."
        ) { _ in
            [
                ScenarioStep(at: .zero, DelayMessagesFault(selection: .orders)),
                ScenarioStep(.asked(.cancelOrder), 1, ReleaseFault()),
            ]
        },
    ]
}
