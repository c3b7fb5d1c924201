import Model
import Primitives
import TWSProtocol

/// Keeps that the program stood still, as behind a machine's sleep, until the broker's lists were read once more.
struct PauseReview: Sendable {
    /// True from a standstill on until everything is known again.
    private(set) var isPresent = false
    private var hasLeft = false

    /// From which time between two turns of the loop on the program is taken to have stood still: the loop waits a tenth
    /// of a second at most.
    static let limit = Duration.seconds(10)

    /// Takes in a standstill.
    ///
    /// - Parameter link: its state before what came meanwhile is taken in.
    mutating func began(_ time: Duration, _ link: BrokerLinkState) -> [ConditionReport] {
        // A link that is not ready is synchronised anew in any case.
        hasLeft = !link.isSynchronised
        guard !isPresent else { return [] }
        isPresent = true
        return [ConditionReport(.processPaused, isPresent: true, value: time.nanoseconds)]
    }

    /// Takes in an event of the session.
    mutating func take(_ event: SessionEvent) {
        switch event {
        case .link(.sync, cause: .owner), .link(.handshake, cause: _), .disconnected:
            hasLeft = true
        default: break
        }
    }

    /// Takes in the link's state: once it has been synchronised anew, the standstill is over.
    mutating func review(_ link: BrokerLinkState) -> [ConditionReport] {
        guard isPresent else { return [] }
        guard hasLeft, link.isSynchronised else { return [] }
        isPresent = false
        return [ConditionReport(.processPaused, isPresent: false)]
    }
}
