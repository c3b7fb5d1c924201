import Primitives
import TWSProtocol
import Testing

/// The state of the link, input by input.
@Suite struct SessionLinkMachineTests {
    /// A machine in each state, made by inputs alone.
    private static func machine(in state: LinkState) -> LinkMachine {
        var machine = LinkMachine()
        switch state {
        case .down: break
        case .handshake: machine.opened()
        case .sync: begin(&machine)
        case .ready: complete(&machine)
        case .upstreamLost:
            complete(&machine)
            _ = machine.changed(.upstreamLost)
        case .dataDegraded:
            complete(&machine)
            _ = machine.changed(.farmBroken("usfarm"))
        case .drain:
            complete(&machine)
            machine.drains(true)
        case .locked:
            complete(&machine)
            machine.locks(true)
        }
        return machine
    }

    private static func begin(_ machine: inout LinkMachine) {
        machine.opened()
        _ = machine.began()
    }

    private static func complete(_ machine: inout LinkMachine) {
        begin(&machine)
        for answer in SyncAnswer.allCases { machine.received(answer, epoch: 1) }
    }

    private static let states: [LinkState] = [
        .down, .handshake, .sync, .ready, .upstreamLost, .dataDegraded, .drain, .locked,
    ]

    private enum Input: CaseIterable {
        case opened, began, lastAnswer, upstreamLost, restoredKept, restoredLost, farmBroken
        case farmRestored, competing, dataFlow, closed, drains, drainsNoMore, locks, unlocks
        case doubted

        func apply(to machine: inout LinkMachine) -> LinkMachine.Action {
            switch self {
            case .opened: machine.opened()
            case .began: return machine.began()
            case .lastAnswer:
                for answer in SyncAnswer.allCases { machine.received(answer, epoch: machine.epoch) }
            case .upstreamLost: return machine.changed(.upstreamLost)
            case .restoredKept: return machine.changed(.upstreamRestored(dataLost: false))
            case .restoredLost: return machine.changed(.upstreamRestored(dataLost: true))
            case .farmBroken: return machine.changed(.farmBroken("usfarm"))
            case .farmRestored: return machine.changed(.farmRestored("usfarm"))
            case .competing: return machine.changed(.competingSession)
            case .dataFlow: machine.dataFlowResumed()
            case .closed: machine.closed()
            case .drains: machine.drains(true)
            case .drainsNoMore: machine.drains(false)
            case .locks: machine.locks(true)
            case .unlocks: machine.locks(false)
            case .doubted: return machine.doubted()
            }
            return .none
        }
    }

    /// The state behind each input, by the state before it, in the order of `states`.
    private static let table: [(input: Input, after: [LinkState])] = [
        (
            .opened,
            [
                .handshake, .handshake, .handshake, .handshake, .handshake, .handshake,
                .handshake, .locked,
            ]
        ),
        (.began, [.down, .sync, .sync, .ready, .upstreamLost, .dataDegraded, .drain, .locked]),
        (
            .lastAnswer,
            [
                .down, .handshake, .ready, .ready, .upstreamLost, .dataDegraded, .drain,
                .locked,
            ]
        ),
        (
            .upstreamLost,
            [
                .down, .handshake, .upstreamLost, .upstreamLost, .upstreamLost,
                .upstreamLost, .upstreamLost, .locked,
            ]
        ),
        (.restoredKept, [.down, .handshake, .sync, .sync, .sync, .sync, .sync, .locked]),
        (.restoredLost, [.down, .handshake, .sync, .sync, .sync, .sync, .sync, .locked]),
        (
            .farmBroken,
            [
                .down, .handshake, .sync, .dataDegraded, .upstreamLost, .dataDegraded,
                .drain, .locked,
            ]
        ),
        (
            .farmRestored,
            [
                .down, .handshake, .sync, .ready, .upstreamLost, .ready, .drain,
                .locked,
            ]
        ),
        (
            .competing,
            [
                .down, .handshake, .sync, .dataDegraded, .upstreamLost, .dataDegraded,
                .drain, .locked,
            ]
        ),
        (
            .dataFlow,
            [
                .down, .handshake, .sync, .ready, .upstreamLost, .dataDegraded, .drain,
                .locked,
            ]
        ),
        (.closed, [.down, .down, .down, .down, .down, .down, .down, .locked]),
        (.drains, [.down, .handshake, .sync, .drain, .upstreamLost, .drain, .drain, .locked]),
        (
            .drainsNoMore,
            [
                .down, .handshake, .sync, .ready, .upstreamLost, .dataDegraded, .ready,
                .locked,
            ]
        ),
        (.locks, [.locked, .locked, .locked, .locked, .locked, .locked, .locked, .locked]),
        (
            .unlocks,
            [
                .down, .handshake, .sync, .ready, .upstreamLost, .dataDegraded, .drain,
                .ready,
            ]
        ),
        (.doubted, [.down, .handshake, .sync, .sync, .upstreamLost, .sync, .sync, .locked]),
    ]

