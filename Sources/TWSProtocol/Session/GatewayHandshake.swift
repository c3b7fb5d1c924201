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
        guard offer.count <= 512 else { throw .notAGateway }
        let parts = String(decoding: offer, as: UTF8.self)
            .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let range = parts.first, range.first == "v" else { throw .notAGateway }
        let bounds = range.dropFirst().split(separator: ".", omittingEmptySubsequences: true)
        guard let low = bounds.first.flatMap({ Int($0) }), low >= 0, bounds.count <= 2,
            let high = bounds.last.flatMap({ Int($0) }), high >= low
        else { throw .notAGateway }
        let number = min(high, versions.upperBound)
        guard number >= low, number >= versions.lowerBound, let version = ServerVersion(number)
        else { throw .version(number, offered: low...high) }
        return Agreement(
            version: version, options: parts.count > 1 ? String(parts[1]) : "")
    }

    /// The answer as a frame. `time` is the gateway's clock with a zone: `20250415 19:38:30 US/Eastern`.
    public static func answer(_ version: ServerVersion, time: String) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0]
        bytes.append(decimal: UInt64(version.number))
        bytes.append(0)
        bytes += time.utf8.filter { $0 != 0 }
        bytes.append(0)
        FrameLength.write(bytes.count - 4, to: &bytes, at: 0)
        return bytes
    }

    /// What both sides agreed on.
    public struct Agreement: Hashable, Sendable {
        /// The version of all that follows.
        public let version: ServerVersion
        /// What the client asked for behind its versions.
        public let options: String
    }
}
