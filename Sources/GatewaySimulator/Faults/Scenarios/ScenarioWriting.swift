import Primitives
import TWSProtocol

/// Actions as scripts write them.
extension FaultAction {
    /// A code about nothing, or about orders.
    static func sendCode(_ code: Int, of orders: CodeFault.Orders = .none) -> FaultAction {
        .code(CodeFault(code, of: orders))
    }

    /// All connections break.
    static let dropAll = FaultAction.drop(DropFault())

    /// All faults end.
    static let healAll = FaultAction.heal(HealFault())

    /// A farm changes.
    static func farm(_ service: FarmService, _ state: GatewayFarmState) -> FaultAction {
        var fault = FarmFault()
        fault.service = service
        fault.state = state
        return .farm(fault)
    }

    /// Every farm breaks.
    static let farmsBreak = FarmService.allCases.map { FaultAction.farm($0, .broken) }

    /// The gateway restarts; its port is closed for a time.
    static func restart(_ time: Duration) -> FaultAction {
        var fault = RestartFault()
        fault.lasting = time
        return .restart(fault)
    }

    /// The broker is lost.
    static func loseLink(_ facts: Keeping = .delayed, requests: Keeping = .delayed) -> FaultAction {
        var fault = LoseLinkFault()
        fault.facts = facts
        fault.requests = requests
        return .loseLink(fault)
    }

    /// The broker is found.
    static func restoreLink(_ data: RestoreLinkFault.Data) -> FaultAction {
        var fault = RestoreLinkFault()
        fault.data = data
        return .restoreLink(fault)
    }

    /// Messages of clients are lost.
    static func dropMessages(
        _ asked: Set<ClientMessageKind>, share: Double = 1, times: Int? = nil
    ) -> FaultAction {
        var fault = DropMessagesFault()
        fault.selection.asked = asked
        fault.selection.share = share
        fault.selection.times = times
        return .dropMessages(fault)
    }

    /// Messages of the gateway are lost.
    static func dropMessages(
        sent: Set<GatewayMessageKind>, share: Double = 1, times: Int? = nil,
        for time: Duration? = nil
    ) -> FaultAction {
        var fault = DropMessagesFault()
        fault.selection.sent = sent
        fault.selection.share = share
        fault.selection.times = times
        fault.lasting = time
        return .dropMessages(fault)
    }

    /// Messages of the gateway come twice.
    static func duplicate(
        _ sent: Set<GatewayMessageKind>, share: Double = 1, for time: Duration? = nil
    ) -> FaultAction {
        var fault = RepeatFault()
        fault.selection.sent = sent
        fault.selection.share = share
        fault.lasting = time
        return .duplicate(fault)
    }

    /// Messages of clients are handled late.
    static func delayMessages(
        _ asked: Set<ClientMessageKind>, _ time: Duration?, most: Duration? = nil,
        times: Int? = nil
    ) -> FaultAction {
        var fault = DelayMessagesFault()
        fault.selection.asked = asked
        fault.selection.times = times
        fault.least = time
        fault.most = most
        return .delayMessages(fault)
    }

    /// Messages of the gateway are published late.
    static func delayMessages(
        sent: Set<GatewayMessageKind>, _ time: Duration?, most: Duration? = nil,
        share: Double = 1, times: Int? = nil
    ) -> FaultAction {
        var fault = DelayMessagesFault()
        fault.selection.sent = sent
        fault.selection.share = share
        fault.selection.times = times
        fault.least = time
        fault.most = most
        return .delayMessages(fault)
    }

    /// Requests are refused for a time.
    static func refuse(
        _ asked: Set<ClientMessageKind>, _ code: Int, for time: Duration?, times: Int? = nil
    ) -> FaultAction {
        var fault = RefuseFault()
        fault.selection.asked = asked
        fault.selection.times = times
        fault.code = code
        fault.lasting = time
        return .refuse(fault)
    }

    /// Data are wrong for a time.
    static func distort(_ data: WrongData, for time: Duration) -> FaultAction {
        var fault = DistortFault()
        fault.data = data
        fault.lasting = time
        return .distort(fault)
    }

    /// What is no message is sent.
    static func frame(_ shape: BrokenFrame) -> FaultAction {
        var fault = FrameFault()
        fault.shape = shape
        return .frame(fault)
    }

    /// The clock is another.
    static func clock(_ zone: WireZone, ahead: Int = 0) -> FaultAction {
        var fault = ClockFault()
        fault.zone = zone
        fault.ahead = ahead
        return .clock(fault)
    }

    /// The login is missing, or done.
    static func login(isDone: Bool) -> FaultAction {
        var fault = LoginFault()
        fault.isDone = isDone
        return .login(fault)
    }
}

extension SeededGenerator {
    /// Whole seconds within `range`.
    mutating func seconds(_ range: ClosedRange<Int64>) -> Duration {
        .seconds(range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1)))
    }
}
