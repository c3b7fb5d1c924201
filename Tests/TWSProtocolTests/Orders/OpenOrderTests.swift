import TWSProtocol
import Testing

@Suite struct OpenOrderTests {
    private static let max = "1.7976931348623157E308"

    /// What live gateways write for a plain buy of 100 AAPL at 187.25, from the reference's list of
    /// what they put in.
    private static func live(_ version: Int) -> String {
        let margins = Array(repeating: max, count: 9).joined(separator: "|")
        let parts = [
            "7|265598|AAPL|STK||0|?||SMART|USD|AAPL|NMS",
            "BUY|100|LMT|187.25|0.0|DAY||DU1234567||0|mine",
            "1|1376327563|0|0|0||1376327563.0/DU1234567/100",
            "||\(version < 177 ? "|" : "")||||\(max)|", "0||-1|0|||||",
            "|0|0|0||3|0|0||0|0", "|0|None||0||||?|0|0||0|0", "|||", "|0|0|0",
            "2147483647|2147483647|\(max)", "", "0||IB|0", "0", "", "0",
            "0|PreSubmitted|\(margins)||||", "", "0|0", "0",
            "None|\(max)|188.25|\(max)|\(max)|\(max)|\(max)|0", "||", "0.0|1|0|0|0",
        ]
        var text = parts.joined(separator: "|")
        if version >= 158 { text += "|" }
        if version >= 160 { text += "|" }
        if version >= 162 { text += "|0" }
        if version >= 170 { text += "||100|0.02||" }
        return text
    }

    @Test(arguments: [(157, 128), (162, 131), (169, 131), (170, 136), (176, 136)])
    func readsWhatLiveGatewaysWrite(version: Int, fields: Int) throws {
        let text = Self.live(version)
        #expect(count(text) + 1 == fields)
        let answer = try read(OpenOrder.self, text, at: version)
        #expect(answer.orderId == 7 && answer.permId == 1_376_327_563 && answer.clientId == 1)
        #expect(answer.contract.symbol == "AAPL" && answer.contract.right == .none)
        #expect(answer.order.action == .buy && answer.order.totalQuantity == 100)
        #expect(answer.order.lmtPrice == 187.25 && answer.order.tif == .day)
        #expect(answer.order.account == "DU1234567" && answer.order.orderRef == "mine")
        #expect(answer.order.ocaType == .reduceWithoutBlock)
        #expect(answer.order.volatilityTerms.deltaNeutralOrderType == .statedNone)
        #expect(answer.order.volatilityTerms.deltaNeutralOpenClose == .statedNone)
        #expect(answer.order.clearingIntent == "IB")
        #expect(answer.order.adjusted.adjustedOrderType == .statedNone)
        #expect(answer.order.adjusted.triggerPrice == nil)
        #expect(answer.order.trailStopPrice == nil && answer.adjustedTrailStopPrice == 188.25)
        #expect(answer.order.scale.scaleInitLevelSize == nil)
        #expect(answer.order.dontUseAutoPriceForHedge)
        #expect(answer.orderState.status == .preSubmitted)
        #expect(answer.orderState.initMarginChange == nil && answer.orderState.commission == nil)
        #expect(answer.order.pegOffsets.minCompeteSize == (version >= 170 ? 100 : nil))
        #expect(answer.order.pegOffsets.competeAgainstBestOffset == (version >= 170 ? 0.02 : nil))
    }

