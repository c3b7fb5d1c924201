/// The gateway's side of one client's connection: greeting, versions, `startApi`, then the client's
/// messages in wire order. No IO; whether the client id is free, and every answer, is the owner's.
public struct GatewaySession: Sendable {
    /// What is served.
    public let handshake: GatewayHandshake
    /// The agreed version; `nil` before.
    public private(set) var version: ServerVersion?
    /// The client's number; `nil` before `startApi`.
    public private(set) var clientID: ClientID?

    private var stage = Stage.greeting([])
    private var frames = FrameReader()

    /// Where the connection stands. Each stage names what may follow.
    private enum Stage: Sendable {
        /// The first four bytes are awaited; those that came. Follows: `offer`, `closed`.
        case greeting([UInt8])
        /// The versions are awaited. Follows: `start`, `closed`.
        case offer
        /// `startApi` is awaited; anything else is dropped. Follows: `begun`, `closed`.
        case start(TextCodec)
        /// The client talks. Follows: `closed`.
        case begun(TextCodec)
        /// Nothing is handled any more.
        case closed
    }

    /// What the client did.
    public enum Event: Hashable, Sendable {
        /// Versions are agreed: answer with `greeting(time:)`, and nothing behind it until `started`.
        case agreed(GatewayHandshake.Agreement)
        /// The session begins: answer with accounts and next valid id, or refuse the id.
        case started(ClientID, optionalCapabilities: String)
        /// A message, in wire order.
        case message(ClientMessage, leftover: Int)
        /// One message could not be read.
        case rejected(DecodingFailure)
        /// The client does not speak the protocol; drop the connection.
        case failed(SessionFault)
    }

    /// A connection just accepted.
    public init(handshake: GatewayHandshake = GatewayHandshake()) { self.handshake = handshake }

    /// The answer to the client's versions, as a frame.
    ///
    /// - Parameter time: the gateway's clock, with a zone.
    /// - Throws: when the time's text cannot travel.
    public func greeting(time: WireTime) throws(EncodingRefusal) -> [UInt8] {
        guard let version else { return [] }
        var answer = GatewayGreeting()
        answer.serverVersion = Int32(clamping: version.number)
        answer.connectionTime = time
        var bytes: [UInt8] = []
        try answer.append(to: &bytes)
        return bytes
    }

    /// Appends a message to the client as a frame; nothing before the session has begun.
    ///
    /// - Throws: when it cannot be written for this client's version.
    public func encode(
        _ message: GatewayMessage, into bytes: inout [UInt8]
    ) throws(EncodingRefusal) {
        switch stage {
        case .start(let codec), .begun(let codec): try codec.encode(message, into: &bytes)
        case .greeting, .offer, .closed: break
        }
    }

    /// Bytes came from the client.
    public mutating func received(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) {
        var remainder = bytes[...]
        if case .greeting(var mark) = stage {
            let missing = ClientGreeting.prefix.count - mark.count
            mark += remainder.prefix(missing)
            remainder = remainder.dropFirst(missing)
            guard ClientGreeting.prefix.starts(with: mark) else {
                return fail(.handshake(.notAGateway), into: &events)
            }
            stage = mark.count == ClientGreeting.prefix.count ? .offer : .greeting(mark)
        }
        frames.append(UnsafeRawBufferPointer(rebasing: remainder))
        while takeFrame(into: &events) {}
    }

    private mutating func fail(_ fault: SessionFault, into events: inout [Event]) {
        stage = .closed
        events.append(.failed(fault))
    }

    private mutating func takeFrame(into events: inout [Event]) -> Bool {
        do throws(FrameError) {
            switch stage {
            case .greeting, .closed: return false
            case .offer: return try takeOffer(into: &events)
            case .start(let codec), .begun(let codec):
                let read = try frames.next { payload -> Event in
                    do throws(DecodingFailure) {
                        let decoded = try codec.decode(fromClient: payload)
                        return .message(decoded.message, leftover: decoded.leftover)
                    } catch {
                        return .rejected(error)
                    }
                }
                guard let read else { return false }
                handle(read, codec, into: &events)
            }
        } catch {
            fail(.stream(error), into: &events)
            return false
        }
        return true
    }

    private mutating func takeOffer(into events: inout [Event]) throws(FrameError) -> Bool {
        let handshake = handshake
        let answer = try frames.next {
            payload -> Result<GatewayHandshake.Agreement, HandshakeFault> in
            do throws(HandshakeFault) {
                return .success(try handshake.agree(payload))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case nil: return false
        case .failure(let fault):
            fail(.handshake(fault), into: &events)
            return false
        case .success(let agreement):
            version = agreement.version
            stage = .start(TextCodec(version: agreement.version))
            events.append(.agreed(agreement))
            return true
        }
    }

    private mutating func handle(_ event: Event, _ codec: TextCodec, into events: inout [Event]) {
        if case .start = stage {
            // Before startApi a gateway handles nothing else.
            guard case .message(.startApi(let start), _) = event else { return }
            stage = .begun(codec)
            clientID = start.clientId
            events.append(
                .started(start.clientId, optionalCapabilities: start.optionalCapabilities))
        } else {
            events.append(event)
        }
    }
}
