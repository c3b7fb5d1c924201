package import Primitives

extension SeededGenerator {
    /// A whole number of `range`.
    package mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        Int64.random(in: range, using: &self)
    }

    /// True that many times in a hundred.
    package mutating func chance(percent: Int64) -> Bool { number(in: 1...100) <= percent }

    /// One of the elements; there must be one.
    package mutating func one<Element>(of elements: [Element]) -> Element {
        precondition(!elements.isEmpty, "nothing can be drawn from nothing")
        return elements[Int(number(in: 0...Int64(elements.count - 1)))]
    }
}
