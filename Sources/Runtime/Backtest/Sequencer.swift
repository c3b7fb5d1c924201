import Model
import Primitives

/// The total order of a run: what is due comes out by time, then class, then arrival; see `EventOrder`.
///
/// At one timestamp come what venues answer and what bears on risk, then market data, then the end of the
/// slice, then timers. It holds what is due and does nothing about it.
struct Sequencer: Sendable {
    private var heap: [Entry] = []
    private var pushed: UInt64 = 0

    /// What comes due.
    enum Due: Sendable {
        /// The engine handles an event.
        case event(Event.Kind)
        /// A command of the engine reaches the venue.
        case arrival(Command)
    }

    /// Something and its place.
    struct Entry: Sendable {
        let order: EventOrder
        let due: Due
    }

    /// When the next entry is due; the end of time without one.
    var nextTime: Timestamp { heap.first?.order.at ?? .distantFuture }

    /// Whether nothing is to come.
    var isEmpty: Bool { heap.isEmpty }

    /// Adds something due at `time`; among equals it comes last.
    mutating func push(_ due: Due, at time: Timestamp) {
        let eventClass: EventClass =
            switch due {
            case .event(let kind): kind.eventClass
            case .arrival: .venueAndRisk
            }
        heap.append(
            Entry(
                order: EventOrder(at: time, eventClass: eventClass, sequence: pushed), due: due))
        pushed += 1
        siftUp(heap.count - 1)
    }

    /// Takes out the first entry if it is due before `time`, or at `time` with a class of at most
    /// `eventClass`.
    mutating func pop(through eventClass: EventClass, at time: Timestamp) -> Entry? {
        guard let first = heap.first, first.order.at <= time,
            first.order.at < time || first.order.eventClass <= eventClass
        else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return last }
        heap[0] = last
        siftDown(0)
        return first
    }

    /// Takes out the events that `isMeant` picks, in the order in which they were due.
    mutating func takeEvents(where isMeant: (Event.Kind) -> Bool) -> [Event.Kind] {
        guard !heap.isEmpty else { return [] }
        var taken: [Event.Kind] = []
        var kept: [Entry] = []
        for entry in heap.sorted(by: { $0.order < $1.order }) {
            if case .event(let kind) = entry.due, isMeant(kind) {
                taken.append(kind)
            } else {
                kept.append(entry)
            }
        }
        heap = kept
        return taken
    }

    /// Puts another command in the place of each that is on its way.
    mutating func replaceCommands(_ replacement: (Command) -> Command) {
        for index in heap.indices {
            guard case .arrival(let command) = heap[index].due else { continue }
            heap[index] = Entry(
                order: heap[index].order, due: .arrival(replacement(command)))
        }
    }

    /// Takes out timers of that id.
    mutating func removeTimer(_ id: TimerID) {
        let kept = heap.filter { entry in
            guard case .event(.timer(id)) = entry.due else { return true }
            return false
        }
        guard kept.count < heap.count else { return }
        heap = kept.sorted { $0.order < $1.order }
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].order < heap[parent].order else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child =
                right < heap.count && heap[right].order < heap[left].order ? right : left
            guard heap[child].order < heap[parent].order else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
