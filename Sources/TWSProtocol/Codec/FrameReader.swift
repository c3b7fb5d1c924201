/// Cuts a stream of bytes into frames: a length of four bytes, most significant first, and so many bytes.
///
/// Takes any pieces. Memory is bounded by one frame of `payloadMax` and one piece.
public struct FrameReader: Sendable {
    /// The largest payload IBKR's own client accepts.
    public static let payloadMax = 16_777_215

    @usableFromInline
    var buffer: [UInt8] = []
    private var start = 0
    private var isBroken = false

    /// Nothing read yet.
    public init() {}

    /// Bytes that wait for the rest of their frame.
    public var waiting: Int { buffer.count - start }

    /// Takes the next bytes of the stream.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 65_536 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Takes the next bytes of the stream.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        Array(bytes).withUnsafeBytes { append($0) }
    }

    /// Hands the next whole payload to `body`; the bytes are valid inside it only.
    ///
    /// - Returns: what `body` made of it; `nil` while the next frame is not complete.
    /// - Throws: when a length is 0 or beyond `payloadMax`. The stream has then lost its step: every
    ///   later call throws as well, and the connection is to be dropped.
    @inlinable
    public mutating func next<R>(
        _ body: (UnsafeBufferPointer<UInt8>) -> R
    ) throws(FrameError) -> R? {
        guard let payload = try nextPayload() else { return nil }
        return buffer.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[payload])) }
    }

    /// Passes the next whole frame.
    ///
    /// - Returns: where its payload lies in `buffer`.
    @usableFromInline
    mutating func nextPayload() throws(FrameError) -> Range<Int>? {
        guard !isBroken else { throw .streamBroken }
        guard waiting >= 4 else { return nil }
        let length =
            Int(buffer[start]) << 24 | Int(buffer[start + 1]) << 16 | Int(buffer[start + 2]) << 8
            | Int(buffer[start + 3])
        guard length > 0, length <= Self.payloadMax else {
            isBroken = true
            throw .badLength(length)
        }
        guard waiting >= 4 + length else { return nil }
        let first = start + 4
        start = first + length
        return first..<start
    }
}

/// Why a stream cannot be cut into frames any more.
public enum FrameError: Error, Hashable, Sendable {
    /// A frame says it has so many bytes; 1 to 16,777,215 are possible.
    case badLength(Int)
    /// A frame before had a bad length.
    case streamBroken
}

extension FrameError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .badLength(let length):
            "a frame's length is \(length); 1 to \(FrameReader.payloadMax) are possible"
        case .streamBroken: "a frame before had an impossible length"
        }
    }
}
