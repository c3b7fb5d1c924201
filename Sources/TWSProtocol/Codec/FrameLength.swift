/// The length in front of a frame.
enum FrameLength {
    /// Writes `length` as four bytes, most significant first.
    static func write(_ length: Int, to bytes: inout [UInt8], at position: Int) {
        for place in 0..<4 {
            bytes[position + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place))
        }
    }
}
