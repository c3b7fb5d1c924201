public import Primitives

/// What the owner of a session knows that the gateway does not say.
extension ClientSession {
    /// A known restart of the gateway is near, or over: until then only what reduces positions and cancels leave.
    public mutating func drain(
        _ isDraining: Bool, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        changeLink(.owner, into: &outcome) { $0.drains(isDraining) }
        settle(at: now, into: &outcome)
    }

    /// The owner was away for long: as behind a lost link, nothing may open before all lists were read once more.
    public mutating func resynchronise(at now: Timestamp, into outcome: inout SessionOutcome) {
        var action = LinkMachine.Action.none
        changeLink(.owner, into: &outcome) { action = $0.doubted() }
        if action == .synchronise { synchronise(at: now, into: &outcome) }
        settle(at: now, into: &outcome)
    }

    /// The owner doubts what comes in this connection: it ends, and is made anew.
    public mutating func renew(at now: Timestamp, into outcome: inout SessionOutcome) {
        guard case .begun = stage else { return }
        fail(.implausibleData, at: now, into: &outcome)
        settle(at: now, into: &outcome)
    }
}
