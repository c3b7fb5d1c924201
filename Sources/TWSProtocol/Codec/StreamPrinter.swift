import Primitives

/// Turns one side's stream of bytes into lines of JSON, one a frame: the message's name, its fields, how
/// many fields lay behind the last known one, and what was wrong.
///
/// Takes any pieces. Memory is bounded by the largest frame and the largest piece. A frame that cannot be
/// read gives a line with an error, and the next one is read; a frame length that cannot be ends the
/// stream.
package struct StreamPrinter: Sendable {
    /// Whether any line so far has an error.
    package private(set) var hasErrors = false
    /// Whether the stream has lost its step: what follows cannot be cut into frames.
    package private(set) var isBroken = false
    /// The version that the gateway's handshake names, if there was one.
    package private(set) var agreedVersion: Int32?

    private let codec: TextCodec
    private let role: WireRole
    private let showsAccounts: Bool
    private var frames = FrameReader()
    /// Frames begun, and where the next one begins.
    private var frameNumber = 0
    private var offset = 0
    /// The first bytes of a client's stream, until it is clear whether they are the prefix; then `nil`.
    private var opening: [UInt8]?
    private var hasPrefix = false

    /// Prints what `role` sends at `version`.
    ///
    /// - Parameter showsAccounts: accounts in clear text.
    package init(version: ServerVersion, role: WireRole, showsAccounts: Bool) {
        codec = TextCodec(version: version)
        self.role = role
        self.showsAccounts = showsAccounts
        opening = role == .client ? [] : nil
    }

    /// Takes the next bytes of the stream and appends a line for each frame that is complete.
    package mutating func take(_ bytes: ArraySlice<UInt8>, into lines: inout String) {
        guard !isBroken else { return }
        if var first = opening {
            first.append(contentsOf: bytes)
            opening = first
            guard first.count >= ClientGreeting.prefix.count else { return }
            settleOpening()
        } else {
            bytes.withUnsafeBytes { frames.append($0) }
        }
        printFrames(into: &lines)
    }

    /// Takes the end of the stream: a frame that is not complete is an error.
    package mutating func finish(into lines: inout String) {
        settleOpening()
        guard !isBroken else { return }
        printFrames(into: &lines)
        guard !isBroken, frames.waiting > 0 else { return }
        frameNumber += 1
        let failure =
            "the stream ends inside the frame, \(frames.waiting) bytes behind its beginning"
        append(Line(message: nil, reason: failure), to: &lines)
    }

    private mutating func settleOpening() {
        guard let first = opening else { return }
        opening = nil
        hasPrefix = first.starts(with: ClientGreeting.prefix)
        if hasPrefix { offset = ClientGreeting.prefix.count }
        frames.append(first.dropFirst(offset))
    }

    private mutating func printFrames(into lines: inout String) {
        do throws(FrameError) {
            while true {
                let isFirst = frameNumber == 0
                let next = try frames.next { [codec, role, showsAccounts, hasPrefix] payload in
                    let handshake = isFirst ? Line(handshake: payload, role, hasPrefix) : nil
                    let line = handshake ?? Line(payload, codec, role, showsAccounts: showsAccounts)
                    return (line: line, length: payload.count)
                }
                guard let next else { return }
                frameNumber += 1
                if let version = next.line.agreedVersion { agreedVersion = version }
                append(next.line, to: &lines)
                offset += 4 + next.length
            }
        } catch {
            isBroken = true
            frameNumber += 1
            append(
                Line(message: nil, reason: "\(error); nothing behind it can be read"), to: &lines)
        }
    }

    private mutating func append(_ line: Line, to lines: inout String) {
        var json = JSONText()
        json.open("{")
        if let message = line.message {
            json.member("message", text: message)
        } else {
            json.member("message", raw: "null")
        }
        if let fields = line.fields { json.member("fields", raw: fields) }
        if line.leftover > 0 { json.member("leftover", raw: String(line.leftover)) }
        if let reason = line.reason {
            hasErrors = true
            json.key("error")
            json.open("{")
            json.member("frame", raw: String(frameNumber))
            json.member("offset", raw: String(offset))
            json.member("reason", text: showsAccounts ? reason : AccountText.redacted(reason))
            json.close("}")
        }
        json.close("}")
        lines += json.text
        lines += "\n"
    }
}

/// What is printed of one frame.
private struct Line {
    var message: String?
    var fields: String?
    var leftover = 0
    var reason: String?
    var agreedVersion: Int32?

    init(message: String?, reason: String) {
        self.message = message
        self.reason = reason
    }

    /// A message.
    init(
        _ payload: UnsafeBufferPointer<UInt8>, _ codec: TextCodec, _ role: WireRole,
        showsAccounts: Bool
    ) {
        do throws(DecodingFailure) {
            switch role {
            case .gateway:
                let decoded = try codec.decode(fromGateway: payload)
                message = "\(decoded.message.kind)"
                fields = decoded.message.json(at: codec.version, showsAccounts: showsAccounts)
                leftover = decoded.leftover
            case .client:
                let decoded = try codec.decode(fromClient: payload)
                message = "\(decoded.message.kind)"
                fields = decoded.message.json(at: codec.version, showsAccounts: showsAccounts)
                leftover = decoded.leftover
            }
        } catch {
            if case .badField(let name, _) = error { message = name }
            reason = "\(error)"
        }
    }

    /// The first frame, where it is a handshake.
    init?(handshake payload: UnsafeBufferPointer<UInt8>, _ role: WireRole, _ hasPrefix: Bool) {
        message = WireStream.handshake
        switch role {
        case .client:
            guard hasPrefix else { return nil }
            guard let handshake = ClientGreeting(payload) else {
                reason = "behind `API` and a NUL there is no range of versions"
                return
            }
            fields = handshake.json(at: .newest, showsAccounts: true)
        case .gateway:
            guard let handshake = GatewayGreeting(payload) else { return nil }
            agreedVersion = handshake.serverVersion
            fields = handshake.json(at: .newest, showsAccounts: true)
        }
    }
}

/// Words of the lines that `StreamPrinter` prints and `StreamWriter` takes.
enum WireStream {
    /// The name under which both sides' first words appear.
    static let handshake = "handshake"
}
