/// The bytes of messages that wait in the outbox, which itself only knows numbers for them.
struct QueuedFrames: Sendable {
    private var frames: [Int: [UInt8]] = [:]
    private var next = 0

    /// Keeps a message's bytes under a new number.
    mutating func store(_ bytes: [UInt8]) -> Int {
        next += 1
        frames[next] = bytes
        return next
    }

    /// The bytes of a message that leaves.
    mutating func take(_ message: Outgoing) -> [UInt8] {
        frames.removeValue(forKey: message.token) ?? []
    }

    /// Forgets a message that will not leave.
    mutating func drop(_ message: Outgoing) { frames[message.token] = nil }
}
