import Accounting
import Model
import Orders
import Primitives
import Risk
import Signals
import TestSupport
import Testing

@testable import TradingEngine

/// A broker behind a link: what may leave when, and what is asked about orders in doubt.
@Suite struct BrokerLinkTests {
    private static let epoch = ConnectionEpoch(number: 1)
    private static let account = BrokerAccountID(index: 0)
    private static let client = BrokerClientID(number: 7)

    /// A rig whose orders go to a broker, with the link ready.
    private func connected() -> Rig {
        var rig = Rig()
        rig.connect(journal: 3, Self.account, Self.client)
        rig.link(.ready, Self.epoch)
        return rig
    }

    // MARK: Names

    @Test func ordersAreNumberedForTheGateway() throws {
        var rig = connected()
        rig.request(.enter(.buy))
        let key = try rig.key(of: 1)
        #expect(key.order == BrokerOrderID(number: 1))
        #expect(key.client == Self.client)
        #expect(key.reference?.description == "mt:3:1")
    }

    @Test func reportsByTheBrokersNamesReachOurOrders() throws {
        var rig = connected()
        rig.request(.enter(.buy))
        let key = try rig.key(of: 1)
        rig.publish(
            .brokerOrder(
                BrokerReport(key: key, fact: .executed(Make.execution(1, .buy, 100, cents: 50_00))))
        )
        #expect(rig.held() == 100)
        rig.checkHalted(false)
    }

    @Test func reportsOfAnotherAccountConcernNobody() {
        var rig = connected()
        let key = BrokerOrderKey(
            account: BrokerAccountID(index: 1), permanent: PermanentID(number: 5))
        rig.publish(
            .brokerOrder(
                BrokerReport(key: key, fact: .executed(Make.execution(1, .buy, 9, cents: 50_00)))))
        let held = rig.engine.portfolio.quantity(of: Rig.first)
        #expect(held == .zero)
    }

    // MARK: What may leave

    @Test(arguments: BrokerLinkState.allCases)
    func entriesLeaveOnlyWhenTheLinkIsReady(state: BrokerLinkState) {
        var rig = connected()
        rig.link(state, Self.epoch)
        #expect(rig.request(.enter(.buy)).orders.isEmpty == (state != .ready))
        #expect(rig.count(of: .linkNotReady) == (state == .ready ? 0 : 1))
    }

    @Test(arguments: BrokerLinkState.allCases)
    func exitsLeaveWhileDataIsDegradedOrARestartIsNear(state: BrokerLinkState) {
        var rig = connected()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.link(state, Self.epoch)
        let mayLeave = [.ready, .dataDegraded, .drain].contains(state)
        #expect(rig.request(.exit).orders == (mayLeave ? ["sell 100 exit"] : []))
        guard !mayLeave else { return }
        // It is not lost: it leaves when the link is ready.
        #expect(rig.link(.ready, Self.epoch).orders == ["sell 100 exit"])
    }

    @Test func cancelsThatMayNotHaveLeftAreSentAgain() {
        var rig = connected()
        rig.request(.enterAtLimit(.buy, cents: 49_00))
        rig.report(1, .acknowledged)
        rig.link(.down, Self.epoch)
        rig.request(.cancel)
        #expect(rig.link(.ready, Self.epoch).cancellations == [1])
    }

    // MARK: Doubt

    @Test func orderWithoutAWordIsAskedAboutAndBlocksEntries() throws {
        var rig = connected()
        let commands = rig.request(.enter(.buy))
        let timer = TimerID(engine: EngineTimer.acknowledgement.rawValue)
        #expect(commands.contains(.setTimer(timer, at: Make.time(5))))
        let asked = rig.publish(.timer(timer), at: Make.time(5))
        #expect(asked.queries == Listings.needed)
        rig.request(.target(50), strategy: 0)
        #expect(rig.request(.enter(.sell)).orders.isEmpty)
        // Evidence ends the doubt.
        let key = try rig.key(of: 1)
        rig.publish(.brokerOrder(BrokerReport(key: key, fact: .status(.submitted))))
        let isUnknown = rig.engine.orders.isUnknown(in: Rig.first)
        #expect(!isUnknown)
    }

