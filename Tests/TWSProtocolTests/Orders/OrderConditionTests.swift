import Primitives
import TWSProtocol
import Testing

@Suite struct OrderConditionTests {
    @Test func eachKindHasTheFieldsOfTheReference() throws {
        func fields(_ condition: OrderCondition) throws -> String {
            try layout(condition, at: 200, from: .client)
        }
        var price = PriceCondition()
        price.conjunction = .or
        price.price = 9.5
        price.conId = 11
        price.exchange = "SMART"
        price.triggerMethod = .last
        #expect(try fields(.price(price)) == "1|o|1|9.5|11|SMART|2")
        var time = TimeCondition()
        time.isMore = false
        time.time = .other("20261122-15:00:00")
        #expect(try fields(.time(time)) == "3|a|0|20261122-15:00:00")
        var margin = MarginCondition()
        margin.percent = 30
        #expect(try fields(.margin(margin)) == "4|a|1|30")
        var execution = ExecutionCondition()
        execution.secType = .stock
        execution.exchange = "SMART"
        execution.symbol = "IBM"
        #expect(try fields(.execution(execution)) == "5|a|STK|SMART|IBM")
        var volume = VolumeCondition()
        volume.volume = 5_000_000_000
        volume.conId = 11
        volume.exchange = "ISLAND"
        #expect(try fields(.volume(volume)) == "6|a|1|5000000000|11|ISLAND")
        var change = PercentChangeCondition()
        change.changePercent = 2.5
        change.conId = 11
        change.exchange = "SMART"
        #expect(try fields(.percentChange(change)) == "7|a|1|2.5|11|SMART")
    }

    @Test func twoFlagsFollowTheLastCondition() throws {
        var message = PlaceOrderTests.plain
        message.order.conditions = [
            .margin(MarginCondition()), .execution(ExecutionCondition()),
        ]
        message.order.conditionsCancelOrder = true
        let text = try layout(message, at: 163, from: .client)
        #expect(text.contains("|0|0|0|2|4|a|1|0|5|a||||0|1||"))
        #expect(try read(PlaceOrder.self, text, at: 163) == message)
    }

    /// Where an unknown kind's fields end is not known: reading on could take a price for a flag.
    @Test(arguments: [0, 2, 8, -1])
    func unknownKindRejectsTheMessage(kind: Int) throws {
        var message = PlaceOrderTests.plain
        message.order.conditions = [.margin(MarginCondition())]
        let text = try layout(message, at: 163, from: .client)
            .replacingOccurrences(of: "|1|4|a|1|0|0|0|", with: "|1|\(kind)|a|1|0|0|0|")
        let prefix = text.prefix(upTo: text.firstRange(of: "|a|1|0")?.lowerBound ?? text.endIndex)
        #expect(
            failure(of: PlaceOrder.self, text, at: 163)
                == "field \(count(String(prefix))) (type) has no valid value: '\(kind)'")
    }

    @Test func unknownKindInJSONIsRefused() throws {
        let json = try JSONValue(Array(#"{"conditions": [{"type": 2}]}"#.utf8))
        guard case .object(let members) = json else {
            Issue.record("\(json)")
            return
        }
        #expect(throws: JSONFieldFailure.self) { try PlaceOrder(json: members, at: .newest) }
    }
}
