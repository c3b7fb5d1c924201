/// Events of a record, one after the other, and what the engine answered to them.
package struct RecordBatch: Equatable, Sendable {
    /// What the engine took in, in order.
    package var events: [Event] = []
    /// The commands it answered with, in order.
    package var commands: [RecordedCommand] = []
    /// What it concluded, in order; `nil` where the record keeps a digest of it only. A difference is found either
    /// way; with them it is found at its event.
    package var decisions: [Decision]?
    /// The `OutputDigest` of all that was answered from the record's first event through the last of this batch.
    package var digest: UInt64 = 0

    /// A batch of nothing.
    package init() {}
}

/// A command and the event that it answered.
package struct RecordedCommand: Hashable, Sendable, BitwiseCopyable {
    /// The event's index in its batch.
    package let event: Int
    /// What was to be done.
    package let command: Command

    /// A command that followed from an event.
    package init(_ command: Command, to event: Int) {
        self.command = command
        self.event = event
    }
}
