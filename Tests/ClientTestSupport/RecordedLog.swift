package import Logging
import Synchronization

/// Keeps log lines for a test to look at.
package struct RecordedLog: LogHandler {
    /// One line.
    package struct Line: Sendable {
        /// How grave it is.
        package let level: Logger.Level
        /// Its words.
        package let message: String
        /// What goes with them.
        package let metadata: [String: String]
    }

    private final class Store: Sendable {
        let lines = Mutex<[Line]>([])
    }

    private let store = Store()
    /// What goes with every line.
    package var metadata: Logger.Metadata = [:]
    /// From which level on lines are kept.
    package var logLevel = Logger.Level.trace

    /// An empty log.
    package init() {}

    /// The lines so far.
    package var lines: [Line] { store.lines.withLock { $0 } }

    /// Those that somebody should look at.
    package var warnings: [Line] { lines.filter { $0.level >= .warning } }

    /// What goes with every line, by its key.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Keeps a line.
    package func log(event: LogEvent) {
        let line = Line(
            level: event.level, message: "\(event.message)",
            metadata: (event.metadata ?? [:]).mapValues { "\($0)" })
        store.lines.withLock { $0.append(line) }
    }
}
