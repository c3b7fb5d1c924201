/// The last `length` elements, in memory of fixed size.
struct RollingWindow<Element: BitwiseCopyable & Codable & Sendable>: Codable, Sendable {
    /// The elements, in no order of time; those not yet filled are what the window was made with.
    private(set) var elements: [Element]
    private var next = 0
    private var isFull = false

    /// A window for `length` elements; `blank` stands where there is none yet.
    ///
    /// - Parameter length: positive.
    init(length: Int, blank: Element) {
        precondition(length > 0, "a window has a length")
        elements = Array(repeating: blank, count: length)
    }

    /// Whether `length` elements have come.
    var hasAll: Bool { isFull }

    /// Takes in the newest element; the one that leaves for it, once the window was full.
    mutating func push(_ element: Element) -> Element? {
        let leaving = isFull ? elements[next] : nil
        elements[next] = element
        next += 1
        if next == elements.count {
            next = 0
            isFull = true
        }
        return leaving
    }
}

extension RollingWindow {
    /// A saved window. Throws when it is none: `push` relies on its places.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        elements = try container.decode([Element].self, forKey: .elements)
        next = try container.decode(Int.self, forKey: .next)
        isFull = try container.decode(Bool.self, forKey: .isFull)
        guard elements.indices.contains(next) else { throw decoder.damage("no rolling window") }
    }
}

/// The largest of the last `length` numbers. An update costs a constant time on average.
///
/// For the smallest, put in the opposites. Keeps only those that may still become the largest: each
/// is smaller than the one before it.
struct RollingMaximum: Codable, Sendable {
    private let length: Int
    /// A ring: `size` candidates from `first` on.
    private var candidates: [Candidate]
    private var first = 0
    private var size = 0
    private var arrived = 0

    private struct Candidate: Codable, Sendable {
        var number: Int64 = 0
        var arrival = 0
    }

    /// The maximum of the last `length` numbers.
    ///
    /// - Parameter length: positive.
    init(length: Int) {
        precondition(length > 0, "a window has a length")
        self.length = length
        candidates = Array(repeating: Candidate(), count: length)
    }

    /// Whether `length` numbers have come.
    var hasAll: Bool { arrived >= length }

    /// Takes in the next number; the largest of the last `length`, or of all while there are fewer.
    mutating func update(_ number: Int64) -> Int64 {
        if size > 0 && candidates[first].arrival <= arrived - length {
            first = slot(1)
            size -= 1
        }
        while size > 0 && candidates[slot(size - 1)].number <= number { size -= 1 }
        candidates[slot(size)] = Candidate(number: number, arrival: arrived)
        size += 1
        arrived += 1
        return candidates[first].number
    }

    private func slot(_ offset: Int) -> Int {
        let index = first + offset
        return index < length ? index : index - length
    }
}

extension RollingMaximum {
    /// A saved maximum. Throws when it is none: `update` relies on its places.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        length = try container.decode(Int.self, forKey: .length)
        candidates = try container.decode([Candidate].self, forKey: .candidates)
        first = try container.decode(Int.self, forKey: .first)
        size = try container.decode(Int.self, forKey: .size)
        arrived = try container.decode(Int.self, forKey: .arrived)
        guard candidates.count == length, candidates.indices.contains(first),
            (0...length).contains(size), arrived >= size
        else { throw decoder.damage("no rolling maximum") }
    }
}

extension Decoder {
    /// The error of a saved value that cannot be one of its type.
    func damage(_ text: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }
}

extension Int128 {
    /// The nearest floating-point number, give or take its last bit.
    var nearestDouble: Double {
        if let small = Int64(exactly: self) { return Double(small) }
        // In two halves: the generic conversion of 128 bits is a hundred times slower.
        let size = magnitude
        let high = Double(UInt64(truncatingIfNeeded: size >> 64))
        let number = high * 0x1p64 + Double(UInt64(truncatingIfNeeded: size))
        return self < 0 ? -number : number
    }
}
