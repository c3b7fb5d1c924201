import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

@Suite struct AccountServiceTests {
    private func buy(_ execution: String, _ shares: Int64, cents: Int64) -> AccountService.Change {
        .fill(accountFill(execution, .buy, shares, cents: cents))
    }

    private func subscribe(
        _ account: AccountID = .none, _ begins: Bool = true
    ) -> ClientMessage {
        var request = ReqAccountUpdates()
        request.subscribe = begins
        request.acctCode = account
        return .reqAccountUpdates(request)
    }

    private func summary(
        _ id: RequestID, _ tags: String, group: String = "All"
    ) -> ClientMessage {
        var request = ReqAccountSummary()
        (request.reqId, request.group, request.tags) = (id, group, tags)
        return .reqAccountSummary(request)
    }

    private func profit(_ id: RequestID, of account: AccountID = "DU1234567") -> ClientMessage {
        var request = ReqPnL()
        (request.reqId, request.account) = (id, account)
        return .reqPnL(request)
    }

    private func profit(_ id: RequestID, of contract: ContractID) -> ClientMessage {
        var request = ReqPnLSingle()
        (request.reqId, request.account, request.conId) = (id, "DU1234567", contract)
        return .reqPnLSingle(request)
    }

    // MARK: Account updates

    @Test func accountUpdatesBeginWithEverythingAndAnEnd() throws {
        let rig = AccountRig()
        try rig.change(by: buy("e.01", 100, cents: 5_000))
        let client = rig.begin()
        client.send(subscribe())
        let messages = client.take()
        let values = messages.compactMap(\.accountValue)
        for (key, value, currency) in [
            ("AccountCode", "DU1234567", ""), ("AccountReady", "true", ""),
            ("AccountType", "INDIVIDUAL", ""), ("NetLiquidation", "999999.00", "USD"),
            ("NetLiquidation-S", "999999.00", "USD"), ("TotalCashValue", "994999.00", "USD"),
            ("SettledCash", "994999.00", "USD"), ("GrossPositionValue", "5000.00", "USD"),
            ("InitMarginReq", "2500.00", "USD"), ("MaintMarginReq", "1250.00", "USD"),
            ("AvailableFunds", "997499.00", "USD"), ("ExcessLiquidity", "998749.00", "USD"),
            ("BuyingPower", "1994998.00", "USD"), ("CashBalance", "994999.00", "BASE"),
            ("CashBalance", "994999.00", "USD"), ("StockMarketValue", "5000.00", "BASE"),
            ("UnrealizedPnL", "-1.00", "USD"), ("ExchangeRate", "1.00", "USD"),
            // 998,749 / 999,999, rounded down.
            ("Cushion", "0.998749", ""), ("Leverage-S", "0.00", ""),
            ("DayTradesRemaining", "-1", ""), ("SettledCashByDate", "20240305:994999.00", ""),
        ] {
            let published = values.filter { $0.key == key && $0.currency == currency }
            #expect(published.map(\.value) == [value], "\(key) in \(currency)")
        }
        #expect(values.map(\.key) == values.map(\.key).sorted())
        #expect(values.allSatisfy { $0.accountName == "DU1234567" })

        let lines = messages.compactMap(\.portfolioValue)
        #expect(lines.map(\.contract.conId) == [265_598])
        #expect(lines.first?.position == 100)
        #expect(lines.first?.averageCost == 50.01)
        #expect(lines.first?.marketValue == 5_000)
        #expect(lines.first?.unrealizedPNL == -1)
        // Values, positions, the time, the end.
        guard case .accountUpdateTime(let time) = messages.suffix(2).first else {
            Issue.record("the time comes before the end")
            return
        }
        #expect(time.timeStamp == "10:00")
        guard case .accountDownloadEnd(let end) = messages.last else {
            Issue.record("the end comes last")
            return
        }
        #expect(end.accountName == "DU1234567")
        // Asked again while it runs, nothing is repeated.
        client.send(subscribe())
        #expect(client.take().isEmpty)
    }

