import TWSProtocol
import Testing

/// What all messages about orders have in common.
@Suite struct OrderMessageTests {
    @Test func requestsSurviveTheWireAtEveryVersion() throws {
        try expectRoundTrips(of: PlaceOrder.self, from: .client)
        try expectRoundTrips(of: CancelOrder.self, from: .client)
        try expectRoundTrips(of: ReqGlobalCancel.self, from: .client)
        try expectRoundTrips(of: ReqOpenOrders.self, from: .client)
        try expectRoundTrips(of: ReqAllOpenOrders.self, from: .client)
        try expectRoundTrips(of: ReqAutoOpenOrders.self, from: .client)
        try expectRoundTrips(of: ReqCompletedOrders.self, from: .client)
        try expectRoundTrips(of: ExerciseOptions.self, from: .client)
        try expectRoundTrips(of: ReqExecutions.self, from: .client)
        try expectRoundTrips(of: ReqIds.self, from: .client)
    }

    @Test func answersSurviveTheWireAtEveryVersion() throws {
        try expectRoundTrips(of: OpenOrder.self, from: .gateway)
        try expectRoundTrips(of: OpenOrderEnd.self, from: .gateway)
        try expectRoundTrips(of: CompletedOrder.self, from: .gateway)
        try expectRoundTrips(of: CompletedOrdersEnd.self, from: .gateway)
        try expectRoundTrips(of: OrderStatus.self, from: .gateway)
        try expectRoundTrips(of: OrderBound.self, from: .gateway)
        try expectRoundTrips(of: ExecDetails.self, from: .gateway)
        try expectRoundTrips(of: ExecDetailsEnd.self, from: .gateway)
        try expectRoundTrips(of: CommissionAndFeesReport.self, from: .gateway)
        try expectRoundTrips(of: NextValidId.self, from: .gateway)
        try expectRoundTrips(of: DeltaNeutralValidation.self, from: .gateway)
    }

    @Test func noNameOccursTwiceInAMessage() {
        #expect(repeatedLabels(of: PlaceOrder.self) == [])
        #expect(repeatedLabels(of: OpenOrder.self) == [])
        #expect(repeatedLabels(of: CompletedOrder.self) == [])
        #expect(repeatedLabels(of: OrderStatus.self) == [])
        #expect(repeatedLabels(of: ExecDetails.self) == [])
        #expect(repeatedLabels(of: CommissionAndFeesReport.self) == [])
        #expect(repeatedLabels(of: CancelOrder.self) == [])
        #expect(repeatedLabels(of: ReqExecutions.self) == [])
        #expect(repeatedLabels(of: ExerciseOptions.self) == [])
        #expect(repeatedLabels(of: DeltaNeutralValidation.self) == [])
        #expect(repeatedLabels(of: PriceTwice.self) == ["price"], "the check itself sees them")
    }

    @Test func rareAttributesTakeNoRoomWhileUnset() {
        // 11 groups behind a reference; flat they would take more than as much again.
        #expect(MemoryLayout<Order>.size <= 1_280)
        #expect(MemoryLayout<Rare<VolatilityTerms>>.size == 8)
        var order = Order()
        order.scale.scaleAutoReset = true
        #expect(order != Order())
        order.scale.scaleAutoReset = false
        #expect(order == Order() && order.hashValue == Order().hashValue)
    }
}

/// A record that says one name twice.
private struct PriceTwice: FieldRecord {
    var price = 1 as DecimalValue
    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("price", &price)
        coder.double("price", &price)
    }
}
