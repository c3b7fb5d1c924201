/// Values whose number is fixed at the start, in one block of memory.
///
/// Not copyable: a write never has to ask whether somebody else holds the same block, as a write to an
/// `Array` must. That question, asked some ten times a bar, was a tenth of a backtest's engine time.
/// Indexes are checked in every build.
public struct FixedArray<Element: ~Copyable>: ~Copyable {
    /// How many values there are.
    public let count: Int

    @usableFromInline let base: UnsafeMutablePointer<Element>

    /// So many values, each made anew.
    ///
    /// - Parameter count: not negative.
    public init(count: Int, each value: () -> Element) {
        precondition(count >= 0, "a count is not negative")
        self.count = count
        base = .allocate(capacity: count)
        for index in 0..<count { (base + index).initialize(to: value()) }
    }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    /// The value at a place from 0.
    @inlinable
    public subscript(index: Int) -> Element {
        // Not `get`: that would copy what is large, to read a part of it.
        _read {
            precondition(isWithin(index), "the index is within the array")
            yield base[index]
        }
        _modify {
            precondition(isWithin(index), "the index is within the array")
            yield &base[index]
        }
    }

    /// One comparison for both ends: a negative index is a very large one without its sign.
    @inlinable
    func isWithin(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: count) }

    /// The value of an instrument, where there is one value for each.
    @inlinable
    public subscript(instrument: InstrumentID) -> Element {
        _read { yield self[Int(instrument.index)] }
        _modify { yield &self[Int(instrument.index)] }
    }
}

extension FixedArray {
    /// `count` times the same value.
    ///
    /// - Parameter count: not negative.
    public init(repeating value: Element, count: Int) {
        precondition(count >= 0, "a count is not negative")
        self.count = count
        base = .allocate(capacity: count)
        base.initialize(repeating: value, count: count)
    }

    /// The values of `array`.
    public init(_ array: [Element]) {
        count = array.count
        base = .allocate(capacity: array.count)
        for (index, value) in array.enumerated() { (base + index).initialize(to: value) }
    }
}