    @Test func everyStateTakesEveryInputAsTheTableStates() {
        #expect(Self.table.map(\.input) == Input.allCases)
        for (input, after) in Self.table {
            for (before, expected) in zip(Self.states, after) {
                var machine = Self.machine(in: before)
                #expect(machine.state == before)
                _ = input.apply(to: &machine)
                #expect(machine.state == expected, "\(input) in \(before)")
            }
        }
    }

    /// What is to be done, where it is anything.
    @Test func actionsComeWithTheInputsThatNeedThem() {
        for state in Self.states where state != .locked {
            for input in Input.allCases {
                var machine = Self.machine(in: state)
                let hasBegun = state != .down && state != .handshake
                let expected: LinkMachine.Action =
                    switch input {
                    case .began where state == .handshake: .synchronise
                    case .restoredKept where hasBegun: .synchronise
                    case .doubted where hasBegun: .synchronise
                    case .restoredLost where hasBegun: .synchroniseAndResubscribe
                    case .farmRestored where state == .dataDegraded: .recoverFarm("usfarm")
                    default: .none
                    }
                #expect(input.apply(to: &machine) == expected, "\(input) in \(state)")
                // The same again tells nothing new, but a doubt is one each time.
                guard input != .doubted else { continue }
                #expect(input.apply(to: &machine) == .none, "\(input) twice in \(state)")
            }
        }
    }

    /// What may leave in each state, and nothing else may.
    @Test func permissionsFollowTheState() {
        #expect(Self.states.filter(\.mayOpen) == [.ready])
        #expect(Self.states.filter(\.mayReduce) == [.ready, .dataDegraded, .drain])
        #expect(Self.states.filter(\.mayCancel) == [.ready, .dataDegraded, .drain])
    }

    @Test(arguments: SyncAnswer.allCases)
    func noAnswerIsDispensable(missing: SyncAnswer) {
        var machine = LinkMachine()
        Self.begin(&machine)
        for answer in SyncAnswer.allCases where answer != missing {
            machine.received(answer, epoch: 1)
        }
        let known = missing == .managedAccounts || missing == .nextValidID
        #expect(machine.state == (known ? .ready : .sync))
        #expect(machine.missing == (known ? [] : [missing]))
    }

    @Test func answersOfAnotherEpochCountForNothing() {
        var machine = LinkMachine()
        Self.begin(&machine)
        machine.closed()
        Self.begin(&machine)
        for answer in SyncAnswer.allCases { machine.received(answer, epoch: 1) }
        #expect(machine.state == .sync)
        #expect(machine.epoch == 2)
    }

    @Test func everyStateHasAName() {
        #expect(Set(Self.states.map(\.description)).count == Self.states.count)
        #expect(LinkState.upstreamLost.description == "UPSTREAM_LOST")
    }
}
