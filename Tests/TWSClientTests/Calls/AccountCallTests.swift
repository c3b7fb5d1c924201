import ClientTestSupport
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

@Suite struct AccountCallTests {
    private func value(_ key: String, _ value: String, _ currency: String) -> GatewayMessage {
        var message = WireAccountValue()
        message.key = key
        message.value = value
        message.currency = currency
        message.accountName = "DU1234567"
        return .accountValue(message)
    }

    private func holding(_ number: Int32, _ size: DecimalValue) -> PortfolioValue {
        var message = PortfolioValue()
        message.contract.conId = ContractID(rawValue: number)
        message.position = size
        message.accountName = "DU1234567"
        return message
    }

    private func end() -> GatewayMessage {
        var message = AccountDownloadEnd()
        message.accountName = "DU1234567"
        return .accountDownloadEnd(message)
    }

    @Test func anAccountsSnapshotIsTakenAndCalledOff() async throws {
        let gateway = ScriptedGateway()
        let rows = [
            value("TotalCashValue", "1000.50", "USD"), value("TotalCashValue", "1000.50", "BASE"),
            .portfolioValue(holding(1, 5)), value("TotalCashValue", "999.25", "USD"), end(),
        ]
        gateway.on(.reqAccountUpdates) { message in
            guard case .reqAccountUpdates(let asked) = message, asked.subscribe else { return [] }
            return rows
        }
        let client = try await gateway.connectedClient()
        let snapshot = try await gateway.finish {
            try await client.accountSnapshot("DU1234567")
        }
        #expect(snapshot.number("TotalCashValue") == 999.25)
        #expect(snapshot.number("TotalCashValue", currency: "BASE") == 1_000.5)
        #expect(snapshot.positions == [holding(1, 5)])
        try await gateway.clock.run(until: "the end arrives") {
            gateway.received(.reqAccountUpdates).count == 2
        }
        guard case .reqAccountUpdates(let last)? = gateway.received(.reqAccountUpdates).last else {
            Issue.record("no reqAccountUpdates")
            return
        }
        #expect(!last.subscribe)
    }

