import Accounting
import Model
import Primitives
import TestSupport
import Testing
import TradingEngine

/// Random intents at random times over nine sessions, every order filled at once.
private struct WindowSession: ~Copyable {
    /// What was ordered: when, of which instrument, how many shares bought.
    private(set) var trades: [Trade] = []

    private var rig: Rig
    private var chance: SeededGenerator
    private var wakeUp: Timestamp?
    private var filled: Int64 = 0

    struct Trade: Equatable {
        let at: Timestamp
        let instrument: Int
        let bought: Int64
    }

    /// A number of shares to be held, or nothing of it any more.
    struct Instruction {
        let at: Timestamp
        let instrument: Int
        let shares: Int64?
    }

    init(_ window: ExecutionWindow, seed: UInt64) {
        rig = Rig { $0.execution.window = window }
        chance = SeededGenerator(seed: seed)
    }

    /// Intents about every hour, some at the very edges of sessions.
    mutating func draw() -> [Instruction] {
        var intents: [Instruction] = []
        let edges = Session.all.flatMap { session in
            [session.open, session.close].flatMap { edge in
                [-600, -120, 0, 900].map { edge + .seconds($0 + chance.number(in: -1...1)) }
            }
        }
        let others = (0..<150).map { _ in
            Session.first + .seconds(chance.number(in: 0...12 * 86_400))
        }
        for time in (edges + others).sorted() {
            intents.append(
                Instruction(
                    at: time, instrument: Int(chance.number(in: 0...1)),
                    shares: chance.chance(percent: 10) ? nil : chance.number(in: 0...90)))
        }
        return intents
    }

    mutating func play(_ intents: [Instruction]) {
        for intent in intents {
            wake(before: intent.at)
            rig.publish(.sliceClosed, at: intent.at)
            handle(
                rig.request(
                    intent.shares.map { .target($0) } ?? .withdraw,
                    in: InstrumentID(index: intent.instrument)))
        }
        wake(before: .distantFuture)
    }

    private mutating func wake(before time: Timestamp) {
        while let due = wakeUp, due < time {
            wakeUp = nil
            rig.publish(.sliceClosed, at: due)
            handle(rig.wake())
        }
    }

    private mutating func handle(_ commands: [Command]) {
        if let time = commands.wakeUps.last { wakeUp = time }
        for command in commands {
            guard case .submit(let ticket) = command else { continue }
            let shares = ticket.request.quantity.units / Quantity.unitsPerOne
            trades.append(
                Trade(
                    at: rig.now, instrument: Int(ticket.request.instrument.index),
                    bought: ticket.request.side == .buy ? shares : -shares))
            handle(rig.fill(ticket.id.number, shares))
        }
    }
}

/// The sessions around the Fourth of July 2024 in UTC, from the exchange's calendar: the 3rd closes at
/// 13:00, the 4th and the weekends have none.
private enum Session {
    static let all: [(open: Timestamp, close: Timestamp)] = [1, 2, 3, 5, 8, 9, 10, 11, 12].map {
        day in
        // 2024-07-01 13:30 UTC is 1,719,840,600.
        let open = Timestamp(seconds: 1_719_840_600 + Int64(day - 1) * 86_400)
        return (open, open + .minutes(day == 3 ? 210 : 390))
    }
    static let first = Timestamp(seconds: 1_719_792_000)

    /// When an intent goes that is left at `time`.
    static func release(of time: Timestamp, _ window: ExecutionWindow) -> Timestamp? {
        switch window {
        case .now: return time
        case .open:
            return all.first { time > $0.open - .minutes(2) && time < $0.close }?.close
                ?? time
        case .close:
            return all.first { time > $0.close - .minutes(10) && time < $0.close }?.close
                ?? time
        case .afterOpen(let delay):
            return all.first { time <= $0.open + delay }.map { $0.open + delay }
        }
    }
}

@Suite struct WindowPropertyTests {
    /// Property: what is ordered, and when, is what the newest intent before each release wants. None is
    /// lost, none is sent twice.
    @Test(arguments: 0..<150 as Range<UInt64>)
    func everyIntentIsSubmittedOnceOrSuperseded(seed: UInt64) {
        let windows: [ExecutionWindow] = [.open, .close, .afterOpen(.minutes(30)), .now]
        let window = windows[Int(seed % 4)]
        var session = WindowSession(window, seed: seed)
        let intents = session.draw().filter { Session.release(of: $0.at, window) != nil }
        session.play(intents)

        var expected: [WindowSession.Trade] = []
        var held: [Int64] = [0, 0]
        for (index, intent) in intents.enumerated() {
            guard let release = Session.release(of: intent.at, window), let shares = intent.shares,
                // A newer one took its place before it was sent.
                !intents[(index + 1)...].contains(where: {
                    $0.instrument == intent.instrument && $0.at <= release && release > intent.at
                }), shares != held[intent.instrument]
            else { continue }
            expected.append(
                WindowSession.Trade(
                    at: release, instrument: intent.instrument,
                    bought: shares - held[intent.instrument]))
            held[intent.instrument] = shares
        }
        expected.sort { ($0.at, $0.instrument) < ($1.at, $1.instrument) }
        let found = session.trades.sorted { ($0.at, $0.instrument) < ($1.at, $1.instrument) }
        #expect(found == expected)
        #expect(expected.count > 5)
    }
}
