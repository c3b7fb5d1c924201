/// Bytes under construction.
///
/// An array checks on every byte that nobody else holds it; this is held by one, and an order of 116
/// short fields is written in a third of the time (`Benchmarks/Wire`).
struct WireOutput: ~Copyable {
    /// Bytes written.
    private(set) var count = 0
    private var storage: UnsafeMutableBufferPointer<UInt8>

    /// Nothing written.
    init() { storage = .allocate(capacity: 512) }

    deinit { storage.deallocate() }

    /// What has been written; not to be kept.
    var written: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: UnsafeBufferPointer(storage)[..<count])
    }

    /// What has been written from `start` on; not to be kept.
    func written(from start: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: UnsafeBufferPointer(storage)[start..<count])
    }

    /// Puts the length of what lies behind the first four bytes into them, most significant first.
    mutating func putFrameLength() {
        let length = count &- 4
        for place in 0..<4 {
            storage[place] = UInt8(truncatingIfNeeded: length >> (24 &- 8 &* place))
        }
    }

    /// Makes room for `more` bytes.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if storage.count &- count < more { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: max(storage.count * 2, count + more))
        _ = larger.update(fromContentsOf: storage[..<count])
        storage.deallocate()
        storage = larger
    }

    /// Appends one byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count &+= 1
    }

    /// Appends two bytes.
    @inline(__always)
    mutating func append(_ first: UInt8, _ second: UInt8) {
        reserve(2)
        storage[count] = first
        storage[count &+ 1] = second
        count &+= 2
    }

    /// Appends bytes.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        reserve(bytes.count)
        // Texts are short: a loop beats a call.
        guard bytes.count > 16 else {
            var index = 0
            while index < bytes.count {
                storage[count &+ index] = bytes[index]
                index &+= 1
            }
            count &+= bytes.count
            return
        }
        _ = storage[count...].update(fromContentsOf: bytes)
        count &+= bytes.count
    }

    /// Appends a text.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a text.
    @inline(__always)
    mutating func append(_ text: String) {
        guard !text.isEmpty else { return }
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends a text.
    ///
    /// - Returns: whether all of it is printable ASCII.
    @inline(__always)
    mutating func append(printable text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            reserve(bytes.count)
            var isPrintable = true
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                storage[count &+ index] = byte
                if byte &- 32 >= 95 { isPrintable = false }
                index &+= 1
            }
            count &+= bytes.count
            return isPrintable
        }
    }

    /// Appends a whole number. Most have one digit.
    @inline(__always)
    mutating func append(decimal value: UInt64) {
        guard value >= 10 else {
            return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
        }
        append(long: value)
    }

    @inline(never)
    private mutating func append(long value: UInt64) {
        let length = value.decimalDigits
        reserve(length)
        var rest = value
        var index = count &+ length
        while index > count {
            index &-= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            storage[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
        count &+= length
    }

    /// Appends a whole number.
    @inline(__always)
    mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }

    /// Puts a byte in front of the last `distance` ones.
    mutating func insert(_ byte: UInt8, before distance: Int) {
        append(byte)
        var index = count &- 1
        while index > count &- 1 &- distance {
            storage[index] = storage[index &- 1]
            index &-= 1
        }
        storage[index] = byte
    }

    /// The byte at `position`, which has been written.
    @inline(__always)
    subscript(position: Int) -> UInt8 { storage[position] }
}
