/// What a client sends first: the versions it can speak. `API` and a NUL, then one frame with
/// `v<min>..<max>` and no terminator.
public struct ClientGreeting: FieldRecord {
    /// The four bytes before the first frame.
    public static let prefix = Array("API\0".utf8)

    /// The oldest version it can speak.
    public var minVersion: Int32 = 0
    /// The newest version it can speak.
    public var maxVersion: Int32 = 0
    /// What it asks for beside; empty in normal use.
    public var connectOptions = ""

    /// Nothing set.
    public init() {}

    /// Reads the frame behind the prefix: `v163..200`, `v163..200 +PACEAPI` or `v176`; `nil` when it is
    /// none of these.
    public init?(_ payload: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: payload, as: UTF8.self)
        guard text.first == "v" else { return nil }
        let parts = text.dropFirst().split(
            separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap({ Int32($0) }),
            let last = ends.last.flatMap({ Int32($0) }),
            ends.count == 1 || ends.count == 3 && ends[1].isEmpty
        else { return nil }
        minVersion = first
        maxVersion = last
        connectOptions = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The fields by name. On the wire they are the one text of `append(to:)`.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("minVersion", &minVersion)
        coder.integer("maxVersion", &maxVersion)
        coder.text("connectOptions", &connectOptions)
    }

    /// Appends the prefix and the frame.
    public func append(to bytes: inout [UInt8]) {
        let options = connectOptions.isEmpty ? "" : " \(connectOptions)"
        let payload = "v\(minVersion)..\(maxVersion)\(options)".utf8
        bytes.append(contentsOf: Self.prefix)
        FrameLength.append(payload.count, to: &bytes)
        bytes.append(contentsOf: payload)
    }
}

/// A gateway's answer to a client's first words: the agreed version, and the time.
public struct GatewayGreeting: FieldRecord {
    /// The agreed version.
    public var serverVersion: Int32 = 0
    /// When the connection was made, by the gateway's clock.
    public var connectionTime = WireTime.none

    /// Nothing set.
    public init() {}

    /// Reads a frame that is such an answer: two fields, a number and a text that begins with a date.
    /// `nil` when it is none: messages have a number in front, too.
    public init?(_ payload: UnsafeBufferPointer<UInt8>) {
        var reader = TextReader(payload, from: 0, version: .oldest)
        self.init()
        fields(&reader)
        guard reader.failure == nil, reader.remainingFields == 0 else { return nil }
        switch connectionTime {
        case .utc, .wall, .day: break
        case .other(let text): guard Self.beginsWithDate(text) else { return nil }
        case .none, .epoch: return nil
        }
    }

    /// Version, then time.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("serverVersion", &serverVersion)
        coder.time("connectionTime", &connectionTime)
    }

    /// Appends the frame.
    ///
    /// - Throws: when the time has a NUL inside.
    public func append(to bytes: inout [UInt8]) throws(EncodingRefusal) {
        let payload = try text(at: .oldest, from: .gateway)
        FrameLength.append(payload.count, to: &bytes)
        bytes.append(contentsOf: payload)
    }

    private static func beginsWithDate(_ text: String) -> Bool {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.count == 8 && text.utf8.count > 8
    }
}
