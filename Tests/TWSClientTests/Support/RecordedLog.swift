import Logging
import Synchronization

/// Keeps log lines for a test to look at.
struct RecordedLog: LogHandler {
    /// One line.
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private final class Store: Sendable {
        let lines = Mutex<[Line]>([])
    }

    private let store = Store()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    /// The lines so far.
    var lines: [Line] { store.lines.withLock { $0 } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = Line(
            level: event.level, message: "\(event.message)",
            metadata: (event.metadata ?? [:]).mapValues { "\($0)" })
        store.lines.withLock { $0.append(line) }
    }
}
