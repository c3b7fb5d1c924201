/// The opening of a connection, the client's side: what is sent first, and the answer read.
public struct ClientHandshake: Hashable, Sendable {
    /// The versions offered.
    public let versions: ClosedRange<Int>
    /// Options behind the versions, such as `+PACEAPI`; empty in normal use.
    public let options: String

    /// Offers the versions whose text form is known and that have fractional sizes.
    public static let standard = ClientHandshake(
        versions: 163...ServerVersion.supported.upperBound, options: "")

    /// Offers `versions`.
    ///
    /// - Parameter options: printable ASCII.
    public init(versions: ClosedRange<Int>, options: String) {
        self.versions = versions
        self.options = options
    }

    /// What goes out first.
    public var bytes: [UInt8] {
        var greeting = ClientGreeting()
        greeting.minVersion = Int32(clamping: versions.lowerBound)
        greeting.maxVersion = Int32(clamping: versions.upperBound)
        greeting.connectOptions = options
        var bytes: [UInt8] = []
        greeting.append(to: &bytes)
        return bytes
    }

    /// Reads the gateway's answer.
    ///
    /// - Throws: when it is no answer of a gateway, or names a version that was not offered.
    public func accept(
        _ payload: UnsafeBufferPointer<UInt8>
    ) throws(HandshakeFault) -> Agreement {
        // A gateway's answer is a number and a time: a few dozen bytes.
        guard payload.count <= 512 else { throw .notAGateway }
        let fields = payload.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let first = fields.first, let number = Int(first), fields.count >= 2 else {
            throw .notAGateway
        }
        if number == -1 { throw .redirected(to: fields[1]) }
        guard versions.contains(number), let version = ServerVersion(number) else {
            throw .version(number, offered: versions)
        }
        return Agreement(version: version, connectionTime: fields[1])
    }

    /// What both sides agreed on.
    public struct Agreement: Hashable, Sendable {
        /// The version of all that follows.
        public let version: ServerVersion
        /// The gateway's clock as it wrote it, with a zone of any spelling.
        public let connectionTime: String
    }
}

/// Why a connection could not be opened.
public enum HandshakeFault: Error, Hashable, Sendable {
    /// What answered does not speak this protocol.
    case notAGateway
    /// The gateway's version is not one that was offered.
    case version(Int, offered: ClosedRange<Int>)
    /// The gateway names another address; it is not followed, since it could be another account.
    case redirected(to: String)
}

extension HandshakeFault: CustomStringConvertible {
    /// What happened and what to do.
    public var description: String {
        switch self {
        case .notAGateway:
            "what answers does not speak the TWS protocol: check host and port"
        case .version(let number, let offered) where number < offered.lowerBound:
            "the gateway's server version \(number) is too old, \(offered.lowerBound) is needed: "
                + "update TWS or IB Gateway"
        case .version(let number, let offered):
            "the gateway answered with server version \(number), which was not offered "
                + "(\(offered.lowerBound)...\(offered.upperBound))"
        case .redirected(let address):
            "the gateway redirects to '\(address)', which is not followed: connect there if it is yours"
        }
    }
}