    @Test func accountUpdatesGoOnBehindTheFirstSet() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let stream = client.accountUpdates("DU1234567")
        let read = Reading(stream)
        try await gateway.clock.run(until: "asked") {
            !gateway.received(.reqAccountUpdates).isEmpty
        }
        var time = AccountUpdateTime()
        time.timeStamp = "12:01"
        gateway.send(
            value("NetLiquidation", "5", "USD"), .accountUpdateTime(time), end(),
            .portfolioValue(holding(1, 0)))
        try await gateway.clock.run(until: "four updates") { read.elements.count == 4 }
        let updates: [AccountUpdate] = read.data()
        #expect(updates[1] == .time("12:01"))
        #expect(updates[2] == .complete("DU1234567"))
        #expect(updates[3] == .position(holding(1, 0)))
        stream.cancel()
        try await gateway.clock.run(until: "the end arrives") {
            gateway.received(.reqAccountUpdates).count == 2
        }
    }

    @Test func aSummaryIsAListAndFreesItsSlot() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqAccountSummary) { message in
            var row = AccountSummary()
            row.reqId = message.requestID ?? 0
            row.tag = "NetLiquidation"
            row.value = "7"
            var end = AccountSummaryEnd()
            end.reqId = row.reqId
            return [.accountSummary(row), .accountSummaryEnd(end)]
        }
        let client = try await gateway.connectedClient()
        // Two at a time is the broker's limit: five in a row show that each is called off.
        for _ in 0..<5 {
            let rows = try await gateway.finishOverTime {
                try await client.accountSummary(["NetLiquidation", SummaryTag.ledger(of: "USD")])
            }
            #expect(rows.map(\.value) == ["7"])
        }
        #expect(gateway.live.isEmpty)
        guard case .reqAccountSummary(let asked)? = gateway.received(.reqAccountSummary).first
        else {
            Issue.record("no reqAccountSummary")
            return
        }
        #expect(asked.group == "All" && asked.tags == "NetLiquidation,$LEDGER:USD")
        gateway.clock.advance(by: .seconds(5))
        let stream = client.accountSummaryUpdates()
        let read = Reading(stream)
        try await gateway.clock.run(until: "a value") { read.elements.count == 1 }
        stream.cancel()
    }

    @Test func positionsAreTheNewestAndNoClosedOnes() async throws {
        func position(_ number: Int32, _ size: DecimalValue) -> Position {
            var position = Position()
            position.account = "DU1234567"
            position.contract.conId = ContractID(rawValue: number)
            position.position = size
            return position
        }
        let gateway = ScriptedGateway {
            $0.positions = [position(1, 5), position(2, 0), position(1, 6)]
        }
        let client = try await gateway.connectedClient()
        let held = try await gateway.finish { try await client.positions() }
        #expect(held == [position(1, 6)])
        try await gateway.clock.run(until: "it is called off") {
            gateway.received(.cancelPositions).count == 1
        }
        let stream = client.positionUpdates()
        let read = Reading(stream)
        try await gateway.clock.run(until: "three positions") { read.elements.count == 3 }
        // A question beside a subscription does not end it.
        _ = try await gateway.finish { try await client.positions() }
        await gateway.clock.settle()
        #expect(gateway.received(.cancelPositions).count == 1)
        stream.cancel()
        try await gateway.clock.run(until: "the subscription is called off") {
            gateway.received(.cancelPositions).count == 2
        }
    }

    @Test func profitAndLossComeByAccountAndPosition() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqPnL) { message in
            var answer = Pnl()
            answer.reqId = message.requestID ?? 0
            answer.dailyPnL = -12.5
            return [.pnl(answer)]
        }
        gateway.on(.reqPnLSingle) { message in
            var answer = PnlSingle()
            answer.reqId = message.requestID ?? 0
            answer.position = 3
            return [.pnlSingle(answer)]
        }
        let client = try await gateway.connectedClient()
        let account = client.profitAndLoss("DU1234567")
        let position = client.profitAndLoss("DU1234567", of: 265_598)
        let (readAccount, readPosition) = (Reading(account), Reading(position))
        try await gateway.clock.run(until: "both come") {
            readAccount.elements.count + readPosition.elements.count == 2
        }
        let values: [Pnl] = readAccount.data()
        #expect(values.first?.dailyPnL == -12.5)
        let single: [PnlSingle] = readPosition.data()
        #expect(single.first?.position == 3)
        account.cancel()
        position.cancel()
        try await gateway.clock.run(until: "both are called off") {
            gateway.received(.cancelPnL).count + gateway.received(.cancelPnLSingle).count == 2
        }
    }

    /// A way of two seconds each: the gateway's clock is read at half of the round trip.
    @Test(arguments: [196, 200])
    func theClocksSkewIsReadAtHalfTheRoundTrip(version: Int) async throws {
        let gateway = ScriptedGateway { $0.versions = 157...version }
        let clock = gateway.clock
        gateway.on(.reqCurrentTime) { _ in
            var answer = CurrentTime()
            answer.time = clock.timeOfDay.nanoseconds / 1_000_000_000 + 30
            return [.currentTime(answer)]
        }
        gateway.on(.reqCurrentTimeInMillis) { _ in
            var answer = CurrentTimeInMillis()
            answer.timeInMillis = clock.timeOfDay.nanoseconds / 1_000_000 + 30_250
            return [.currentTimeInMillis(answer)]
        }
        let client = try await gateway.connectedClient()
        gateway.change { $0.latency = .seconds(2) }
        let reading = try await gateway.finishOverTime { try await client.clockReading() }
        #expect(reading.roundTrip == .seconds(4))
        #expect(reading.skew == (version < 197 ? .seconds(30) : .milliseconds(30_250)))
        #expect(reading.resolution == (version < 197 ? .seconds(1) : .milliseconds(1)))
    }

    @Test func accountsAndUserAreAskedFor() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqUserInfo) { message in
            var answer = UserInfo()
            answer.reqId = message.requestID ?? 0
            answer.whiteBrandingId = "brand"
            return [.userInfo(answer)]
        }
        let client = try await gateway.connectedClient()
        #expect(try await gateway.finish { try await client.managedAccounts() } == ["DU1234567"])
        #expect(try await gateway.finish { try await client.userInfo() } == "brand")
        let time = try await gateway.finish { try await client.currentTime() }
        #expect(time == gateway.clock.timeOfDay)
    }

    /// Nothing of what has no number may be asked twice at a time: answers could not be told apart.
    @Test func questionsWithoutANumberAreAskedOneAfterTheOther() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqCurrentTime) { _ in [] }
        let client = try await gateway.connectedClient()
        let first = Started(on: gateway.clock) { try await client.currentTime() }
        try await gateway.clock.run(until: "asked") { gateway.received(.reqCurrentTime).count == 1 }
        let second = Started(on: gateway.clock) { try await client.currentTime() }
        let third = Started(on: gateway.clock) { try await client.currentTime() }
        await gateway.clock.settle()
        #expect(gateway.received(.reqCurrentTime).count == 1)
        third.cancel()
        #expect(try await third.error() is CancellationError)
        var answer = CurrentTime()
        answer.time = 1
        gateway.send(.currentTime(answer))
        #expect(try await first.value() == Timestamp(seconds: 1))
        try await gateway.clock.run(until: "the second") {
            gateway.received(.reqCurrentTime).count == 2
        }
        gateway.send(.currentTime(answer))
        _ = try await second.value()
    }
}
