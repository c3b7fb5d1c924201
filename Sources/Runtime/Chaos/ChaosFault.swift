import Model
import Primitives

/// Something that goes wrong in a session, at a time.
struct ChaosFault: Hashable, Sendable {
    /// How long after the session's beginning.
    let after: Duration
    let kind: Kind
    let action: Action

    /// What is done.
    enum Action: Hashable, Sendable {
        /// The gateway performs a control command, a line of JSON.
        case gateway(String)
        /// The program is killed, and started again after a while.
        case kill(Duration)
        /// It stands still for a while.
        case freeze(Duration)
        /// Nothing can be written for a while: the disk is full.
        case disk(Duration)
        /// The same, and then the program is killed without what it could not write, and started again after a while.
        case lose(Duration, startedAgainAfter: Duration)
        /// Writing fails for a while, with room on the disk.
        case write(Duration)
        /// The next write is not synced, so that nobody knows what the disk has of it: the program has to end.
        case sync
        /// Its user gives an instruction.
        case instruct(OperatorRequest.Action)
    }

    /// A kind of fault.
    enum Kind: String, CaseIterable, Sendable {
        case connectionLost = "connection lost"
        case connectionCut = "connection cut in a message"
        case connectionStalled = "connection stalled"
        case bytesLate = "bytes late"
        case gatewayRestart = "gateway restart"
        case portClosed = "port closed"
        case clientHeld = "client id in use"
        case brokerLost = "broker lost"
        case subscriptionsLost = "broker and subscriptions lost"
        case farmBroken = "data farm broken"
        case numbersBack = "order numbers back"
        case orderDropped = "order swallowed"
        case orderMuted = "order carried out in silence"
        case answersLate = "answers late"
        case answersTwice = "answers twice"
        case orderRefused = "order refused"
        case brokersCancel = "cancelled by the broker"
        case brokersFill = "filled against the market"
        case correction = "execution corrected"
        case dataFrozen = "data frozen"
        case dataWrong = "data wrong"
        case tradingHalted = "trading halted"
        case streamsDead = "streams dead"
        case brokenMessage = "broken message"
        case infoCode = "code without meaning"
        case handOrder = "order by hand"
        case handTrade = "trade by hand"
        case killed = "program killed"
        case frozen = "program frozen"
        case diskFull = "disk full"
        case userHalts = "user halts and resumes"
        case userCancels = "user cancels all"
        case userKills = "user kills and resumes"
        case killedTwice = "killed while it starts"
        case writesFail = "writes fail"
        case rowsLost = "killed with a full disk"
        case notSynced = "write not synced"
        case clockWrong = "gateway clock wrong"
        case moneyMoved = "money by hand"
    }
}

extension ChaosFault.Action {
    /// What is done, in a few words.
    var words: String {
        switch self {
        case .gateway(let command): command
        case .kill(let time): "started again after \(time)"
        case .freeze(let time), .disk(let time), .write(let time): "for \(time)"
        case .lose(let time, let downtime): "for \(time), started again after \(downtime)"
        case .sync: "the next one"
        case .instruct(let action): "\(action)"
        }
    }
}

extension ChaosFault.Kind {
    /// True if it happens to orders that work, and to nothing where there are none.
    var needsWorkingOrders: Bool {
        self == .brokersCancel || self == .brokersFill || self == .infoCode
    }

    /// The faults of one occurrence, the first of them at `time`.
    func faults(at time: Duration, _ draw: inout SeededGenerator) -> [ChaosFault] {
        var draft = Draft(kind: self, time: time, draw: draw)
        defer { draw = draft.draw }
        return draft.ofLink() ?? draft.ofOrders() ?? draft.ofData() ?? draft.ofProgram()
            ?? draft.ofDisk() ?? draft.ofUser() ?? []
    }
}

/// Draws the particulars of a fault.
private struct Draft {
    let kind: ChaosFault.Kind
    let time: Duration
    var draw: SeededGenerator

    /// What is told of orders.
    private static let answers =
        #"["orderStatus","openOrder","execDetails","commissionAndFeesReport"]"#

    private func fault(
        _ action: ChaosFault.Action, after more: Int64 = 0
    ) -> ChaosFault {
        ChaosFault(after: time + .seconds(more), kind: kind, action: action)
    }

    private func command(_ line: String, after more: Int64 = 0) -> ChaosFault {
        fault(.gateway(line), after: more)
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        .random(in: range, using: &draw)
    }

    private mutating func one(of words: String...) -> String {
        words[Int(number(0...Int64(words.count - 1)))]
    }

