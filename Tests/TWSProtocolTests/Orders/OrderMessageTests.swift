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
        expectDistinctNames(of: PlaceOrder.self)
        expectDistinctNames(of: OpenOrder.self)
        expectDistinctNames(of: CompletedOrder.self)
        expectDistinctNames(of: OrderStatus.self)
        expectDistinctNames(of: ExecDetails.self)
        expectDistinctNames(of: CommissionAndFeesReport.self)
        expectDistinctNames(of: CancelOrder.self)
        expectDistinctNames(of: ReqExecutions.self)
        expectDistinctNames(of: ExerciseOptions.self)
        expectDistinctNames(of: DeltaNeutralValidation.self)
    }

    @Test func rareAttributesTakeNoSpaceWhileUnset() {
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
