import Primitives
import TWSProtocol

/// How a connection ended, as the client's socket sees it.
enum ConnectionEnd: Hashable {
    /// It did not.
    case none
    /// Nobody listened.
    case refused
    /// In order.
    case closed
    /// By a reset.
    case reset
    /// By the client.
    case left
}

/// What came over a client's wire.
struct Mailbox {
    var end: ConnectionEnd
    var frames = FrameReader()
    var codec: TextCodec?
    var greeting: GatewayGreeting?
    var received: [Received] = []
    var rejected: [DecodingFailure] = []
    var isOutOfStep = false
    var byteCount = 0
    var pieceCount = 0

    mutating func end(_ how: ConnectionEnd) {
        if end == .none { end = how }
    }

    mutating func receive(_ bytes: [UInt8], at now: Timestamp) {
        guard end == .none else { return }
        byteCount += bytes.count
        pieceCount += 1
        frames.append(bytes)
        while takeFrame(at: now) {}
    }

    private mutating func takeFrame(at now: Timestamp) -> Bool {
        let codec = codec
        let expectsGreeting = greeting == nil
        var greeting: GatewayGreeting?
        var read: Result<GatewayMessage, DecodingFailure>?
        do throws(FrameError) {
            let isFrame: Void? = try frames.next { payload in
                if expectsGreeting {
                    greeting = GatewayGreeting(payload)
                } else if let codec {
                    do throws(DecodingFailure) {
                        read = .success(try codec.decode(fromGateway: payload).message)
                    } catch {
                        read = .failure(error)
                    }
                }
            }
            guard isFrame != nil else { return false }
        } catch {
            isOutOfStep = true
            return false
        }
        if expectsGreeting { self.greeting = greeting }
        switch read {
        case .success(let message): received.append(Received(at: now, message: message))
        case .failure(let failure): rejected.append(failure)
        case nil: break
        }
        return true
    }
}

/// A message a client got, and when.
struct Received: Hashable {
    let at: Timestamp
    let message: GatewayMessage
}
