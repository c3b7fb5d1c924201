/// One field of a text payload: where its bytes lie, and the first eight of them in a machine word.
///
/// Most fields are shorter than that word, and are found, compared and read in it without a loop.
struct WireField {
    /// The bytes without the terminator.
    let bytes: UnsafeBufferPointer<UInt8>
    /// The first eight bytes, the first one lowest; 0 behind the end of a shorter field.
    let word: UInt64

    /// The field of `payload` that begins at `start`, where there is a byte at least.
    @inline(__always)
    init(of payload: UnsafeBufferPointer<UInt8>, from start: Int) {
        let word = payload.word(from: start)
        let marks = word.zeroMarks
        let end: Int
        if marks != 0 {
            end = start &+ marks.trailingZeroBitCount / 8
            // What lies below the lowest mark.
            self.word = word & (((marks & (0 &- marks)) >> 7) &- 1)
        } else {
            end = payload.terminator(from: start &+ 8)
            self.word = word
        }
        bytes = UnsafeBufferPointer(
            start: payload.baseAddress.map { $0 + start }, count: end &- start)
    }

    /// How many bytes.
    @inline(__always)
    var count: Int { bytes.count }

    /// Whether there is no byte.
    @inline(__always)
    var isEmpty: Bool { word == 0 }

    /// The bytes as a text; what is no UTF-8 in them is replaced.
    @inline(__always)
    var text: String {
        guard word & 0x8080_8080_8080_8080 == 0, count <= 8 || bytes.isASCII else {
            return String(decoding: bytes, as: UTF8.self)
        }
        // Checked just now: the standard library need not check again.
        return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
    }
}

extension UInt64 {
    /// The high bit of the lowest byte that is 0, and perhaps of others above it; 0 where none is.
    @inline(__always)
    var zeroMarks: UInt64 {
        // Borrowing from a byte sets its high bit; the lowest byte that had to is a zero.
        (self &- 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The eight bytes from `start` on, which lies inside; the first one lowest, 0 behind the end.
    @inline(__always)
    func word(from start: Int) -> UInt64 {
        let missing = start &+ 8 &- count
        guard missing > 0 else { return loadWord(at: start) }
        let word = count >= 8 ? loadWord(at: count &- 8) : shortWord
        let shift = count >= 8 ? missing : start
        return word >> UInt64(truncatingIfNeeded: 8 &* shift)
    }

    /// The eight bytes at `start`, all of which lie inside.
    @inline(__always)
    func loadWord(at start: Int) -> UInt64 {
        UInt64(
            littleEndian: UnsafeRawBufferPointer(self).loadUnaligned(
                fromByteOffset: start, as: UInt64.self))
    }

    /// The bytes, of which there are one to seven; the first one lowest.
    @inline(__always)
    private var shortWord: UInt64 {
        let last = count &- 1
        guard last >= 3 else {
            let middle = last / 2
            // Where bytes meet they are the same, and united stay as they are.
            return UInt64(self[0]) | UInt64(self[middle])
                &<< UInt64(truncatingIfNeeded: 8 &* middle)
                | UInt64(self[last]) &<< UInt64(truncatingIfNeeded: 8 &* last)
        }
        let raw = UnsafeRawBufferPointer(self)
        let front = UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self))
        let back = UInt32(
            littleEndian: raw.loadUnaligned(fromByteOffset: last &- 3, as: UInt32.self))
        return UInt64(front)
            | UInt64(back) &<< UInt64(truncatingIfNeeded: 8 &* (last &- 3))
    }

    /// Where the first NUL from `start` on stands; `count` where none does.
    @inline(never)
    fileprivate func terminator(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count {
            let marks = loadWord(at: index).zeroMarks
            if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != 0 { index &+= 1 }
        return index
    }

    /// Whether no byte is above 127.
    @inline(never)
    fileprivate var isASCII: Bool {
        var united: UInt64 = 0
        var index = 0
        while index < count {
            united |= word(from: index)
            index &+= 8
        }
        return united & 0x8080_8080_8080_8080 == 0
    }

    /// Whether the bytes are those of `other`.
    @inline(__always)
    func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            return count == 0 || word(from: 0) == other.word(from: 0)
        }
        var index = 0
        while index &+ 8 < count {
            guard loadWord(at: index) == other.loadWord(at: index) else { return false }
            index &+= 8
        }
        // The last eight, some of them perhaps once more.
        return loadWord(at: count &- 8) == other.loadWord(at: count &- 8)
    }
}
