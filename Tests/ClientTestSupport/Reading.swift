import Synchronization
package import TWSClient

/// A task of its own that reads a sequence to its end and keeps what came.
package final class Reading<Element: Sendable>: Sendable {
    private let store = Store()
    private let task: Task<Void, Never>

    private final class Store: Sendable {
        let state = Mutex(State())
    }

    private struct State {
        var elements: [Element] = []
        var isOver = false
        var error: (any Error)?
    }

    /// Begins to read.
    package init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Element {
        let store = store
        task = Task {
            do {
                for try await element in sequence {
                    store.state.withLock { $0.elements.append(element) }
                }
                store.state.withLock { $0.isOver = true }
            } catch {
                store.state.withLock { state in
                    state.isOver = true
                    state.error = error
                }
            }
        }
    }

    deinit { task.cancel() }

    /// What came so far.
    package var elements: [Element] { store.state.withLock { $0.elements } }
    /// Whether the sequence has ended.
    package var isOver: Bool { store.state.withLock { $0.isOver } }
    /// What it ended with.
    package var error: (any Error)? { store.state.withLock { $0.error } }

    /// Reads no more.
    package func cancel() { task.cancel() }
}

extension Reading {
    /// The data among the signals.
    package func data<Datum>() -> [Datum] where Element == Signal<Datum> {
        elements.compactMap { if case .data(let datum) = $0 { datum } else { nil } }
    }

    /// The gaps among the signals.
    package func gaps<Datum>() -> [Gap] where Element == Signal<Datum> {
        elements.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
    }

    /// The words among the signals.
    package func notices<Datum>() -> [Notice] where Element == Signal<Datum> {
        elements.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
    }
}
