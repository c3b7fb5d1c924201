import Primitives
import TWSProtocol
import Testing

@testable import GatewaySimulator

@Suite struct PacingAuditTests {
    private let start = GatewayRig.start
    private let client = ConnectionID(number: 1)

    private func query(
        _ instrument: Int = 0, _ kind: WhatToShow = .trades, size: WireBarSize = .fiveSeconds,
        seconds: Int32 = 60
    ) -> PacedHistory {
        PacedHistory(
            instrument: InstrumentID(index: instrument), exchange: "SMART", whatToShow: kind,
            kind: .bars(size, .seconds(seconds)), regularHoursOnly: true)
    }

    @Test func fiftyMessagesASecondAreFine() {
        var pacingAudit = PacingAudit()
        for count in 0..<200 {
            let at = start + .milliseconds(Int64(count) * 20)
            #expect(pacingAudit.message(from: client, at: at) == .fine)
        }
        #expect(pacingAudit.violationsTotal == 0)
    }

    @Test func breachesAreCountedOnceASecondForEachClient() {
        var pacingAudit = PacingAudit()
        for _ in 0..<50 { #expect(pacingAudit.message(from: client, at: start) == .fine) }
        #expect(pacingAudit.message(from: client, at: start) == .tooMany(received: 51, times: 1))
        #expect(pacingAudit.message(from: client, at: start + .milliseconds(500)) == .fine)
        let other = ConnectionID(number: 2)
        #expect(pacingAudit.message(from: other, at: start) == .fine)
        for _ in 0..<60 { _ = pacingAudit.message(from: client, at: start + .milliseconds(900)) }
        #expect(
            pacingAudit.message(from: client, at: start + .seconds(1))
                == .tooMany(received: 62, times: 2))
        #expect(pacingAudit.violations(of: .messages) == 2)
    }

    @Test func sameQueryWaitsAQuarterMinute() {
        var pacingAudit = PacingAudit()
        #expect(pacingAudit.history(query(), at: start) == nil)
        #expect(pacingAudit.history(query(), at: start + .milliseconds(14_999)) == .sameQuery)
        #expect(pacingAudit.history(query(seconds: 120), at: start + .milliseconds(14_999)) == nil)
        #expect(pacingAudit.history(query(), at: start + .seconds(15)) == nil)
        #expect(pacingAudit.violations(of: .sameQuery) == 1)
    }

    @Test func sixForTheSameTicksInTwoSecondsAreTooMany() {
        var pacingAudit = PacingAudit()
        for count in 1...5 {
            #expect(pacingAudit.history(query(seconds: Int32(count)), at: start) == nil)
        }
        #expect(
            pacingAudit.history(query(seconds: 6), at: start + .milliseconds(1_999)) == .sameTicks)
        #expect(pacingAudit.history(query(1, seconds: 6), at: start) == nil)
        #expect(pacingAudit.history(query(seconds: 6), at: start + .seconds(2)) == nil)
    }

    @Test func bidsAndAsksTogetherCountTwice() {
        var pacingAudit = PacingAudit()
        for count in 1...2 {
            #expect(pacingAudit.history(query(0, .bidAsk, seconds: Int32(count)), at: start) == nil)
        }
        #expect(pacingAudit.history(query(0, .bidAsk, seconds: 3), at: start) == .sameTicks)
    }

    @Test func sixtyInTenMinutes() {
        var pacingAudit = PacingAudit()
        for count in 0..<60 {
            #expect(pacingAudit.history(query(count), at: start + .seconds(Int64(count))) == nil)
        }
        #expect(pacingAudit.history(query(60), at: start + .seconds(599)) == .smallHistory)
        #expect(pacingAudit.history(query(60), at: start + .seconds(600)) == nil)
    }

    @Test func minutesAndLongerAreFree() {
        var pacingAudit = PacingAudit()
        for _ in 0..<500 { #expect(pacingAudit.history(query(size: .oneMinute), at: start) == nil) }
        #expect(pacingAudit.violationsTotal == 0)
    }

    @Test func refusalsAreReportedInTheirOwnWords() {
        let client = GatewayRig().dataClient()
        client.askBars(1, .seconds(60), .fiveSeconds)
        client.askBars(2, .seconds(60), .fiveSeconds)
        #expect(client.codes == [162])
        #expect(
            client.lastText
                == "Historical Market Data Service error message:Historical data request pacing "
                + "violation")
        client.subscribeBars(3, .stock("MSFT"))
        client.subscribeBars(4, .stock("MSFT"))
        #expect(client.codes == [162, 420])
        #expect(
            client.lastText == "Invalid Real-time Query:Historical data request pacing violation")
    }
}
