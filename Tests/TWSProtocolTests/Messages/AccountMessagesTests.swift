import TWSProtocol
import Testing

/// Account values, positions, profit and loss.
@Suite struct AccountMessagesTests {
    @Test func requestsSurviveTheWire() throws {
        try expectRoundTrips(of: ReqAccountUpdates.self, from: .client)
        try expectRoundTrips(of: ReqAccountSummary.self, from: .client)
        try expectRoundTrips(of: CancelAccountSummary.self, from: .client)
        try expectRoundTrips(of: ReqPositions.self, from: .client)
        try expectRoundTrips(of: CancelPositions.self, from: .client)
        try expectRoundTrips(of: ReqPositionsMulti.self, from: .client)
        try expectRoundTrips(of: CancelPositionsMulti.self, from: .client)
        try expectRoundTrips(of: ReqAccountUpdatesMulti.self, from: .client)
        try expectRoundTrips(of: CancelAccountUpdatesMulti.self, from: .client)
        try expectRoundTrips(of: ReqPnL.self, from: .client)
        try expectRoundTrips(of: CancelPnL.self, from: .client)
        try expectRoundTrips(of: ReqPnLSingle.self, from: .client)
        try expectRoundTrips(of: CancelPnLSingle.self, from: .client)
    }

    @Test func answersSurviveTheWire() throws {
        try expectRoundTrips(of: WireAccountValue.self, from: .gateway)
        try expectRoundTrips(of: AccountUpdateTime.self, from: .gateway)
        try expectRoundTrips(of: AccountDownloadEnd.self, from: .gateway)
        try expectRoundTrips(of: AccountSummary.self, from: .gateway)
        try expectRoundTrips(of: AccountSummaryEnd.self, from: .gateway)
        try expectRoundTrips(of: AccountUpdateMulti.self, from: .gateway)
        try expectRoundTrips(of: AccountUpdateMultiEnd.self, from: .gateway)
        try expectRoundTrips(of: PortfolioValue.self, from: .gateway)
        try expectRoundTrips(of: Position.self, from: .gateway)
        try expectRoundTrips(of: PositionEnd.self, from: .gateway)
        try expectRoundTrips(of: PositionMulti.self, from: .gateway)
        try expectRoundTrips(of: PositionMultiEnd.self, from: .gateway)
        try expectRoundTrips(of: Pnl.self, from: .gateway)
        try expectRoundTrips(of: PnlSingle.self, from: .gateway)
    }

