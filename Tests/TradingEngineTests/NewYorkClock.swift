import Model
import Primitives
import TradingEngine

/// Instants as tests write them: days and readings of clocks in New York.
enum NewYorkClock {
    /// The instant of `2024-07-03 12:50`, or of `2024-07-03 12:50:01`.
    static func at(_ text: String) -> Timestamp {
        let parts = text.split(separator: " ")
        let clock = parts[1].split(separator: ":").compactMap { Int64($0) }
        guard let day = Day(parts[0]) else { preconditionFailure("'\(text)' is no instant") }
        let seconds = clock[0] * 3_600 + clock[1] * 60 + (clock.count > 2 ? clock[2] : 0)
        return NewYork.timestamp(on: day, at: .seconds(seconds))
    }
}

extension Rig {
    /// Lets time pass until a reading in New York; no wake-up comes.
    mutating func pass(to text: String) { publish(.sliceClosed, at: NewYorkClock.at(text)) }

    /// The engine's own wake-up for intents that wait, at the present time.
    @discardableResult
    mutating func wake() -> [Command] { publish(.timer(TimerID(engine: 1))) }

    /// The engine's own wake-up for working times that are over, at the present time.
    @discardableResult
    mutating func endTime() -> [Command] { publish(.timer(TimerID(engine: 2))) }
}

extension [Command] {
    /// When the engine wants to be woken.
    var wakeUps: [Timestamp] {
        compactMap { command in
            guard case .setTimer(let id, let time) = command, id.strategy == nil else {
                return nil
            }
            return time
        }
    }
}