    private mutating func drop() -> ChaosFault {
        command(#"{"do":"drop","how":"\#(one(of: "close", "reset"))"}"#)
    }

    mutating func ofLink() -> [ChaosFault]? {
        switch kind {
        case .connectionLost: return [drop()]
        case .connectionCut:
            let (direction, how) = (one(of: "in", "out"), one(of: "close", "reset"))
            return [
                command(
                    #"{"do":"cut","direction":"\#(direction)","bytes":\#(number(1...3_000)),"how":"\#(how)"}"#
                )
            ]
        case .connectionStalled:
            let direction = one(of: "in", "out", "both")
            return [
                command(
                    #"{"do":"stall","direction":"\#(direction)","seconds":\#(number(1...90))}"#)
            ]
        case .bytesLate:
            return [
                command(#"{"do":"delay","seconds":0,"most":\#(number(1...5))}"#),
                command(#"{"do":"delay","seconds":0}"#, after: number(20...120)),
            ]
        case .gatewayRestart:
            let how = one(of: "close", "reset")
            return [command(#"{"do":"restart","seconds":\#(number(20...180)),"how":"\#(how)"}"#)]
        case .portClosed:
            return [command(#"{"do":"close-port","seconds":\#(number(10...120))}"#), drop()]
        case .clientHeld:
            return [
                command(#"{"do":"hold-client","client":1,"seconds":\#(number(5...60))}"#), drop(),
            ]
        case .brokerLost, .subscriptionsLost:
            let data = kind == .brokerLost ? "kept" : "lost"
            return [
                command(#"{"do":"lose-link"}"#),
                command(#"{"do":"restore-link","data":"\#(data)"}"#, after: number(3...90)),
            ]
        case .farmBroken:
            return [
                command(#"{"do":"farm"}"#),
                command(#"{"do":"farm","state":"ok"}"#, after: number(3...60)),
            ]
        case .numbersBack:
            return [command(#"{"do":"roll-back","by":\#(number(1...6))}"#), drop()]
        case .clockWrong:
            let side = one(of: "", "-")
            return [
                command(#"{"do":"clock","ahead":\#(side)\#(number(3...120))}"#),
                command(#"{"do":"clock","ahead":0}"#, after: number(60...600)),
            ]
        default: return nil
        }
    }

    mutating func ofOrders() -> [ChaosFault]? {
        switch kind {
        case .orderDropped:
            let message = one(of: "placeOrder", "cancelOrder")
            return [command(#"{"do":"swallow","kinds":["\#(message)"],"times":\#(number(1...3))}"#)]
        case .orderMuted: return [command(#"{"do":"mute","times":\#(number(1...3))}"#)]
        case .answersLate:
            let (most, times) = (number(1...20), number(1...12))
            return [
                command(
                    #"{"do":"hold","kinds":\#(Self.answers),"seconds":0,"most":\#(most),"times":\#(times)}"#
                )
            ]
        case .answersTwice:
            return [
                command(
                    #"{"do":"repeat","kinds":\#(Self.answers),"share":0.5,"times":\#(number(1...30))}"#
                )
            ]
        case .orderRefused:
            let code = one(of: "201", "110")
            return [
                command(
                    #"{"do":"refuse","kinds":["placeOrder"],"code":\#(code),"text":"Order rejected","times":\#(number(1...2))}"#
                )
            ]
        case .brokersCancel:
            return [command(#"{"do":"cancel","orders":"\#(one(of: "last", "oldest", "each"))"}"#)]
        case .brokersFill:
            return [
                command(#"{"do":"fill","orders":"\#(one(of: "last", "oldest"))","share":0.5}"#)
            ]
        case .correction: return [command(#"{"do":"correct","price":100}"#)]
        case .handOrder:
            let side = one(of: "buy", "sell")
            return [
                command(
                    #"{"do":"order","side":"\#(side)","quantity":\#(number(1...50)),"limit":1}"#)
            ]
        case .moneyMoved:
            let side = one(of: "", "-")
            return [command(#"{"do":"cash","amount":\#(side)\#(number(1...1_000))}"#)]
        case .handTrade:
            return [command(#"{"do":"trade","side":"buy","quantity":\#(number(1...50))}"#)]
        case .infoCode:
            let code = one(of: "399", "2109", "2148", "10349")
            return [
                command(#"{"do":"code","code":\#(code),"text":"A warning","orders":"last"}"#)
            ]
        default: return nil
        }
    }

    mutating func ofData() -> [ChaosFault]? {
        switch kind {
        case .dataFrozen:
            return [
                command(#"{"do":"freeze"}"#),
                command(#"{"do":"freeze","on":false}"#, after: number(5...180)),
            ]
        case .dataWrong:
            let data = one(
                of: "missing", "zero", "negative", "crossed", "spike", "huge", "inverted-bars")
            return [
                command(
                    #"{"do":"distort","data":"\#(data)","share":0.5,"times":\#(number(1...30))}"#)
            ]
        case .tradingHalted:
            return [
                command(#"{"do":"halt"}"#),
                command(#"{"do":"halt","on":false}"#, after: number(30...300)),
            ]
        case .streamsDead: return [command(#"{"do":"streams"}"#)]
        case .brokenMessage:
            let shape = one(
                of: "unknown", "short", "words", "garbled", "truncated", "huge", "empty")
            return [command(#"{"do":"frame","shape":"\#(shape)"}"#)]
        default: return nil
        }
    }

    mutating func ofProgram() -> [ChaosFault]? {
        switch kind {
        case .killed: return [fault(.kill(.seconds(number(1...240))))]
        case .killedTwice:
            let first = fault(.kill(.seconds(number(1...60))))
            // Contracts, lists or past bars are being read by then.
            return [first, fault(.kill(.seconds(1)), after: number(1...8))]
        case .frozen: return [fault(.freeze(.seconds(number(1...120))))]
        default: return nil
        }
    }

    mutating func ofDisk() -> [ChaosFault]? {
        switch kind {
        case .diskFull: return [fault(.disk(.seconds(number(5...120))))]
        case .writesFail: return [fault(.write(.seconds(number(1...10))))]
        case .notSynced: return [fault(.sync)]
        case .rowsLost:
            let (time, downtime) = (number(1...60), number(1...60))
            return [fault(.lose(.seconds(time), startedAgainAfter: .seconds(downtime)))]
        default: return nil
        }
    }

    mutating func ofUser() -> [ChaosFault]? {
        switch kind {
        case .userHalts:
            return [
                fault(.instruct(.halt)), fault(.instruct(.resumeAll), after: number(30...300)),
            ]
        case .userCancels: return [fault(.instruct(.cancel(.all)))]
        case .userKills:
            return [
                fault(.instruct(.kill)),
                fault(.instruct(.resume(.killed)), after: number(30...300)),
            ]
        default: return nil
        }
    }
}