    @Test func marginsOfAWhatIfAnswerAreNumbers() throws {
        var answer = OpenOrder(of: PlaceOrderTests.plain)
        answer.order.whatIf = true
        answer.orderState.status = .preSubmitted
        answer.orderState.initMarginChange = 4_681.25
        answer.orderState.commission = 1
        let text = try layout(answer, at: 176, from: .gateway)
        let unset = Self.max
        #expect(
            text.contains(
                "|0|1|PreSubmitted|\(unset)|\(unset)|\(unset)|4681.25|\(unset)|\(unset)|"
                    + "\(unset)|\(unset)|\(unset)|1.0|\(unset)|\(unset)|||0|0|0||"))
        #expect(try read(OpenOrder.self, text, at: 176) == answer)
    }

    /// IBKR's own client takes the second one: without it a trailing stop would come back without its
    /// price.
    @Test func theTrailingStopsPriceIsWrittenTwice() throws {
        var request = PlaceOrderTests.plain
        request.order.orderType = .trailingStop
        request.order.trailStopPrice = 180.5
        request.order.trailingPercent = 2
        let text = try layout(OpenOrder(of: request), at: 176, from: .gateway)
        let unset = Self.max
        #expect(text.contains("|180.5|2.0|||"))
        #expect(text.contains("||\(unset)|180.5|\(unset)|\(unset)|\(unset)|\(unset)|0|"))
    }

    /// From 195: a currency, nine margins, a size, a reason and allocations before the warning.
    @Test func newerGatewaysAddASecondBlockOfMargins() throws {
        var answer = OpenOrder(of: PlaceOrderTests.plain)
        answer.orderState.warningText = "careful"
        answer.orderState.preview.marginCurrency = "USD"
        answer.orderState.preview.initMarginAfterOutsideRTH = 2
        answer.orderState.preview.suggestedSize = 50
        answer.orderState.preview.rejectReason = "too large"
        answer.orderState.preview.orderAllocations = [OrderAllocation()]
        answer.orderState.preview.orderAllocations[0].account = "DU1"
        answer.orderState.preview.orderAllocations[0].positionAfter = 3
        let unset = Self.max
        let six = Array(repeating: unset, count: 6).joined(separator: "|")
        let block = "|USD|\(six)|2.0|\(unset)|\(unset)|50|too large|1|DU1|||3|||0|careful|0|0|0|"
        #expect(try layout(answer, at: 195, from: .gateway).contains(block))
        let before = try layout(answer, at: 194, from: .gateway)
        #expect(!before.contains("too large") && before.contains("|\(unset)||careful|0|0|0|"))
    }

    /// With the message number, without the block of a hedge (eight fields less than live gateways).
    @Test(arguments: [
        (157, 120), (158, 121), (160, 122), (162, 123), (170, 128), (177, 127), (183, 128),
        (184, 129), (185, 130), (189, 131), (193, 133), (195, 146), (198, 147), (199, 148),
    ])
    func everyGateAddsItsFields(version: Int, fields: Int) throws {
        let answer = OpenOrder(of: PlaceOrderTests.plain)
        #expect(try count(layout(answer, at: version, from: .gateway)) + 1 == fields)
    }

    /// A newer gateway, or one that writes less than the version has.
    @Test func fieldsMayBeMissingOrTooManyAtTheEnd() throws {
        let text = Self.live(162)
        let short = try read(OpenOrder.self, text, at: 176)
        #expect(short.order.lmtPrice == 187.25)
        #expect(short.order.pegOffsets == PegOffsets())
        #expect(try readLoosely(OpenOrder.self, text + "|new|er", at: 162).leftover == 2)
    }

    @Test func completedOrderHasTheFieldsOfTheReference() throws {
        var completed = CompletedOrder()
        completed.contract = .stock("AAPL")
        completed.order = PlaceOrderTests.plain.order
        completed.order.totalQuantity = 0
        completed.order.conditions = [.margin(MarginCondition())]
        completed.order.volatilityTerms.deltaNeutralOrderType = .limit
        completed.permId = 1_376_327_563
        completed.status = .filled
        completed.filledQuantity = 100
        completed.completedStatus = "Filled Size: 100"
        completed.submitter = "me"
        let text = try layout(completed, at: 198, from: .gateway)
        let unset = Self.max
        let parts = [
            "0|AAPL|STK|||||SMART|USD||", "BUY|0|LMT|187.25||DAY||DU1234567||0|mine",
            "1376327563|0|0|0.0||||||||||0||-1", "|||||0|0|0||0|0", "||LMT||0|0|0||0||||",
            "0|0|0", "|||", "||0|0||0|Filled|0|0", "1|4|a|1|0|0|0", "\(unset)|\(unset)",
            "\(unset)|0|0", "|100|2147483647|0||0||9223372036854775807||Filled Size: 100",
            "||||||0|me",
        ]
        let line = parts.joined(separator: "|")
        #expect(text == line)
        #expect(try read(CompletedOrder.self, text, at: 198) == completed)
    }
}
