package import Signals

/// What strategies leave for people. It decides nothing, so it is no part of the state's digest.
extension Engine {
    /// Keeps what strategies note from now on.
    package mutating func keepNotes() { context.keepsNotes = true }

    /// What strategies noted, in order of time.
    package var notes: [ScoreNote] { context.notes }

    /// How many more notes there were than could be kept.
    package var droppedNoteCount: Int { context.droppedNoteCount }
}
