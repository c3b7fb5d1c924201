import Model
import Primitives

/// The timers that strategies wait for: what a session that opens later has to set again.
struct StrategyTimers: Sendable {
    /// By id.
    private var timers: [Timer] = []

    private struct Timer: Sendable {
        let id: TimerID
        var time: Timestamp
    }

    /// Takes in that a timer is set, in place of the one of its id.
    mutating func set(_ id: TimerID, at time: Timestamp) {
        if let index = timers.firstIndex(where: { $0.id == id }) {
            timers[index].time = time
        } else {
            timers.append(Timer(id: id, time: time))
        }
    }

    /// Takes in that a timer has come.
    mutating func fire(_ id: TimerID) {
        if let index = timers.firstIndex(where: { $0.id == id }) { timers.remove(at: index) }
    }

    /// Forgets the timers of some strategies.
    mutating func remove(where isMeant: (StrategyID) -> Bool) {
        timers.removeAll { timer in timer.id.strategy.map(isMeant) ?? false }
    }

    /// What sets all of them.
    var commands: [Command] { timers.map { .setTimer($0.id, at: $0.time) } }

    /// Takes the timers into a digest.
    func hash(into hasher: inout StateHasher) {
        for timer in timers {
            hasher.combine(timer.id.strategy?.index ?? -1)
            hasher.combine(timer.id.number)
            hasher.combine(timer.time)
        }
    }

    /// Writes every timer.
    func write(to writer: inout RecordWriter) {
        for timer in timers {
            guard let strategy = timer.id.strategy else { continue }
            writer.item(.timer) { item in
                item.write(strategy)
                item.write(timer.id.number)
                item.write(timer.time)
            }
        }
    }

    /// Reads a timer back.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        let id = TimerID(strategy: try reader.strategy(), number: Int(try reader.int32()))
        set(id, at: try reader.time())
    }
}
