// What the fuzzer calls with every input: frames, both decoders, both sessions. An input that traps,
// or a message that does not survive being written and read again, ends the process.
//
// An input's first byte chooses the version, the second what is read: a payload for either decoder,
// or a stream for either session, cut into pieces of the third byte's length.
import Primitives
import TWSProtocol

/// Reads one input; libFuzzer calls it by its C name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard count > 3 else { return 0 }
    let codec = TextCodec(version: ServerVersion.all[Int(input[0]) % ServerVersion.all.count])
    let remainder = UnsafeBufferPointer(rebasing: input[3...])
    switch input[1] % 4 {
    case 0: readGatewayPayload(remainder, codec)
    case 1: readClientPayload(remainder, codec)
    case 2: receiveFromGateway(remainder, piece: Int(input[2]) + 1)
    default: receiveFromClient(remainder, piece: Int(input[2]) + 1)
    }
    return 0
}

/// Reads a payload; what could be read must be the same after it was written and read again.
func readGatewayPayload(_ payload: UnsafeBufferPointer<UInt8>, _ codec: TextCodec) {
    do {
        let message = try codec.decode(fromGateway: payload).message
        var bytes: [UInt8] = []
        try codec.encode(message, into: &bytes)
        let repeated = try bytes.withUnsafeBufferPointer {
            try codec.decode(fromGateway: UnsafeBufferPointer(rebasing: $0[4...])).message
        }
        precondition(repeated == message, "\(message) became \(repeated)")
    } catch {}
}

/// As `readGatewayPayload`, the other way.
func readClientPayload(_ payload: UnsafeBufferPointer<UInt8>, _ codec: TextCodec) {
    do {
        let message = try codec.decode(fromClient: payload).message
        var bytes: [UInt8] = []
        try codec.encode(message, into: &bytes)
        let repeated = try bytes.withUnsafeBufferPointer {
            try codec.decode(fromClient: UnsafeBufferPointer(rebasing: $0[4...])).message
        }
        precondition(repeated == message, "\(message) became \(repeated)")
    } catch {}
}

/// A client's session that hears `stream` from the first byte on.
func receiveFromGateway(_ stream: UnsafeBufferPointer<UInt8>, piece: Int) {
    var settings = SessionSettings(clientID: 1)
    settings.placesOrders = true
    settings.handshake = ClientHandshake(versions: 157...200, options: "")
    var session = ClientSession(settings: settings)
    var outcome = SessionOutcome()
    var now = Timestamp(seconds: 1)
    session.start(at: now, into: &outcome)
    session.opened(at: now, into: &outcome)
    for start in stride(from: 0, to: stream.count, by: piece) {
        outcome.clear()
        let end = min(start + piece, stream.count)
        session.received(
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(stream)[start..<end]), at: now,
            into: &outcome)
        now = now + .seconds(1)
        session.timeReached(at: now, into: &outcome)
    }
}

/// A gateway's session that hears `stream` from the first byte on.
func receiveFromClient(_ stream: UnsafeBufferPointer<UInt8>, piece: Int) {
    var session = GatewaySession()
    var events: [GatewaySession.Event] = []
    for start in stride(from: 0, to: stream.count, by: piece) {
        let end = min(start + piece, stream.count)
        session.received(
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(stream)[start..<end]),
            into: &events)
    }
}
