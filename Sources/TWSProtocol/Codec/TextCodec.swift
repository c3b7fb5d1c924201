/// The text form of messages at one server version.
///
/// The protobuf form of newer gateways will stand beside it: messages are the same values, and only
/// this type and `Text/` know how they are spelled.
public struct TextCodec: Hashable, Sendable {
    /// The agreed version.
    public let version: ServerVersion

    /// The form of `version`.
    public init(version: ServerVersion) { self.version = version }

    /// A payload read.
    public struct Decoded<Message: Hashable & Sendable>: Hashable, Sendable {
        /// The message it holds.
        public let message: Message
        /// Fields behind the last one the version has; a newer gateway may add some.
        public let leftover: Int
    }

    /// Reads a gateway's payload.
    ///
    /// - Throws: when the message is not known or a field has no valid value. Only this message is lost;
    ///   the next frame can be read.
    public func decode(
        fromGateway payload: UnsafeBufferPointer<UInt8>
    ) throws(DecodingFailure) -> Decoded<GatewayMessage> {
        let (number, start) = try Self.messageNumber(of: payload)
        guard let kind = GatewayMessageKind(rawValue: number) else {
            throw .unknownMessage(number: number)
        }
        var reader = TextReader(payload, from: start, version: version)
        let message = GatewayMessage(kind, from: &reader)
        if let failure = reader.failure { throw .badField(message: "\(kind)", failure) }
        return Decoded(message: message, leftover: reader.remainingFields)
    }

    /// Reads a client's payload.
    ///
    /// - Throws: as `decode(fromGateway:)`.
    public func decode(
        fromClient payload: UnsafeBufferPointer<UInt8>
    ) throws(DecodingFailure) -> Decoded<ClientMessage> {
        let (number, start) = try Self.messageNumber(of: payload)
        guard let kind = ClientMessageKind(rawValue: number) else {
            throw .unknownMessage(number: number)
        }
        var reader = TextReader(payload, from: start, version: version)
        let message = ClientMessage(kind, from: &reader)
        if let failure = reader.failure { throw .badField(message: "\(kind)", failure) }
        return Decoded(message: message, leftover: reader.remainingFields)
    }

    /// Appends a client's message as one frame, or nothing when it throws.
    ///
    /// - Throws: when the version does not carry the message or one of its set fields, or a text cannot
    ///   travel.
    public func encode(
        _ message: ClientMessage, into bytes: inout [UInt8]
    ) throws(EncodingRefusal) {
        try encode(message.kind, into: &bytes) { message.fields(&$0) }
    }

    /// Appends an order as one frame, as the message of that kind is. The order is looked at where it
    /// lies: a copy of all it may hold takes as long as writing half of it (`Benchmarks/Wire`).
    ///
    /// - Throws: as `encode` of a message.
    public func encode(
        _ order: inout PlaceOrder, into bytes: inout [UInt8]
    ) throws(EncodingRefusal) {
        try encode(.placeOrder, into: &bytes) { order.fields(&$0) }
    }

    private func encode(
        _ kind: ClientMessageKind, into bytes: inout [UInt8], fields: (inout TextWriter) -> Void
    ) throws(EncodingRefusal) {
        guard version.number >= kind.firstVersion else {
            throw .messageNotCarried(
                message: "\(kind)", needs: kind.firstVersion, version: version)
        }
        try encode(number: kind.rawValue, as: .client, into: &bytes, fields: fields)
    }

    /// Appends a gateway's message as one frame, or nothing when it throws.
    ///
    /// - Throws: when the version does not carry the message, or a text has a NUL inside. Fields the
    ///   version does not carry are left out.
    public func encode(
        _ message: GatewayMessage, into bytes: inout [UInt8]
    ) throws(EncodingRefusal) {
        let kind = message.kind
        guard version.number >= kind.firstVersion else {
            throw .messageNotCarried(
                message: "\(kind)", needs: kind.firstVersion, version: version)
        }
        try encode(number: kind.rawValue, as: .gateway, into: &bytes) { message.fields(&$0) }
    }

    private func encode(
        number: Int, as role: WireRole, into bytes: inout [UInt8],
        fields: (inout TextWriter) -> Void
    ) throws(EncodingRefusal) {
        var writer = TextWriter(version: version, role: role)
        writer.begin(number)
        fields(&writer)
        if let refusal = writer.refusal { throw refusal }
        writer.finishFrame()
        writer.copy(to: &bytes)
    }

    /// The message number in front, and where the fields begin.
    private static func messageNumber(
        of payload: UnsafeBufferPointer<UInt8>
    ) throws(DecodingFailure) -> (Int, Int) {
        var number = 0
        var index = 0
        while index < payload.count, payload[index] != 0 {
            let digit = payload[index] &- UInt8(ascii: "0")
            guard digit <= 9, index < 6 else { throw .noMessageNumber }
            number = number * 10 + Int(digit)
            index += 1
        }
        guard index > 0 else { throw .noMessageNumber }
        return (number, index + 1)
    }
}

/// Why a payload could not be read.
public enum DecodingFailure: Error, Hashable, Sendable {
    /// The payload does not begin with a message number.
    case noMessageNumber
    /// No message has this number.
    case unknownMessage(number: Int)
    /// A field has no valid value.
    case badField(message: String, FieldFailure)
}

extension DecodingFailure: CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String {
        switch self {
        case .noMessageNumber: "the payload does not begin with a message number"
        case .unknownMessage(let number): "no message has number \(number)"
        case .badField(let message, let failure): "\(message): \(failure)"
        }
    }
}
