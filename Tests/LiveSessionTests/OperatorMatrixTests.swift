import Accounting
import Configuration
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// ORD-13: each command in the middle of an order, twice, with the link up and with the link down: its effect by the
/// gateway's own ledger, and in the journal as often as it was taken.
@Suite struct OperatorMatrixTests {
    /// A command, and what has to be so behind it.
    struct Drill: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The command's name.
        let command: String
        /// Its members, in JSON.
        var members: @Sendable (EntryBesideStop) throws -> String = { _ in "" }
        /// What is done before.
        var before: @Sendable (EntryBesideStop) throws -> Void = { _ in }
        /// How often it is in the journal when it was given twice.
        var count = 2
        /// True if the entry is cancelled by it.
        var cancels = false
        /// True if the stop that works stays as it is.
        var keepsStop = true
        /// What holds as soon as it was given.
        var atOnce: @Sendable (EntryBesideStop) throws -> Void = { _ in }
        /// What holds once the link is there.
        var then: @Sendable (EntryBesideStop) throws -> Void = { _ in }
        /// True if session and gateway have the same in the end.
        var isEqual = true
    }

    private static let strategy = "cross_sectional_momentum"

    private static let drills =
        entryDrills + haltDrills + flattenDrills + statementDrills

    /// What cancels entries, and what it does not.
    private static let entryDrills = [
        Drill(
            testDescription: "cancel all", command: "cancel", members: { _ in #""all":true"# },
            cancels: true),
        Drill(
            testDescription: "cancel symbol", command: "cancel",
            members: { #""symbol":"\#($0.entered)""# }, cancels: true),
        Drill(
            testDescription: "cancel another symbol", command: "cancel",
            members: { #""symbol":"\#($0.held)""# }),
        Drill(
            testDescription: "cancel strategy", command: "cancel",
            members: { _ in #""strategy":"\#(strategy)""# }, cancels: true),
        Drill(
            testDescription: "cancel order", command: "cancel",
            members: { #""order":\#($0.entry.number)"# }, cancels: true),
        Drill(
            testDescription: "stop", command: "stop",
            members: { _ in #""strategy":"\#(strategy)""# }, cancels: true,
            then: { scene in try scene.expect("stopped", [.text(strategy)]) }),
        Drill(
            testDescription: "start", command: "start",
            members: { _ in #""strategy":"\#(strategy)""# },
            then: { scene in try scene.expect("stopped", []) }),
        Drill(
            testDescription: "disown", command: "disown",
            members: { #""symbol":"\#($0.entered)""# }, cancels: true,
            then: { scene in try scene.expect("disowned", [.text(scene.entered)]) }),
        Drill(
            testDescription: "disown another symbol", command: "disown",
            members: { #""symbol":"\#($0.free)""# },
            then: { scene in try scene.expect("disowned", [.text(scene.free)]) }),
    ]

    /// What halts, and what lifts it.
    private static let haltDrills = [
        Drill(
            testDescription: "halt", command: "halt", cancels: true,
            then: { scene in #expect(scene.rig.haltCauses == [.operatorRequest]) }),
        Drill(
            testDescription: "kill", command: "kill", cancels: true,
            then: { scene in
                #expect(scene.rig.haltCauses == [.killed])
                #expect(scene.rig.killFile.isPresent)
            }),
        Drill(
            testDescription: "resume halt", command: "resume", members: { _ in #""cause":"halt""# },
            before: { try $0.rig.order("halt", reason: "before") }, cancels: true,
            atOnce: { scene in #expect(scene.rig.haltCauses.isEmpty) }),
        Drill(
            testDescription: "resume all", command: "resume", members: { _ in #""cause":"all""# },
            before: { try $0.rig.order("halt", reason: "before") }, cancels: true,
            atOnce: { scene in #expect(scene.rig.haltCauses.isEmpty) }),
        Drill(
            testDescription: "resume killed", command: "resume",
            members: { _ in #""cause":"killed","account":"DU1234567""# },
            before: { try $0.rig.order("kill", reason: "before") }, cancels: true,
            atOnce: { scene in
                #expect(scene.rig.haltCauses.isEmpty)
                #expect(!scene.rig.killFile.isPresent)
            }),
        Drill(
            testDescription: "clear", command: "clear", members: { #""symbol":"\#($0.held)""# },
            before: { scene in
                try scene.rig.gateway.fault(
                    #"{"do":"trade","symbol":"\#(scene.held)","side":"sell","quantity":1}"#)
                try scene.rig.pass(until: "a latch", limit: .minutes(1)) {
                    try !scene.status("latched").isEmpty
                }
            }, keepsStop: false,
            atOnce: { scene in
                try scene.expect("latched", [])
                let cleared = try scene.rig.decided(scene.held) { $0 == .latchCleared }
                #expect(cleared.count == 1)
            }, isEqual: false),
    ]

    private static func flattening(
        _ scope: String, cancels: Bool,
        _ members: @escaping @Sendable (EntryBesideStop) throws -> String
    ) -> Drill {
        Drill(
            testDescription: "flatten \(scope)", command: "flatten", members: members,
            cancels: cancels, keepsStop: false,
            then: { scene in
                try scene.rig.pass(until: "no position", limit: .minutes(2)) {
                    try scene.rig.gatewayPosition(scene.held) == .zero
                        && scene.rig.held(scene.held) == .zero
                }
                let exits = try scene.orders(scene.held).filter { !$0.isBuy && $0.filled > .zero }
                #expect(exits.count == 1)
                #expect(try scene.orders(scene.held).filter(\.isWorking).isEmpty)
            })
    }

    private static let flattenDrills = [
        flattening("all", cancels: true) { _ in #""all":true"# },
        flattening("strategy", cancels: true) { _ in #""strategy":"\#(strategy)""# },
        flattening("symbol", cancels: false) { #""symbol":"\#($0.held)""# },
        flattening("order", cancels: false) { scene in
            let index = Int(try scene.rig.instrument(scene.held).index)
            let entry = try #require(scene.rig.entries(since: 0, in: index).first)
            return #""order":\#(entry.id.number)"#
        },
    ]

    /// What the user states.
    private static let statementDrills = [
        Drill(
            testDescription: "resolve", command: "resolve",
            members: { #""order":\#($0.entry.number),"as":"working""# },
            then: { scene in #expect(scene.rig.state(of: scene.entry) == .working) }),
        Drill(
            testDescription: "adopt", command: "adopt", members: { #""symbol":"\#($0.free)""# },
            before: { scene in
                try scene.rig.gateway.fault(
                    #"{"do":"trade","symbol":"\#(scene.free)","side":"buy","quantity":50}"#)
                try scene.rig.pass(until: "a position of others", limit: .minutes(1)) {
                    try scene.status("foreign") == [.text(scene.free)]
                }
            },
            then: { scene in
                try scene.expect("foreign", [])
                let others = try scene.rig.gatewayPosition(scene.free) - Quantity("50")
                let ours = try scene.rig.held(scene.free)
                #expect(others == .zero && ours == .zero)
            }, isEqual: false),
        Drill(
            testDescription: "split", command: "split",
            members: { #""symbol":"\#($0.free)","ratio":"2:1""# },
            then: { scene in
                let instrument = try scene.rig.instrument(scene.free)
                let actions = scene.rig.driver.withEngine {
                    $0.portfolio.actions(in: instrument).count
                }
                #expect(actions == 1)
            }),
        Drill(
            testDescription: "cashflow", command: "cashflow",
            members: { _ in #""amount":"-12.5","cause":"fee""# }, count: 1,
            atOnce: { scene in
                let moved = try scene.rig.decided { $0 == .cashMoved(.fee) }
                #expect(moved.map { $0.figures[.value]?.amount } == [-12_500_000])
            }, isEqual: false),
    ]

    /// Behind the command the entry is cancelled once or works on, what is held keeps its stop, and the journal has who
    /// said what and why.
    @Test(arguments: drills, [true, false])
    func eachCommandDoesWhatItIsFor(drill: Drill, isUp: Bool) throws {
        let scene = try EntryBesideStop()
        let rig = scene.rig
        try drill.before(scene)
        let stop = try scene.stop()
        let members = try drill.members(scene)
        if !isUp {
            try rig.gateway.fault(#"{"do":"restart","seconds":20}"#)
            try rig.pass(.seconds(2))
            #expect(rig.driver.status(at: rig.now).link == .down)
        }
        let written = rig.instructions.count
        for _ in 0..<2 {
            #expect(try rig.order(drill.command, members)["done"] == .text(drill.command))
            try rig.pass(.milliseconds(500))
        }
        #expect(rig.instructions.count == written + drill.count)
        #expect(
            rig.instructions[written...].allSatisfy {
                $0.words == "\(SessionRig.operatorName): drill"
            })
        try drill.atOnce(scene)
        if !isUp {
            try rig.pass(until: "a link", limit: .minutes(5)) {
                rig.driver.status(at: rig.now).link == .ready
            }
        }
        try rig.pass(.seconds(3))
        try drill.then(scene)
        let entries = try scene.orders(scene.entered).filter(\.isBuy)
        #expect(entries.first?.status == (drill.cancels ? "Cancelled" : "Submitted"))
        #expect(entries.first?.cancels == (drill.cancels ? "1" : "0"))
        if drill.keepsStop {
            #expect(rig.state(of: stop) == .working)
            try scene.expectStop()
        }
        try rig.setTrading(isHalted: false)
        if drill.isEqual { try rig.expectAllIsKnown() }
    }

    /// What only asks is answered with the link down as well, with how it stands, and nothing is sent or journalled.
    @Test(arguments: [true, false])
    func questionsChangeNothing(isUp: Bool) throws {
        let scene = try EntryBesideStop()
        let rig = scene.rig
        if !isUp {
            try rig.gateway.fault(#"{"do":"restart","seconds":20}"#)
            try rig.pass(.seconds(2))
        }
        let batches = rig.history.batches.count
        for _ in 0..<2 {
            let status = try rig.ask(#"{"do":"status"}"#)
            #expect(status["link"] == .text(isUp ? "READY" : "DOWN"))
            let live = rig.driver.withEngine { $0.orders.allLive.map(\.number) } ?? []
            #expect(status["live_orders"] == .integer(live.count))
            let positions = try rig.rows(rig.ask(#"{"do":"positions"}"#), "positions")
            #expect(positions.map { $0["symbol"] } == [.text(scene.held)])
            #expect(
                positions.map { $0["stopped_quantity"] } == [.exact(try rig.held(scene.held))])
            let orders = try rig.rows(rig.ask(#"{"do":"orders"}"#), "orders")
            #expect(orders.map { $0["order"] } == live.map { .integer($0) })
            #expect(live.contains(scene.entry.number))
            let newest = try rig.rows(rig.ask(#"{"do":"decisions","count":1}"#), "decisions")
            #expect(
                newest.map { $0["number"] } == rig.decisions.suffix(1).map { .integer($0.number) })
        }
        let events = rig.history.batches[batches...].flatMap(\.events)
        #expect(events.isEmpty)
        #expect(rig.instructions.isEmpty)
    }

    /// An execution that has not been heard of is booked once, also when the message comes with the link.
    @Test(arguments: [true, false])
    func anExecutionIsBookedOnce(isUp: Bool) throws {
        let scene = try EntryBesideStop()
        let rig = scene.rig
        if isUp {
            try rig.gateway.fault(
                #"{"do":"hold","kinds":["execDetails","commissionAndFeesReport","orderStatus"],"seconds":20}"#
            )
        } else {
            try rig.gateway.fault(#"{"do":"restart","seconds":20}"#)
            try rig.pass(.seconds(2))
        }
        try rig.gateway.fault(#"{"do":"fill","orders":"oldest","price":100}"#)
        try rig.pass(.seconds(1))
        let filled = try #require(
            try rig.brokersOrders().first {
                $0["symbol"] == .text(scene.entered) && $0["executions"] != .array([])
            })
        guard case .array(let executions)? = filled["executions"], let execution = executions.first,
            case .text(let id)? = execution["id"], case .number(let price)? = execution["price"],
            case .number(let quantity)? = execution["quantity"]
        else { throw SessionRig.Missing(what: "an execution: \(filled.text)") }
        #expect(try rig.held(scene.entered) == .zero)
        let members =
            #""order":\#(scene.entry.number),"quantity":\#(quantity),"price":\#(price),"execution":"\#(id)""#
        try rig.order("book", members)
        let second = try rig.order("book", members)
        #expect(try rig.rows(second, "notes").first?.text.contains("booked already") == true)
        #expect(rig.instructions.count == 1)
        #expect(try rig.held(scene.entered) == Quantity(quantity))
        try rig.pass(.seconds(40))
        #expect(try rig.held(scene.entered) == Quantity(quantity))
        try rig.setTrading(isHalted: false)
        try rig.expectAllIsKnown()
    }
}
