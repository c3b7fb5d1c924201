import TWSProtocol
import Testing

/// The smaller messages about orders and fills.
@Suite struct OrderAnswerTests {
    /// The layouts by version as the reference lists them.
    @Test(arguments: [
        (157, "1|7"), (168, "1|7"), (169, "1|7|"), (186, "1|7|"), (187, "1|7||||2147483647"),
        (189, "1|7||||2147483647"), (190, "1|7|"), (191, "1|7|"), (192, "7|||2147483647"),
        (200, "7|||2147483647"),
    ])
    func cancelHasTheLayoutsOfTheReference(version: Int, expected: String) throws {
        var cancel = CancelOrder()
        cancel.orderId = 7
        #expect(try layout(cancel, at: version, from: .client) == expected)
    }

    @Test func globalCancelLosesItsVersionAndGainsTwoFields() throws {
        var cancel = ReqGlobalCancel()
        #expect(try layout(cancel, at: 191, from: .client) == "1")
        #expect(try layout(cancel, at: 192, from: .client) == "|2147483647")
        cancel.extOperator = "me"
        cancel.manualOrderIndicator = 1
        #expect(try layout(cancel, at: 192, from: .client) == "me|1")
        #expect(
            throws: EncodingRefusal.notCarried(
                field: "extOperator", needs: 192, version: known(191))
        ) { try cancel.text(at: known(191), from: .client) }
    }

    @Test func requestsWithoutContentCarryTheirVersion() throws {
        #expect(try layout(ReqOpenOrders(), at: 200, from: .client) == "1")
        #expect(try layout(ReqAllOpenOrders(), at: 200, from: .client) == "1")
        var bind = ReqAutoOpenOrders()
        bind.autoBind = true
        #expect(try layout(bind, at: 200, from: .client) == "1|1")
        var completed = ReqCompletedOrders()
        completed.apiOnly = true
        #expect(try layout(completed, at: 200, from: .client) == "1")
        #expect(try layout(ReqIds(), at: 200, from: .client) == "1|1")
        #expect(try layout(OpenOrderEnd(), at: 200, from: .gateway) == "1")
        #expect(try CompletedOrdersEnd().text(at: .newest, from: .gateway).isEmpty)
    }

    @Test func exerciseGainsItsLastFieldsByVersion() throws {
        var exercise = ExerciseOptions()
        exercise.reqId = 5
        exercise.contract.symbol = "SPY"
        exercise.contract.secType = .option
        exercise.contract.strike = 600
        exercise.contract.right = .call
        exercise.exerciseAction = .lapse
        exercise.exerciseQuantity = 3
        exercise.account = "DU1"
        exercise.override = true
        let head = "2|5|0|SPY|OPT||600.0|C||||||2|3|DU1|1"
        #expect(try layout(exercise, at: 179, from: .client) == head)
        #expect(try layout(exercise, at: 180, from: .client) == head + "|")
        #expect(try layout(exercise, at: 183, from: .client) == head + "||")
        #expect(try layout(exercise, at: 184, from: .client) == head + "|||0")
    }

    @Test func executionsMayBeAskedForByDayFromTwoHundredOn() throws {
        var request = ReqExecutions()
        request.reqId = 5
        request.symbol = "AAPL"
        request.side = .buy
        #expect(try layout(request, at: 199, from: .client) == "3|5|0|||AAPL|||BUY")
        request.specificDates = [ExecutionDay()]
        request.specificDates[0].date = 20_261_122
        #expect(
            try layout(request, at: 200, from: .client)
                == "3|5|0|||AAPL|||BUY|2147483647|1|20261122")
        #expect(
            throws: EncodingRefusal.notCarried(
                field: "specificDates", needs: 200, version: known(199))
        ) { try request.text(at: known(199), from: .client) }
    }

    /// Written by older gateways with two blanks and no zone, by newer ones with the zone's name; the
    /// quantity is a fraction of a share.
    @Test func fillsAreReadExactly() throws {
        let text =
            "-1|7|265598|AAPL|STK||0.0|||IBKR|USD|AAPL|NMS|00025b46.63f8f39c.01.02"
            + "|20230224  12:04:56|DU1234567|IBKR|BOT|1.1404|187.25|1376327563|1|0|1.1404|187.25"
            + "|mine||||2"
        let fill = try read(ExecDetails.self, text, at: 177)
        #expect(fill.reqId == -1 && fill.orderId == 7 && fill.permId == 1_376_327_563)
        #expect(fill.execId == "00025b46.63f8f39c.01.02" && fill.side == .bought)
        #expect(fill.shares == 1.1404 && fill.cumQty == 1.1404 && fill.price == 187.25)
        #expect(fill.executionExchange == "IBKR" && fill.lastLiquidity == .removed)
        #expect(fill.orderRef == "mine" && fill.account == "DU1234567")
        guard case .wall(let clock, zone: "") = fill.time else {
            Issue.record("\(fill.time)")
            return
        }
        #expect(clock.second == 12 * 3_600 + 4 * 60 + 56)
        let newer = text.replacingOccurrences(
            of: "20230224  12:04:56", with: "20250708 02:35:00 America/New_York")
        let later = try read(ExecDetails.self, newer + "|1|someone", at: 198)
        #expect(later.pendingPriceRevision && later.submitter == "someone")
        #expect("\(later.time)" == "20250708 02:35:00 America/New_York")
        let manual = text.replacingOccurrences(of: "-1|7|", with: "-1|2147483647|")
        #expect(try read(ExecDetails.self, manual, at: 177).orderId == 2_147_483_647)
    }

    @Test func aFillWithoutSizeOrPriceIsRejected() {
        let text =
            "-1|7|265598|AAPL|STK||0.0|||IBKR|USD|AAPL|NMS|e|20230224  12:04:56|DU1|IBKR|BOT"
        #expect(
            failure(of: ExecDetails.self, text + "||187.25|1|1|0|1|1|||||2", at: 177)
                == "field 19 (shares) has no valid value: ''")
        #expect(
            failure(of: ExecDetails.self, text + "|1|x|1|1|0|1|1|||||2", at: 177)
                == "field 20 (price) has no valid value: 'x'")
        #expect(
            failure(of: ExecDetails.self, text, at: 177) == "field 19 (shares) is missing")
    }

    /// The largest double stands for the profit of a fill that opened a position.
    @Test func commissionOfAnOpeningFillHasNoProfit() throws {
        let report = try read(
            CommissionAndFeesReport.self,
            "1|e.01|1.0|USD|1.7976931348623157E308|1.7976931348623157E308|", at: 176)
        #expect(report.execId == "e.01" && report.commission == 1 && report.currency == "USD")
        #expect(report.realizedPNL == nil && report.yield == nil)
        #expect(report.yieldRedemptionDate == nil)
        #expect(
            try layout(report, at: 176, from: .gateway)
                == "1|e.01|1.0|USD|1.7976931348623157E308|1.7976931348623157E308|")
    }

    @Test func statusIsReadWhateverItsCase() throws {
        let text = "7|PreSubmitted|0|100|0.0|1376327563|0|0.0|1||0.0"
        let status = try read(OrderStatus.self, text, at: 176)
        #expect(status.status == .preSubmitted && status.remaining == 100)
        #expect(try layout(status, at: 176, from: .gateway) == text)
        let other = text.replacingOccurrences(of: "PreSubmitted", with: "PRESUBMITTED")
        #expect(try read(OrderStatus.self, other, at: 176) == status)
        let unknown = text.replacingOccurrences(of: "PreSubmitted", with: "WarnState")
        #expect(try read(OrderStatus.self, unknown, at: 176).status == .unknown("WarnState"))
    }

    /// From 191 it may take more than 32 bits; it is read so at every version.
    @Test func accountNumbersOfOrdersMayBeLarge() throws {
        let bound = try read(OrderBound.self, "99999999999|3|7", at: 157)
        #expect(bound.permId == 99_999_999_999 && bound.clientId == 3 && bound.orderId == 7)
    }

    @Test func smallAnswersHaveTheFieldsOfTheReference() throws {
        var next = NextValidId()
        next.orderId = 12
        #expect(try layout(next, at: 176, from: .gateway) == "1|12")
        var end = ExecDetailsEnd()
        end.reqId = 3
        #expect(try layout(end, at: 176, from: .gateway) == "1|3")
        var validation = DeltaNeutralValidation()
        validation.reqId = 3
        validation.deltaNeutralContract.conId = 11
        validation.deltaNeutralContract.delta = 0.5
        validation.deltaNeutralContract.price = 9.25
        #expect(try layout(validation, at: 176, from: .gateway) == "1|3|11|0.5|9.25")
    }

    private func completed() -> CompletedOrder {
        var message = CompletedOrder()
        message.contract = .stock("AAPL", exchange: "SMART")
        message.contract.conId = 265_598
        message.order.action = .buy
        message.order.orderType = .limit
        message.order.lmtPrice = 187.25
        message.order.modelCode = "Core"
        message.permId = 1_492_374_488
        message.status = .filled
        message.filledQuantity = 100
        message.completedTime = WireTime(text: "20240305 10:00:02 US/Eastern")
        message.completedStatus = "Filled Size: 100"
        return message
    }

    /// The message does not say its version: read by a neighbour's layout it is the same order, or it is
    /// said that it has another layout.
    @Test(arguments: ServerVersion.all)
    func completedOrderOfANeighbouringVersionIsNeverAnotherOrder(version: ServerVersion) throws {
        let message = completed()
        let bytes = try message.text(at: version, from: .gateway)
        for number in [version.number - 1, version.number, version.number + 1] {
            guard let other = ServerVersion(number) else { continue }
            let isShifted = min(number, version.number) == 176 && number != version.number
            do throws(FieldFailure) {
                let read = try bytes.withUnsafeBufferPointer { (bytes) throws(FieldFailure) in
                    try CompletedOrder.read(bytes, at: other).record
                }
                #expect(read == message && !isShifted, "\(version) read as \(other)")
            } catch {
                #expect(isShifted && error.layout == other && error.name == "designatedLocation")
            }
        }
    }

    /// The advisor's profile ended with version 177; the short sale's slot then lies where a broker's name should be.
    @Test func completedOrderOfAnotherLayoutIsNamed() throws {
        let version = try #require(ServerVersion(176))
        let later = try #require(ServerVersion(177))
        var bytes: [UInt8] = []
        try TextCodec(version: version).encode(.completedOrder(completed()), into: &bytes)
        #expect {
            try bytes.dropFirst(4).withUnsafeBufferPointer {
                try TextCodec(version: later).decode(fromGateway: $0)
            }
        } throws: {
            "\($0)"
                == "completedOrder: designatedLocation would be '0': the message is not laid out as at "
                + "server version 177; read it as the version it was written at"
        }
    }
}
