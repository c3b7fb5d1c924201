/// A list in one block of memory, which grows when it must and keeps what it has.
///
/// Not copyable, as `FixedArray` is not: who adds to it, changes it or empties it need not ask whether
/// somebody else holds the same block. Most lists on an order's way are given one element and emptied again,
/// which takes an `Array` a hundred instructions. Indexes are checked in every build.
public struct GrowingArray<Element>: ~Copyable {
    /// How many values there are.
    public var count: Int { @inlinable get { filled } }

    @usableFromInline var filled = 0
    @usableFromInline var capacity: Int
    @usableFromInline var base: UnsafeMutablePointer<Element>

    /// No values yet, but room for some.
    ///
    /// - Parameter capacity: how many fit before it grows; positive.
    public init(capacity: Int = 4) {
        precondition(capacity > 0, "there is room for one value at least")
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deinitialize(count: filled)
        base.deallocate()
    }

    /// Whether there is no value.
    @inlinable public var isEmpty: Bool { filled == 0 }

    /// The places of all values.
    @inlinable public var indices: Range<Int> { 0..<filled }

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
    func isWithin(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: filled) }

    /// Adds a value behind all others.
    @inlinable
    @inline(__always)
    public mutating func append(_ value: Element) {
        if filled == capacity { grow() }
        (base + filled).initialize(to: value)
        // No more than there is memory for.
        filled &+= 1
    }

    /// Makes room for as many again.
    @usableFromInline
    mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: base, count: filled)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    /// Takes out all values and keeps the memory.
    @inlinable
    public mutating func removeAll() {
        base.deinitialize(count: filled)
        filled = 0
    }

    /// Takes out the values that fulfil `predicate`; the others stay in their order.
    @inlinable
    public mutating func removeAll(where predicate: (borrowing Element) -> Bool) {
        var kept = 0
        for index in 0..<filled {
            if predicate(base[index]) {
                (base + index).deinitialize(count: 1)
            } else {
                if kept < index { (base + kept).moveInitialize(from: base + index, count: 1) }
                kept &+= 1
            }
        }
        filled = kept
    }

    /// Takes out the values from a place on and keeps the memory.
    @inlinable
    public mutating func removeAll(from first: Int) {
        precondition(first >= 0 && first <= filled, "the index is within the array")
        (base + first).deinitialize(count: filled &- first)
        filled = first
    }

    /// The place of the first value that fulfils `predicate`; `nil` without one.
    @inlinable
    public func firstIndex(where predicate: (borrowing Element) -> Bool) -> Int? {
        for index in 0..<filled where predicate(base[index]) { return index }
        return nil
    }
}
