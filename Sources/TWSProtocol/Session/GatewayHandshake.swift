/// The opening of a connection, the gateway's side.
public struct GatewayHandshake: Hashable, Sendable {
    /// The versions served; the highest may be lowered to serve an old one.
    public let versions: ClosedRange<Int>

    /// Serves `versions`, cut to those whose text form is known.
    public init(versions: ClosedRange<Int> = ServerVersion.supported) {
        self.versions = versions.clamped(to: ServerVersion.supported)
    }

    /// The highest version that both sides know.
    ///
    /// - Parameter offer: the payload of the client's first frame, `v163..200` or `v163`, perhaps with
    ///   options behind a blank.
    /// - Throws: when it is no offer, or the ranges do not meet.
    public func agree(
        _ offer: UnsafeBufferPointer<UInt8>
    ) throws(HandshakeFault) -> Agreement {
        guard offer.count <= 512, let greeting = ClientGreeting(offer) else {
            throw .notAGateway
        }
        let low = Int(greeting.minVersion)
        let high = Int(greeting.maxVersion)
        guard low >= 0, low <= high else { throw .notAGateway }
        let number = min(high, versions.upperBound)
        guard number >= low, number >= versions.lowerBound, let version = ServerVersion(number)
        else { throw .version(number, offered: low...high) }
        return Agreement(version: version, options: greeting.connectOptions)
    }

    /// What both sides agreed on.
    public struct Agreement: Hashable, Sendable {
        /// The version of all that follows.
        public let version: ServerVersion
        /// What the client asked for behind its versions.
        public let options: String
    }
}
