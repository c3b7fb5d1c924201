import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

/// Whatever clients, market and faults do, some things hold.
@Suite struct OrderManagerRandomTests {
    /// Ten thousand steps, in ten runs of their own.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func invariantsHoldWhateverHappens(seed: UInt64) throws {
        var script = RandomScript(seed: seed)
        for _ in 0..<1_000 { script.step() }
        script.settle()
        let rig = script.rig
        let ledger = rig.orderManager.ledger
        try checkOrders(ledger, script)
        try checkReports(ledger, rig)
        // The account has what the fills say, and nothing else.
        var positions: [InstrumentID: Quantity] = [:]
        for fill in rig.account.fills {
            positions[fill.instrument, default: .zero] += fill.side.signed(fill.quantity)
        }
        #expect(positions == rig.account.positions)
        #expect(rig.account.fills.count > 50, "a run in which little happens shows little")
    }

    private func checkOrders(_ ledger: OrderManagerLedger, _ script: RandomScript) throws {
        var groups: [String: Quantity] = [:]
        for order in ledger.orders {
            let filled = try Quantity(order.filled)
            let total = try order.executions.reduce(Quantity.zero) {
                try $0 + Quantity($1.quantity)
            }
            #expect(filled == total, "order \(order.order) counts its fills")
            let asked = try #require(script.asked[order.order])
            #expect(filled <= asked.quantity, "order \(order.order) fills what was asked at most")
            if asked.group == nil, order.status == "Filled" {
                #expect(try filled == Quantity(order.quantity))
            }
            if let group = asked.group { groups[group, default: .zero] += filled }
        }
        for (group, filled) in groups where !group.hasPrefix("C") {
            #expect(filled <= Quantity(shares: RandomScript.groupSize), "\(group) overfills")
        }
    }

    private func checkReports(_ ledger: OrderManagerLedger, _ rig: OrderManagerRig) throws {
        var published: [String] = []
        var costs: [String] = []
        var last: [PermID: TWSProtocol.OrderStatus] = [:]
        for note in rig.notes {
            switch note.message {
            case .execDetails(let fill): published.append(fill.execId)
            case .commissionAndFeesReport(let report): costs.append(report.execId)
            case .orderStatus(let status):
                let before = last[status.permId]
                let wasOver = before?.status == .filled || before?.status == .cancelled
                #expect(!wasOver || before == status, "what is over stays so: \(status)")
                #expect((before?.filled ?? .zero) <= status.filled)
                last[status.permId] = status
            default: break
            }
        }
        let all = ledger.orders.flatMap { $0.executions.map(\.id) }
        #expect(published.sorted() == all.sorted(), "every fill is told once")
        #expect(costs.sorted() == all.sorted(), "every commission is told once")
        for order in ledger.orders {
            let status = try #require(last[PermID(rawValue: order.permID)])
            #expect(status.status.word == order.status, "the last word on \(order.order)")
        }
    }
}

/// Random clients in a random market.
private struct RandomScript {
    let rig = OrderManagerRig()
    /// What the largest terms of each order were.
    private(set) var asked: [Int32: (quantity: Quantity, group: String?)] = [:]
    private var random: SeededGenerator
    private var bids: [String: Int64] = ["AAPL": 100_00, "MSFT": 400_00]
    private var next: Int32 = 1
    private var terms: [Int32: (order: Order, symbol: String)] = [:]
    private var isLost = false

    /// How much each order of a group is for.
    static let groupSize: Int64 = 120

    private static let symbols = ["AAPL", "MSFT"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for symbol in Self.symbols { move(symbol) }
    }

    private mutating func draw(_ count: Int64) -> Int64 { Int64(random.next() % UInt64(count)) }

    private mutating func symbol() -> String { draw(2) == 0 ? "AAPL" : "MSFT" }

    mutating func step() {
        switch draw(20) {
        case 0..<9: move(symbol())
        case 9..<11: rig.pass(.milliseconds(draw(40)))
        case 11..<14: place()
        case 14: placeBracket()
        case 15: placeGroup()
        case 16: change()
        case 17: rig.cancel(Int32(draw(Int64(next))) + 1, waiting: draw(2) == 0)
        case 18: if draw(10) == 0 { rig.orderManager.cancelAll() }
        default: fail()
        }
        _ = rig.received()
    }

