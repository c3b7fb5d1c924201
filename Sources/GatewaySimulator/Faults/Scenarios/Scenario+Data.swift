import Primitives
import TWSProtocol

/// Scripts of data that stop, lie or are refused, and of limits that are enforced.
extension Scenario {
    static let data: [Scenario] = [
        Scenario(
            "farm-blip",
            "The farm of market data breaks for 3 seconds; histories that are kept up to date die without a word, every second one with 10182."
        ) { _ in
            var failed = StreamsFault()
            failed.fate = .failed
            failed.every = 2
            var dead = StreamsFault()
            dead.kinds = [DataStream.history.rawValue]
            return [
                ScenarioStep(at: .zero, .farm(.data, .broken)),
                ScenarioStep(at: .zero, .streams(failed)),
                ScenarioStep(at: .zero, .streams(dead)),
                ScenarioStep(at: .seconds(3), .farm(.data, .ok)),
            ]
        },
        Scenario(
            "bad-data",
            "Prices of -1, 0, below 0, crossed, half as high again and beyond all reason, bars upside down, ten seconds each; then bars twice and late, and frames that are no messages, the last of which ends the connection."
        ) { _ in
            var steps = WrongData.allCases.enumerated().map { index, data in
                ScenarioStep(
                    at: .seconds(10 * Int64(index)), .distort(data, for: .seconds(10)))
            }
            let bars: Set<GatewayMessageKind> = [.realTimeBar, .historicalDataUpdate]
            let end = Int64(10 * steps.count)
            steps.append(ScenarioStep(at: .seconds(end), .duplicate(bars, for: .seconds(20))))
            steps.append(
                ScenarioStep(
                    at: .seconds(end + 20),
                    .delayMessages(sent: bars, .seconds(6), most: .seconds(20), times: 10)))
            let shapes: [BrokenFrame] = [
                .unknown, .short, .words, .long, .garbled, .huge, .truncated,
            ]
            for (index, shape) in shapes.enumerated() {
                steps.append(
                    ScenarioStep(at: .seconds(end + 50 + 5 * Int64(index)), .frame(shape)))
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
                var fault = AccessFault()
                fault.access = access
                return ScenarioStep(at: .minutes(Int64(index)), .access(fault))
            }
            var off = ReadOnlyFault()
            off.isOn = false
            steps.append(ScenarioStep(at: .minutes(4), .readOnly(ReadOnlyFault())))
            steps.append(ScenarioStep(at: .minutes(5), .readOnly(off)))
            return steps
        },
        Scenario(
            "pacing-police",
            "The broker's limits are enforced: 50 messages a second (100, the third time the connection ends), and the rules on requests for history (162)."
        ) { _ in [ScenarioStep(at: .zero, .pacing(PacingFault()))] },
        Scenario(
            "tick-table",
            "What was ordered last, or SPY, is split so that it trades near one dollar, where steps of price change; an order between two steps is refused (110), as always."
        ) { _ in
            var split = SplitFault()
            split.near = 1
            return [ScenarioStep(at: .zero, .split(split))]
        },
    ]
}
