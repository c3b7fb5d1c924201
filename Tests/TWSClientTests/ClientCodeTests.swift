import ClientTestSupport
import Primitives
import Synchronization
import TWSProtocol
import Testing

@testable import TWSClient

/// Every code that is known, and some that are not, at every state of what it can name. A code by
/// itself ends a request at most; of an order it says nothing that is not left to its status.
@Suite struct ClientCodeTests {
    /// Every code of the table, and three that no table has.
    static let codes: [Int32] =
        CodePolicy.rows.flatMap { [$0.codes.lowerBound, $0.codes.upperBound] }.map { Int32($0) }
        + [999, 2_150, 20_000]

    /// Those that end the session: they are told, and the session comes back.
    private static func endsSession(_ code: Int32) -> Bool {
        CodePolicy.standard.reading(of: Int(code), text: "words").kind == .fatal
    }

    private enum OrderState: CaseIterable {
        case sent, submitted, partlyFilled, cancelAsked, filled, cancelled

        /// What the gateway has said when the order is in this state.
        func words(of order: APIOrderID) -> [GatewayMessage] {
            switch self {
            case .sent: []
            case .submitted: [.status(order, .submitted)]
            case .partlyFilled: [.status(order, .submitted), .fill(order, "0001.01")]
            case .cancelAsked: [.status(order, .pendingCancel)]
            case .filled: [.fill(order, "0001.01"), .status(order, .filled)]
            case .cancelled: [.status(order, .cancelled)]
            }
        }
    }

