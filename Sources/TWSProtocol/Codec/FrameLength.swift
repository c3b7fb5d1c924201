/// The length in front of a frame.
enum FrameLength {
    /// Writes `length` as four bytes, most significant first.
    static func write(_ length: Int, to bytes: inout [UInt8], at position: Int) {
        for index in 0..<4 {
            bytes[position + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index))
        }
    }

    /// Appends `length`.
    static func append(_ length: Int, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: [0, 0, 0, 0])
        write(length, to: &bytes, at: bytes.count - 4)
    }
}