    @Test func requestsHaveTheFieldsOfTheReference() throws {
        var updates = ReqAccountUpdates()
        updates.subscribe = true
        updates.acctCode = "DU1234567"
        #expect(fields(try updates.text(at: .newest, from: .client)) == "2|1|DU1234567")
        var summary = ReqAccountSummary()
        summary.reqId = 3
        summary.group = "All"
        summary.tags = "NetLiquidation,BuyingPower"
        #expect(
            fields(try summary.text(at: .newest, from: .client))
                == "1|3|All|NetLiquidation,BuyingPower")
        var multi = ReqAccountUpdatesMulti()
        multi.reqId = 4
        multi.account = "DU1234567"
        multi.modelCode = "Core"
        multi.ledgerAndNLV = true
        #expect(fields(try multi.text(at: .newest, from: .client)) == "1|4|DU1234567|Core|1")
        var single = ReqPnLSingle()
        single.reqId = 5
        single.account = "DU1234567"
        single.modelCode = "Core"
        single.conId = 265_598
        #expect(fields(try single.text(at: .newest, from: .client)) == "5|DU1234567|Core|265598")
    }

    /// Twenty fields with the message number, as ib_async counts them.
    @Test func portfolioValueNamesThePrimaryExchange() throws {
        var value = PortfolioValue()
        value.contract = .stock("AAPL", primaryExchange: "NASDAQ")
        value.contract.conId = 265_598
        value.position = -12.5
        value.marketPrice = 187.25
        value.marketValue = -2_340.625
        value.averageCost = 180
        value.unrealizedPNL = -90.625
        value.accountName = "DU1234567"
        let text = fields(try value.text(at: .newest, from: .gateway))
        #expect(
            text == "8|265598|AAPL|STK|||||NASDAQ|USD|||-12.5|187.25|-2340.625|180.0|-90.625|"
                + "1.7976931348623157E308|DU1234567")
        #expect(text.split(separator: "|", omittingEmptySubsequences: false).count + 1 == 20)
    }

    @Test func positionsNameTheExchange() throws {
        var position = PositionMulti()
        position.reqId = 6
        position.account = "DU1234567"
        position.contract = .stock("AAPL", exchange: "NASDAQ", primaryExchange: "left out")
        position.contract.conId = 265_598
        position.position = 100
        position.avgCost = 187.25
        position.modelCode = "Core"
        #expect(
            fields(try position.text(at: .newest, from: .gateway))
                == "1|6|DU1234567|265598|AAPL|STK|||||NASDAQ|USD|||100|187.25|Core")
    }

    /// As recorded from a live gateway: a strike of 0.0 for a stock, message version 3 in the multi form.
    @Test func positionOfALiveGatewayIsRead() throws {
        let text = "3|6|DU1234567|265598|AAPL|STK||0.0|?||NASDAQ|USD|AAPL|NMS|100|187.25|"
        let read = try payload(text).withUnsafeBufferPointer {
            try PositionMulti.read($0, at: .newest)
        }
        #expect(read.leftover == 0)
        #expect(read.record.contract.strike == 0)
        #expect(read.record.contract.right == .none)
        #expect(read.record.position == 100)
        #expect(read.record.modelCode == "")
    }

    @Test(arguments: ["", "1.7976931348623157E308"])
    func figuresThatAreNotThereAreNil(unset: String) throws {
        let read = try payload("7|100|\(unset)|-2.5|\(unset)|\(unset)").withUnsafeBufferPointer {
            try PnlSingle.read($0, at: .newest).record
        }
        #expect(read.position == 100)
        #expect(read.dailyPnL == nil)
        #expect(read.unrealizedPnL == -2.5)
        #expect(read.realizedPnL == nil)
        #expect(read.value == nil)
    }

    /// As IBKR's client reads them (`processPositionDataMsg`): trading class from message version 2 on,
    /// average cost from 3 on.
    @Test(
        arguments: [
            ("1|DU1234567|495512563|ES|FUT|20261218|0||50||USD|ESZ6|-2", "", nil),
            ("2|DU1234567|495512563|ES|FUT|20261218|0||50||USD|ESZ6|ES|-2", "ES", nil),
            (
                "3|DU1234567|495512563|ES|FUT|20261218|0||50||USD|ESZ6|ES|-2|301250.5", "ES",
                301250.5
            ),
            (
                "4|DU1234567|495512563|ES|FUT|20261218|0||50||USD|ESZ6|ES|-2|301250.5", "ES",
                301250.5
            ),
        ] as [(String, String, DecimalValue?)])
    func positionsOfAllMessageVersionsAreRead(
        text: String, tradingClass: String, averageCost: DecimalValue?
    ) throws {
        let read = try payload(text).withUnsafeBufferPointer {
            try Position.read($0, at: .newest)
        }
        #expect(read.leftover == 0)
        #expect(read.record.account == "DU1234567")
        #expect(read.record.contract.localSymbol == "ESZ6")
        #expect(read.record.contract.tradingClass == tradingClass)
        #expect(read.record.position == -2)
        #expect(read.record.avgCost == averageCost)
    }

    @Test(arguments: ["", "0", "-1", "three"])
    func positionWithoutAMessageVersionIsNone(version: String) {
        let text = "\(version)|DU1234567|265598|AAPL|STK||0.0|||NASDAQ|USD|AAPL|NMS|100|187.25"
        #expect {
            try payload(text).withUnsafeBufferPointer { try Position.read($0, at: .newest) }
        } throws: {
            ($0 as? FieldFailure)?.name == "version"
        }
    }

    /// A position without its size is none.
    @Test func positionNeedsASize() {
        #expect(throws: FieldFailure.self) {
            try payload("3|DU1234567|265598|AAPL|STK||0.0|||NASDAQ|USD|AAPL|NMS||187.25")
                .withUnsafeBufferPointer { try Position.read($0, at: .newest) }
        }
    }
}
