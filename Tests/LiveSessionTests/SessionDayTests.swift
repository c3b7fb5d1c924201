import Configuration
import Foundation
import GatewayTestSupport
import MarketState
import Model
import Primitives
import TWSProtocol
import Testing

@testable import Runtime

/// Sessions over many days.
@Suite struct SessionDayTests {
    /// C-01, C-27: day after day, with the gateway's restart every night and its outage and login at the weekend, and
    /// nobody does anything but log in. `SOAK_DAYS` sets how many days.
    @Test func aSessionGoesThroughItsNights() throws {
        let days = ProcessInfo.processInfo.environment["SOAK_DAYS"].flatMap { Int($0) } ?? 1
        // A Monday, 15:00 in New York.
        let start = Timestamp(seconds: 1_709_582_400)
        let rig = try SessionRig(at: start)
        let calendar = rig.settings.backtest.calendar
        var fills = 0
        for number in 0..<days {
            let day = calendar.day(of: rig.now)
            let isWeekend = day.weekday == .friday
            try rig.pass(to: calendar.close(on: day) + .minutes(isWeekend ? 480 : 465))
            #expect(rig.driver.fillCount > fills, "no fills on \(day)")
            fills = rig.driver.fillCount
            try rig.expectEqualLedgers()
            try rig.gateway.play(
                isWeekend ? "maintenance-week" : "nightly-restart", seed: UInt64(number + 1))
            var next = day.advanced(by: 1)
            while !calendar.hasSession(on: next) { next = next.advanced(by: 1) }
            try rig.pass(to: calendar.open(on: next) + .minutes(45))
            rig.gateway.forgetReceived()
            if days > 1 { print(next, rig.driver.fillCount, Self.residentMegabytes, "MB") }
        }
        try rig.pass(.minutes(30))
        #expect(rig.driver.fillCount > fills)
        try rig.expectEqualLedgers()
        #expect(rig.driver.recovery == nil)
    }

    /// The memory of this process.
    private static var residentMegabytes: Int {
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4_096 / 1_000_000
    }
}
