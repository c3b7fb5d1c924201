import Primitives
import TWSProtocol
import Testing

/// Messages made of JSON objects by their fields' names.
@Suite struct FieldParserTests {
    @Test func namedFieldsAreSetAndOthersKeepTheirValue() throws {
        let order = try parse(
            PlaceOrder.self,
            """
            {"orderId": 7, "symbol": "AAPL", "secType": "STK", "action": "SELL", "lmtPrice": 187.25,
             "totalQuantity": 0.00012345, "transmit": false, "account": "DU1234567",
             "algoStrategy": "Adaptive", "algoParams": [{"tag": "adaptivePriority", "value": "Urgent"}],
             "usePriceMgmtAlgo": false, "duration": null}
            """)
        #expect(order.orderId == 7)
        #expect(order.contract.secType == .stock)
        #expect(order.order.lmtPrice == 187.25)
        #expect(order.order.totalQuantity == DecimalValue("0.00012345"))
        #expect(!order.order.transmit)
        #expect(order.order.account == "DU1234567")
        #expect(order.order.algoParams == [TagValue("adaptivePriority", "Urgent")])
        #expect(order.order.usePriceMgmtAlgo == false)
        #expect(order.order.duration == nil)
        #expect(order.order.auxPrice == nil)
        #expect(order.order.tif == PlaceOrder().order.tif)
    }

    /// A double would have 0.30000000000000004 and 123456789012.12346.
    @Test func decimalsStayExact() throws {
        let tick = try parse(TickPrice.self, #"{"price": 0.3, "size": 123456789012.1234567}"#)
        #expect(tick.price == DecimalValue("0.3"))
        #expect(tick.size?.description == "123456789012.1234567")
    }

    @Test func infinityIsAWord() throws {
        let order = try parse(
            PlaceOrder.self,
            #"{"orderType": "PEG BEST", "competeAgainstBestOffset": "Infinity"}"#)
        #expect(order.order.pegOffsets.competeAgainstBestOffset == .infinity)
    }

    @Test(
        arguments: [
            (#"{"reqid": 1}"#, "reqid"), (#"{"reqId": "1"}"#, "reqId"),
            (#"{"reqId": 1.5}"#, "reqId"), (#"{"reqId": 3000000000}"#, "reqId"),
            (#"{"reqId": null}"#, "reqId"), (#"{"price": "1"}"#, "price"),
            (#"{"price": 1.7976931348623157e308}"#, "price"), (#"{"price": true}"#, "price"),
            (#"{"tickType": "bid"}"#, "tickType"), (#"{"price": 1, "more": {}}"#, "more"),
        ] as [(String, String)])
    func whatDoesNotFitIsNamed(json: String, name: String) throws {
        let failure = #expect(throws: JSONFieldFailure.self) { try parse(TickPrice.self, json) }
        #expect(failure?.name == name)
    }

    @Test func fieldsInListsAreNamedWithTheirIndex() throws {
        let json = #"{"conditions": [{"type": 4}, {"type": 4, "percent": "x"}]}"#
        let failure = #expect(throws: JSONFieldFailure.self) { try parse(PlaceOrder.self, json) }
        #expect(failure?.description == "conditions[1].percent: a whole number is needed, not text")
        let unknown = #expect(throws: JSONFieldFailure.self) {
            try parse(PlaceOrder.self, #"{"conditions": [{"type": 4, "price": 1}]}"#)
        }
        #expect(unknown?.name == "conditions[0].price")
        let kind = #expect(throws: JSONFieldFailure.self) {
            try parse(PlaceOrder.self, #"{"conditions": [{"type": 99}]}"#)
        }
        #expect(kind?.name == "conditions[0].type")
    }

    /// The writer then refuses it with the version it needs, as IBKR's client does.
    @Test func whatAVersionDoesNotCarryIsTakenAndRefusedByTheWriter() throws {
        let old = try #require(ServerVersion(157))
        let order = try parse(PlaceOrder.self, #"{"duration": 30}"#, at: old)
        #expect(order.order.duration == 30)
        #expect(throws: EncodingRefusal.self) { try order.text(at: old, from: .client) }
    }

    private func parse<R: FieldRecord>(
        _ type: R.Type, _ json: String, at version: ServerVersion = .newest
    ) throws -> R {
        guard case .object(let members) = try JSONValue(Array(json.utf8)) else { return R() }
        return try R(json: members, at: version)
    }
}
