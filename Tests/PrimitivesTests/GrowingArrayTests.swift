import Primitives
import Testing

@Suite struct GrowingArrayTests {
    /// The values of a list as an array.
    private func values(_ list: borrowing GrowingArray<Int>) -> [Int] {
        list.indices.map { list[$0] }
    }

    @Test func growingKeepsWhatWasThere() {
        var list = GrowingArray<Int>(capacity: 1)
        for value in 0..<100 { list.append(value) }
        #expect(list.count == 100)
        #expect(values(list) == Array(0..<100))
    }

    @Test func valuesAreChangedInPlace() {
        var list = GrowingArray<Int>()
        list.append(3)
        list.append(4)
        list[1] += 5
        #expect(values(list) == [3, 9])
    }

    @Test func emptiedListIsFilledAnew() {
        var list = GrowingArray<Int>(capacity: 2)
        for value in 0..<5 { list.append(value) }
        list.removeAll()
        #expect(list.count == 0)
        #expect(values(list) == [])
        list.append(7)
        #expect(values(list) == [7])
    }

    @Test(arguments: [
        ([1, 2, 3, 4], [2, 4]), ([2, 4], [2, 4]), ([1, 3], []), ([], []), ([3], []),
    ])
    func othersKeepTheirOrderWhenSomeAreTakenOut(all: [Int], even: [Int]) {
        var list = GrowingArray<Int>()
        for value in all { list.append(value) }
        list.removeAll { !$0.isMultiple(of: 2) }
        #expect(values(list) == even)
    }

    @Test func firstThatFulfilsIsFound() {
        var list = GrowingArray<Int>()
        for value in [5, 8, 8] { list.append(value) }
        #expect(list.firstIndex { $0 == 8 } == 1)
        #expect(list.firstIndex { $0 == 9 } == nil)
    }

    /// Counts how many of its kind are alive.
    private final class Guest {
        let house: House
        init(_ house: House) {
            self.house = house
            house.guests += 1
        }
        deinit { house.guests -= 1 }
    }

    private final class House { var guests = 0 }

    /// What is taken out, and what is left at the end, is let go of once.
    @Test func valuesAreLetGoOf() {
        let house = House()
        do {
            var list = GrowingArray<Guest>(capacity: 1)
            for _ in 0..<4 { list.append(Guest(house)) }
            #expect(house.guests == 4)
            var index = 0
            list.removeAll { _ in
                index += 1
                return index == 2
            }
            #expect(house.guests == 3)
            list.removeAll()
            #expect(house.guests == 0)
            list.append(Guest(house))
            list.append(Guest(house))
        }
        #expect(house.guests == 0)
    }
}