    /// Whatever fails is mended, and all that works is cancelled.
    mutating func settle() {
        rig.orderManager.restoreUpstream()
        for symbol in Self.symbols { rig.orderManager.setHardToBorrow(rig.id(symbol), false) }
        rig.pass()
        rig.orderManager.cancelAll()
        rig.pass()
        _ = rig.received()
    }

    private mutating func move(_ symbol: String) {
        let bid = max((bids[symbol] ?? 0) + draw(41) - 20, 10_00)
        bids[symbol] = bid
        let size = draw(200) + 1
        rig.quote(bid, bid + 1 + draw(5), of: symbol, size: size)
        if draw(2) == 0 { rig.trade(bid + draw(5), of: symbol, size: draw(300) + 1) }
    }

    private mutating func order(_ symbol: String, _ shares: Int64) -> Order {
        let bid = bids[symbol] ?? 0
        let action: OrderAction = draw(2) == 0 ? .buy : .sell
        let near = bid + draw(81) - 40
        var order: Order
        switch draw(9) {
        case 0: order = .test(action, shares, .market)
        case 1: order = .test(action, shares, .stop, aux: near)
        case 2: order = .test(action, shares, .stopLimit, limit: near + 3, aux: near)
        case 3: order = .test(action, shares, .trailingStop, aux: 20)
        case 4: order = .test(action, shares, .marketIfTouched, aux: near)
        case 5: order = .test(action, shares, .relative, aux: 1)
        case 6: order = .test(action, shares, .marketToLimit)
        default: order = .test(action, shares, .limit, limit: near)
        }
        switch draw(8) {
        case 0: order.tif = .goodTillCancelled
        case 1 where order.orderType == .limit: order.tif = .immediateOrCancel
        case 2 where order.orderType == .limit: order.tif = .fillOrKill
        case 3 where order.orderType == .limit: order.allOrNone = true
        default: break
        }
        return order
    }

    private mutating func send(_ order: Order, _ symbol: String) {
        rig.place(next, order, symbol, waiting: draw(3) == 0)
        terms[next] = (order, symbol)
        asked[next] = (
            order.totalQuantity?.quantity ?? .zero, order.ocaGroup.isEmpty ? nil : order.ocaGroup
        )
        next += 1
    }

    private mutating func place() {
        let symbol = symbol()
        let shares = draw(300) + 1
        send(order(symbol, shares), symbol)
    }

    private mutating func placeBracket() {
        let symbol = symbol()
        let bid = bids[symbol] ?? 0
        let parent = APIOrderID(rawValue: next)
        let shares = draw(200) + 1
        send(.test(.buy, shares, .limit, limit: bid + 2) { $0.transmit = false }, symbol)
        send(
            .test(.sell, shares, .limit, limit: bid + 15) {
                $0.parentId = parent
                $0.transmit = false
            }, symbol)
        send(.test(.sell, shares, .stop, aux: bid - 15) { $0.parentId = parent }, symbol)
    }

    private mutating func placeGroup() {
        let type = draw(3)
        // Groups whose names begin with C are without block.
        let name = "\(["A", "B", "C"][Int(type)])\(next)"
        for _ in 0..<(2 + draw(2)) {
            let symbol = symbol()
            var order = order(symbol, Self.groupSize)
            order.ocaGroup = name
            order.ocaType = OCAType(code: Int32(type + 1))
            send(order, symbol)
        }
    }

    private mutating func change() {
        let number = Int32(draw(Int64(next))) + 1
        guard let (known, symbol) = terms[number], known.ocaGroup.isEmpty else { return }
        var order = known
        let shares = draw(300) + 1
        order.totalQuantity = DecimalValue(shares)
        if order.orderType == .limit {
            order.lmtPrice = DecimalValue(Price(cents: (bids[symbol] ?? 0) + draw(41) - 20))
        }
        order.transmit = true
        rig.place(number, order, symbol, waiting: draw(2) == 0)
        let larger = max(asked[number]?.quantity ?? .zero, Quantity(shares: shares))
        asked[number]?.quantity = larger
    }

    private mutating func fail() {
        switch draw(4) {
        case 0: rig.orderManager.loseUpstream()
        case 1: rig.orderManager.restoreUpstream()
        case 2: rig.orderManager.setHardToBorrow(rig.id(symbol()), true)
        default: rig.orderManager.setHardToBorrow(rig.id(symbol()), false)
        }
    }
}
