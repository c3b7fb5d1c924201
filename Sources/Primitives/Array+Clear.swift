extension Array {
    /// Removes all elements and keeps the memory.
    ///
    /// Most lists that are filled and emptied again and again hold one element, and taking out the last
    /// one costs a tenth of `removeAll(keepingCapacity:)`.
    @inlinable
    package mutating func clear() {
        if count == 1 {
            removeLast()
        } else {
            removeAll(keepingCapacity: true)
        }
    }
}