    @Test func acknowledgedOrderIsNotAskedAbout() {
        var rig = connected()
        rig.request(.enter(.buy))
        rig.report(1, .acknowledged)
        let timer = TimerID(engine: EngineTimer.acknowledgement.rawValue)
        #expect(rig.publish(.timer(timer), at: Make.time(5)).isEmpty)
    }

    // MARK: Lists

    @Test func everyListIsAskedForWithANewConnection() {
        var rig = connected()
        let asked = rig.link(.sync, ConnectionEpoch(number: 2)).queries
        #expect(asked == ListingKind.allCases)
    }

    @Test func executionInAListIsBookedOnce() throws {
        var rig = connected()
        rig.request(.enter(.buy))
        let key = try rig.key(of: 1)
        let execution = Make.execution(1, .buy, 100, cents: 50_00)
        for _ in 0..<2 {
            rig.list(
                Self.epoch, executions: [(key, execution)],
                positions: [
                    ListedPosition(
                        account: Self.account, instrument: Rig.first,
                        quantity: Quantity(shares: 100))
                ])
        }
        #expect(rig.held() == 100)
        #expect(rig.decisions.contains { $0.kind == .reconciled })
        #expect(rig.decisions.count { $0.kind == .finding(.unknownFill) } == 1)
    }

    /// What the broker has more is others' until the user says otherwise: it is no order's reason, and nothing is entered
    /// beside it.
    @Test func positionOfOthersKeepsEntriesOut() {
        var rig = connected()
        rig.publish(.clock, at: Make.time(60))
        rig.list(
            Self.epoch, executions: [],
            positions: [
                ListedPosition(
                    account: Self.account, instrument: Rig.second, quantity: Quantity(shares: 5))
            ])
        #expect(rig.decisions.contains { $0.kind == .finding(.foreignPosition) })
        #expect(rig.request(.enter(.buy), in: Rig.second).orders.isEmpty)
        #expect(rig.count(of: .latched) == 0)
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
    }

    @Test func listThatFailsIsAskedForAgainAFewTimes() {
        var rig = connected()
        rig.publish(.listing(.begin(.positions, Self.epoch)))
        var asked = 0
        for _ in 0..<20 {
            asked += rig.publish(.listing(.failed(.positions, Self.epoch))).queries.count
        }
        #expect(asked == BrokerState.retriesMax)
    }

    // MARK: Account

    @Test func withoutExcessLiquidityNoEntryLeaves() {
        var rig = connected()
        rig.publish(
            .accountValue(AccountValue(account: Self.account, .excessLiquidity, Money(cents: -1))))
        #expect(rig.request(.enter(.buy)).orders.isEmpty)
        rig.publish(
            .accountValue(AccountValue(account: Self.account, .excessLiquidity, Money(cents: 1))))
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
    }
}

extension Rig {
    /// Lets the engine begin with an identity at a broker, and nothing else.
    mutating func connect(
        journal: Int32, _ account: BrokerAccountID, _ client: BrokerClientID
    ) {
        connect(OrderIdentity(account: account, client: client, journal: journal))
    }

    /// By what names the broker knows an order.
    func key(of order: Int64) throws -> BrokerOrderKey {
        let key = engine.brokerKey(of: OrderID(number: order))
        return try #require(key)
    }

    /// The link to the broker changes.
    @discardableResult
    mutating func link(_ state: BrokerLinkState, _ epoch: ConnectionEpoch) -> [Command] {
        publish(.link(LinkReport(state, epoch: epoch)))
    }

    /// The broker lists these executions and positions, and no orders.
    mutating func list(
        _ epoch: ConnectionEpoch, executions: [(BrokerOrderKey, Execution)],
        positions: [ListedPosition]
    ) {
        for kind in Listings.needed {
            publish(.listing(.begin(kind, epoch)))
            if kind == .executions {
                for (key, execution) in executions { publish(.listing(.execution(key, execution))) }
            }
            if kind == .positions {
                for position in positions { publish(.listing(.position(position))) }
            }
            publish(.listing(.end(kind, epoch)))
        }
    }
}

extension [Command] {
    /// The lists that are asked for.
    var queries: [ListingKind] {
        compactMap { if case .query(let kind) = $0 { kind } else { nil } }
    }
}