    @Test func changesAreReportedAtOnceAfterAFillElseEveryThreeMinutes() throws {
        let rig = AccountRig()
        let client = rig.begin()
        client.send(subscribe())
        client.take()
        rig.pass(.minutes(3))
        #expect(client.take().isEmpty)

        try rig.change(by: buy("e.01", 10, cents: 10_000))
        let published = client.take()
        #expect(published.compactMap(\.portfolioValue).map(\.position) == [10])
        let keys = Set(published.compactMap(\.accountValue).map(\.key))
        #expect(keys.isSuperset(of: ["TotalCashValue", "CashBalance", "InitMarginReq"]))
        // The commission is all that it cost the account.
        #expect(
            published.compactMap(\.accountValue).first { $0.key == "NetLiquidation" }?.value
                == "999999.00")
        #expect(!keys.contains("AccountCode"))
        #expect(published.last?.kind == .accountUpdateTime)

        try rig.change(by: .fill(accountFill("f.01", .sell, 10, cents: 11_000)))
        let closed = client.take().compactMap(\.portfolioValue)
        #expect(closed.map(\.position) == [0])
        // 1,100 - 1 - 1,001.
        #expect(closed.first?.realizedPNL == 98)
    }

    @Test func pricesAreReportedWithTheNextRefresh() throws {
        let rig = AccountRig()
        try rig.change(by: buy("e.01", 10, cents: 10_000))
        let client = rig.begin()
        client.send(subscribe())
        client.take()
        rig.prices[Holdable.apple.id] = Price(cents: 11_000)
        rig.pass(.minutes(3) + .milliseconds(-250))
        #expect(client.take().isEmpty)
        rig.pass(.milliseconds(250))
        let published = client.take()
        #expect(published.compactMap(\.portfolioValue).map(\.marketPrice) == [110])
        #expect(published.compactMap(\.portfolioValue).map(\.unrealizedPNL) == [99])
        #expect(
            published.compactMap(\.accountValue).first { $0.key == "StockMarketValue" }?.value
                == "1100.00")
    }

    @Test func newDayIsReportedWithTheNextRefresh() throws {
        let rig = AccountRig()
        try rig.change(by: buy("e.01", 10, cents: 10_000))
        try rig.change(by: .fill(accountFill("f.01", .sell, 10, cents: 11_000)))
        let client = rig.begin()
        client.send(subscribe())
        client.take()
        // From 10:00 to midnight in New York.
        rig.pass(.hours(14), step: .minutes(1))
        let published = client.take().compactMap(\.accountValue)
        #expect(
            published.first { $0.key == "RealizedPnL" && $0.currency == "USD" }?.value == "0.00")
        #expect(
            published.last { $0.key == "SettledCashByDate" }?.value
                == "20240306:998999.00;20240307:1000098.00")
    }

    @Test func endOfASubscriptionIsReported() {
        let rig = AccountRig()
        let client = rig.begin()
        client.send(subscribe(.none, false))
        #expect(client.take().isEmpty)
        client.send(subscribe())
        client.take()
        client.send(subscribe(.none, false))
        #expect(client.codes == [2100])
        client.take()
        rig.pass(.minutes(6), step: .minutes(1))
        #expect(client.take().isEmpty)
    }

    @Test func oneAccountIsFollowedAtATime() {
        let rig = AccountRig(accounts: ["DU1", "DU2"])
        let first = rig.begin()
        let second = rig.begin()
        first.send(subscribe())
        first.send(subscribe("DU9"))
        #expect(first.codes == [321, 321])
        first.take()
        first.send(subscribe("DU1"))
        #expect(first.take().last?.kind == .accountDownloadEnd)
        second.send(subscribe("DU2"))
        #expect(second.take().compactMap(\.accountValue).allSatisfy { $0.accountName == "DU2" })
        #expect(first.codes == [2100])
    }

    // MARK: Summaries

    @Test func summaryHasTheTagsAskedForAndAtMostTwoRun() {
        let rig = AccountRig()
        let client = rig.begin()
        client.send(summary(1, "NetLiquidation, AccountType,Leverage,Nothing"))
        let rows = client.take()
        #expect(
            rows.compactMap(\.accountSummary).map { "\($0.tag)=\($0.value)\($0.currency)" } == [
                "AccountType=INDIVIDUAL", "Leverage=0.00", "NetLiquidation=1000000.00USD",
            ])
        #expect(rows.last?.kind == .accountSummaryEnd)
        client.send(summary(2, "$LEDGER:ALL"))
        let ledger = client.take().compactMap(\.accountSummary)
        #expect(Set(ledger.map(\.currency)) == ["BASE", "USD"])
        #expect(ledger.contains { $0.tag == "CashBalance" && $0.value == "1000000.00" })
        #expect(ledger.allSatisfy { $0.account == "All" })
        client.send(summary(3, "NetLiquidation"))
        #expect(client.codes == [322])
        client.take()

        var cancel = CancelAccountSummary()
        cancel.reqId = 1
        client.send(.cancelAccountSummary(cancel))
        client.send(summary(3, "$LEDGER"))
        #expect(client.codes.isEmpty)
        #expect(Set(client.take().compactMap(\.accountSummary).map(\.currency)) == ["BASE"])
    }

    @Test(arguments: [
        ("", "All", "Tags cannot be null"), ("SMA", "", "Group name cannot be null"),
        ("SMA", "Mine", "Group name is invalid"),
    ])
    func summaryOfNothingIsRefused(tags: String, group: String, cause: String) {
        let client = AccountRig().begin()
        client.send(summary(7, tags, group: group))
        #expect(
            client.messages.compactMap(\.error).map(\.errorString)
                == ["Error validating request.-'b4' : cause - \(cause)"])
        #expect(client.messages.compactMap(\.error).map(\.id) == [7])
    }

    // MARK: Positions

    @Test func positionsAreReportedThenTheirChangesAndClosingAsNothing() throws {
        let rig = AccountRig()
        let client = rig.begin()
        client.send(.reqPositions(ReqPositions()))
        #expect(client.take().map(\.kind) == [.positionEnd])
        try rig.change(by: buy("e.01", 10, cents: 10_000))
        let opened = client.take().compactMap(\.position)
        #expect(opened.map(\.position) == [10])
        #expect(opened.map(\.avgCost) == [100.1])
        #expect(opened.map(\.contract.strike) == [0])
        try rig.change(by: .fill(accountFill("f.01", .sell, 10, cents: 11_000)))
        #expect(client.take().compactMap(\.position).map(\.position) == [0])
        client.send(.cancelPositions(CancelPositions()))
        try rig.change(by: buy("g.01", 10, cents: 10_000))
        #expect(client.take().isEmpty)

        var request = ReqPositionsMulti()
        (request.reqId, request.account) = (4, "DU1234567")
        client.send(.reqPositionsMulti(request))
        #expect(client.take().map(\.kind) == [.positionMulti, .positionMultiEnd])
    }

    @Test func valuesByModelEndAndGoOn() throws {
        let rig = AccountRig()
        let client = rig.begin()
        var request = ReqAccountUpdatesMulti()
        (request.reqId, request.account, request.ledgerAndNLV) = (5, "DU1234567", true)
        client.send(.reqAccountUpdatesMulti(request))
        let values = client.take()
        #expect(values.last?.kind == .accountUpdateMultiEnd)
        let keys = values.compactMap(\.accountUpdateMulti).map(\.key)
        #expect(keys.contains("NetLiquidation") && keys.contains("CashBalance"))
        #expect(!keys.contains("BuyingPower"))
        client.send(.reqAccountUpdatesMulti(request))
        #expect(client.codes == [322])
        client.take()
        try rig.change(
            by: .cash(.deposit, Money(cents: 100), currency: "USD"))
        #expect(
            Set(client.take().compactMap(\.accountUpdateMulti).map(\.key)) == [
                "CashBalance", "NetLiquidation", "NetLiquidationByCurrency", "TotalCashBalance",
            ])
    }

    // MARK: Profit and loss

    @Test func profitsAreReportedWithinASecondOfTheirChange() throws {
        let rig = AccountRig()
        let client = rig.begin()
        client.send(profit(1))
        client.send(profit(2, of: 265_598))
        let first = client.take()
        #expect(first.compactMap(\.pnl).map(\.dailyPnL) == [0])
        // Nobody lists the contract, so nothing is told of it.
        #expect(first.count == 1)
        try rig.change(by: buy("e.01", 10, cents: 10_000))
        rig.pass(.seconds(1))
        let changed = client.take()
        #expect(changed.compactMap(\.pnl).map(\.dailyPnL) == [-1])
        #expect(changed.compactMap(\.pnl).map(\.unrealizedPnL) == [-1])
        #expect(changed.compactMap(\.pnlSingle).map(\.position) == [10])
        #expect(changed.compactMap(\.pnlSingle).map(\.value) == [1_000])
        rig.pass(.seconds(5))
        #expect(client.take().isEmpty)
        rig.prices[Holdable.apple.id] = Price(cents: 10_100)
        rig.pass(.seconds(1))
        let marked = client.take()
        #expect(marked.compactMap(\.pnl).map(\.dailyPnL) == [9])
        #expect(marked.compactMap(\.pnlSingle).map(\.unrealizedPnL) == [9])
    }

    @Test func profitRequestsThatCannotBeAreRefused() {
        let client = AccountRig().begin()
        client.send(profit(1, of: ""))
        client.send(profit(1, of: "DU9"))
        client.send(profit(1))
        client.send(profit(1))
        var cancel = CancelPnL()
        cancel.reqId = 1
        client.send(.cancelPnL(cancel))
        client.send(.cancelPnL(cancel))
        var single = CancelPnLSingle()
        single.reqId = 1
        client.send(.cancelPnLSingle(single))
        #expect(client.codes == [321, 321, 102, 10_185, 10_186])
    }

    // MARK: Others

    @Test func adviceIsForAdvisors() {
        let client = AccountRig().begin()
        client.send(.requestFA(RequestFA()))
        #expect(client.codes == [321])
        client.send(.reqFamilyCodes(ReqFamilyCodes()))
        guard case .familyCodes(let codes) = client.messages.last else {
            Issue.record("family codes are told")
            return
        }
        #expect(codes.familyCodes.map(\.accountID) == ["*"])
    }

    @Test func whoLeftIsForgotten() throws {
        let rig = AccountRig()
        let client = rig.begin()
        client.send(summary(1, "NetLiquidation"))
        client.send(summary(2, "NetLiquidation"))
        client.leave()
        let next = rig.begin()
        next.send(summary(1, "NetLiquidation"))
        #expect(next.codes.isEmpty)
    }
}

extension GatewayMessage {
    fileprivate var accountValue: WireAccountValue? {
        if case .accountValue(let message) = self { message } else { nil }
    }
    fileprivate var portfolioValue: PortfolioValue? {
        if case .portfolioValue(let message) = self { message } else { nil }
    }
    fileprivate var accountSummary: AccountSummary? {
        if case .accountSummary(let message) = self { message } else { nil }
    }
    fileprivate var accountUpdateMulti: AccountUpdateMulti? {
        if case .accountUpdateMulti(let message) = self { message } else { nil }
    }
    fileprivate var position: Position? {
        if case .position(let message) = self { message } else { nil }
    }
    fileprivate var pnl: Pnl? {
        if case .pnl(let message) = self { message } else { nil }
    }
    fileprivate var pnlSingle: PnlSingle? {
        if case .pnlSingle(let message) = self { message } else { nil }
    }
    fileprivate var error: ErrorMessage? {
        if case .error(let message) = self { message } else { nil }
    }
}
