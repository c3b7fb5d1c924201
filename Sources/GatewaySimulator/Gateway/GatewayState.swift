import Primitives

/// What of a gateway outlives it: a real one's orders and numbers lie at the broker.
package struct GatewayState: Codable, Sendable {
    /// The session clock, in nanoseconds since 1970 UTC.
    package var time: Int64
}

extension Gateway {
    /// What outlives it, as it stands.
    package var state: GatewayState { GatewayState(time: now.nanoseconds) }

    /// Takes over what an earlier one left. Connections are not part of it.
    package func restore(_ state: GatewayState) {
        now = max(now, Timestamp(nanoseconds: state.time))
    }
}
