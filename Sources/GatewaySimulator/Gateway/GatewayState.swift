import Primitives

/// What of a gateway outlives it: a real one's orders and numbers lie at the broker.
package struct GatewayState: Codable, Sendable {
    /// The session clock, in nanoseconds since 1970 UTC.
    package var time: Int64
    /// The accounts' ledgers.
    package var accounts: [GatewayAccountSnapshot]
    /// The orders, their numbers and their fills.
    package var orders = OrderManagerSnapshot()
}

extension Gateway {
    /// What outlives it, as it stands.
    package var state: GatewayState {
        GatewayState(
            time: now.nanoseconds, accounts: accounts.snapshots, orders: orderManager.snapshot)
    }

    /// Takes over what an earlier one left. Connections are not part of it.
    ///
    /// - Throws: when it was of other accounts, holds contracts that are not listed, or times that no
    ///   gateway can have kept.
    package func restore(_ state: GatewayState) throws(AccountFault) {
        for time in [state.time] + state.orders.times
        where !Timestamp.supported.contains(Timestamp(nanoseconds: time)) {
            throw .implausible("time \(time)")
        }
        try accounts.restore(state.accounts) { number in
            contracts.id(ofConId: number).map { AccountInstrument(contracts[$0]) }
        }
        now = max(now, Timestamp(nanoseconds: state.time))
        orderManager.advance(to: now)
        orderManager.restore(state.orders)
    }
}
