import Primitives
import TWSProtocol

/// Scripts of data that stop, lie or are refused, and of limits that are enforced.
extension Scenario {
    static let data: [Scenario] = [
        Scenario(
            "farm-blip",
            "The farm of market data breaks for 3 seconds; histories that are kept up to date die without a word, every second one with 10182."
        ) { _ in
            return [
                ScenarioStep(at: .zero, FarmFault()),
                ScenarioStep(at: .zero, StreamsFault(fate: .failed, every: 2)),
                ScenarioStep(at: .zero, StreamsFault(kinds: [DataStream.history.rawValue])),
                ScenarioStep(at: .seconds(3), FarmFault(state: .ok)),
            ]
        },
        Scenario(
            "bad-data",
            "Prices of -1, 0, below 0, crossed, half as high again and beyond all reason, bars upside down, ten seconds each; then bars twice and late, and frames that are no messages, the last of which ends the connection."
        ) { _ in
            var steps = WrongData.allCases.enumerated().map { index, data in
                ScenarioStep(
                    at: .seconds(10 * Int64(index)), DistortFault(data: data, lasting: .seconds(10))
                )
            }
            let end = Int64(10 * steps.count)
            var bars = MessageSelection(sent: [.realTimeBar, .historicalDataUpdate])
            steps.append(
                ScenarioStep(
                    at: .seconds(end), RepeatFault(selection: bars, lasting: .seconds(20))))
            bars.times = 10
            steps.append(
                ScenarioStep(
                    at: .seconds(end + 20),
                    DelayMessagesFault(
                        selection: bars, least: .seconds(6), most: .seconds(20))))
            let shapes: [BrokenFrame] = [
                .unknown, .short, .words, .long, .garbled, .huge, .truncated,
            ]
            for (index, shape) in shapes.enumerated() {
                steps.append(
                    ScenarioStep(
                        at: .seconds(end + 50 + 5 * Int64(index)), FrameFault(shape: shape)))
            }
            return steps
        },
        Scenario(
            "no-permission",
            "Data are refused, a minute each: not subscribed (354), not for programs (10089), not even delayed (10168), another session competes (10197); then orders are read-only (321)."
        ) { _ in
            let denied: [DataAccess] = [
                .unsubscribed, .programSubscriptionMissing, .delayed, .competingSession, .live,
            ]
            var steps = denied.enumerated().map { index, access in
                ScenarioStep(at: .minutes(Int64(index)), AccessFault(access: access))
            }
            steps.append(ScenarioStep(at: .minutes(4), ReadOnlyFault()))
            steps.append(ScenarioStep(at: .minutes(5), ReadOnlyFault(isOn: false)))
            return steps
        },
        Scenario(
            "pacing-police",
            "The broker's limits are enforced: 50 messages a second (100, the third time the connection ends), and the rules on requests for history (162)."
        ) { _ in [ScenarioStep(at: .zero, PacingFault())] },
        Scenario(
            "tick-table",
            "What was ordered last, or SPY, is split so that it trades near one dollar, where steps of price change; an order between two steps is refused (110), as always."
        ) { _ in
            [ScenarioStep(at: .zero, SplitFault(near: 1))]
        },
    ]
}
