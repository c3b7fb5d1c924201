/// Something that is done to a gateway while it runs.
package protocol GatewayAction: Sendable {
    /// Does it.
    ///
    /// - Throws: why it cannot be done.
    func perform(on gateway: Gateway) throws(FaultRefusal)
}

/// Why something asked of the gateway cannot be done.
package struct FaultRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, where, and what to do.
    package let description: String

    /// A refusal.
    package init(_ description: String) { self.description = description }
}
