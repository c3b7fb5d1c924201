import ClientTestSupport
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

@Suite struct ParallelHistoryTests {
    /// A gateway that takes a second over every answer is waited for together: daily bars are bound by
    /// messages a second and by the requests that may be open, and by nothing else.
    @Test func fiftyHistoriesTakeLessThanThreeTimesOne() async throws {
        let one = try await time(forHistoriesOf: 1)
        let fifty = try await time(forHistoriesOf: 50)
        #expect(one >= .seconds(1))
        #expect(fifty.nanoseconds < 3 * one.nanoseconds, "\(fifty) against \(one)")
    }

    private func time(forHistoriesOf count: Int32) async throws -> Duration {
        let gateway = ScriptedGateway()
        gateway.on(.reqHistoricalData) { message in
            var data = HistoricalData()
            data.reqId = message.requestID ?? 0
            var bar = HistoricalBar()
            bar.date = .epoch(1_699_833_600)
            bar.close = 100
            data.bars = [bar]
            var end = HistoricalDataEnd()
            end.reqId = data.reqId
            return [.historicalData(data), .historicalDataEnd(end)]
        }
        let client = try await gateway.connectedClient()
        gateway.change { $0.latency = .seconds(1) }
        let clock = gateway.clock
        let begin = clock.now
        let call = Started(on: clock) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...count {
                    group.addTask {
                        try await client.bars(
                            BarQuestion(.numbered("S\(number)", number), .oneMinute),
                            from: Timestamp(seconds: 1_699_833_000),
                            to: Timestamp(seconds: 1_699_840_200)
                        ).count
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        for _ in 0..<1_000 where !call.isDone {
            await clock.settle(rounds: 40)
            if !call.isDone { clock.advance(by: .milliseconds(50)) }
        }
        #expect(try await call.value() == Int(count))
        return clock.now - begin
    }
}