    /// Injected at every state of an order: the code is told as a word, nothing else is told,
    /// nothing
    /// is sent, and the fill that follows is told as any other.
    @Test func noCodeConcludesAnOrderOrSendsItAgain() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        let reading = Reading(client.orderEvents())
        var order: APIOrderID = 0
        // 100 speaks of the pace, not of an order.
        for code in Set(Self.codes).sorted() where code != 100 && !Self.endsSession(code) {
            for state in OrderState.allCases {
                gateway.clock.advance(by: .milliseconds(50))
                order = try client.orderNumbers(1)
                try client.place(.numbered(order))
                gateway.clock.run()
                gateway.send(state.words(of: order))
                let received = gateway.received.count
                gateway.send(code: code, id: order.rawValue)
                gateway.send(.fill(order, "0002.01"), .status(order, .submitted))
                gateway.clock.run()
                let sent = gateway.received.dropFirst(received).map(\.message.kind)
                #expect(!sent.contains(.placeOrder) && !sent.contains(.cancelOrder), "\(code)")
                let number = order
                let expected = state.words(of: order).count + 3
                try await gateway.clock.run(until: "events of code \(code) in \(state)") {
                    reading.elements.count { $0.order == number } == expected
                }
                let published = reading.elements.filter { $0.order == number }
                #expect(published[expected - 3].noticeCode == Int(code))
                #expect(published[(expected - 2)...].allSatisfy { $0.noticeCode == nil })
                if client.linkState != .ready { restore(gateway) }
                #expect(client.linkState == .ready, "after \(code)")
            }
        }
        #expect(gateway.connection == 1)
    }

    /// A code about the link has stopped the next order.
    private func restore(_ gateway: ScriptedGateway) {
        gateway.send(.code(1100), .code(1102))
        gateway.send([2104, 2106, 2158].map { .code($0) })
        gateway.clock.advance(by: .seconds(1))
    }

    /// A waiting call either goes on to its answer or ends with the gateway's words.
    @Test func everyCodeLeavesACallWaitingOrEndsItWithItsWords() async throws {
        for code in Set(Self.codes).sorted() {
            let gateway = ScriptedGateway()
            let client = try await gateway.connectedClient()
            let call = Started(on: gateway.clock) { try await client.head("SPY") }
            try await gateway.clock.run(until: "the question") {
                !gateway.received(.reqHeadTimestamp).isEmpty
            }
            let request = try #require(gateway.received(.reqHeadTimestamp).first?.requestID)
            gateway.send(code: code, id: request.rawValue)
            gateway.send(.head(request))
            do {
                let answer = try await call.value("the end behind code \(code)")
                #expect(answer)
            } catch let error as ClientError {
                switch error {
                case .rejected(let notice): #expect(notice.code == Int(code))
                case .disconnected: #expect(Self.endsSession(code), "\(code)")
                default: Issue.record("code \(code) ends a call with \(error)")
                }
            }
            client.close()
        }
    }

    /// A subscription goes on, is made anew, or ends with the gateway's words: never silently
    /// neither.
    @Test func everyCodeLeavesASubscriptionLiveOrEndsItWithItsWords() async throws {
        for code in Set(Self.codes).sorted() {
            for hasData in [false, true] {
                let gateway = ScriptedGateway()
                let client = try await gateway.connectedClient()
                let reading = Reading(client.bids("SPY"))
                gateway.clock.run()
                if hasData { gateway.send(.bid(gateway.live[0], 1)) }
                let request = gateway.live[0].rawValue
                if code == 1101 { gateway.forgetSubscriptions() }
                gateway.send(code: code, id: request)
                gateway.clock.advance(by: .seconds(1))
                if code == 1300 { continue }
                if let error = await Self.end(of: reading, on: gateway) {
                    guard case .rejected(let notice) = error as? ClientError else {
                        Issue.record("code \(code) ends a subscription with \(error)")
                        continue
                    }
                    #expect(notice.code == Int(code))
                    continue
                }
                gateway.clock.advance(by: .minutes(1))
                #expect(gateway.live.count == 1, "code \(code)")
                gateway.send(.bid(try #require(gateway.live.first), 7))
                try await gateway.clock.run(until: "data behind code \(code)") {
                    reading.elements.last == .data(7)
                }
                client.close()
            }
        }
    }

    private static func end(
        of reading: Reading<Signal<Int32>>, on gateway: ScriptedGateway
    ) async -> (any Error)? {
        await gateway.clock.settle(rounds: 60)
        return reading.error
    }

    /// What names nobody is told to whoever watches the connection.
    @Test func codesAboutNobodyAreReported() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let reading = Reading(client.connectionEvents())
        gateway.send(code: 2148, "a note")
        gateway.send(code: 366, id: 1_073_741_999, "no such request")
        try await gateway.clock.run(until: "two notices") {
            reading.elements.count {
                if case .notice(let notice) = $0 {
                    notice.code == 2148 || notice.code == 366
                } else {
                    false
                }
            } == 2
        }
    }

    /// The refusal of an order carries everything the gateway said.
    @Test func aRefusedOrdersWordsAreKept() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        let reading = Reading(client.orderEvents())
        let order = try client.orderNumbers(1)
        try client.place(.numbered(order))
        var words = ErrorMessage()
        words.id = order.rawValue
        words.errorCode = 201
        words.errorString = "Order rejected - reason: margin"
        words.advancedOrderRejectJson = #"{"a":1}"#
        gateway.send(.error(words))
        try await gateway.clock.run(until: "the words") { reading.elements.count == 1 }
        guard case .notice(order, let notice) = reading.elements.first else {
            Issue.record("told \(reading.elements)")
            return
        }
        #expect(notice.code == 201)
        #expect(notice.text == "Order rejected - reason: margin")
        #expect(notice.rejectDetails == #"{"a":1}"#)
        #expect(!notice.advice.isEmpty)
    }
}

extension OrderEvent {
    /// The order the event is about.
    var order: APIOrderID? {
        switch self {
        case .open(let message): message.orderId
        case .status(let message): message.orderId
        case .execution(let message): message.orderId
        case .notice(let order, _), .unsent(let order, _): order
        case .commission, .completed, .bound: nil
        }
    }

    /// The code, for a word about an order.
    var noticeCode: Int? { if case .notice(_, let notice) = self { notice.code } else { nil } }
}
