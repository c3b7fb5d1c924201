import Testing

@testable import Runtime

/// A value comes back as it was saved, and equal values have equal bytes.
@Suite struct StateCodingTests {
    private func restored<Value: Codable>(_ value: Value) throws -> Value {
        try StateDecoder.decode(Value.self, from: StateEncoder.encode(value))
    }

    private func expectSame<Value: Codable & Equatable>(_ values: Value...) throws {
        for value in values { #expect(try restored(value) == value) }
        #expect(try restored(values) == values)
        #expect(try restored(values.map(Optional.some) + [nil]) == values + [nil])
    }

    @Test func everyPrimitiveComesBack() throws {
        try expectSame(true, false)
        try expectSame(Int.min, -129, -128, -1, 0, 1, 127, 128, Int.max)
        try expectSame(Int8.min, 0, Int8.max)
        try expectSame(Int16.min, 0, Int16.max)
        try expectSame(Int32.min, 0, Int32.max)
        try expectSame(Int64.min, 0, Int64.max)
        try expectSame(Int128.min, Int128(Int64.min) - 1, 0, Int128(UInt64.max) + 1, Int128.max)
        try expectSame(UInt.min, UInt.max)
        try expectSame(UInt8.min, UInt8.max)
        try expectSame(UInt16.min, UInt16.max)
        try expectSame(UInt32.min, UInt32.max)
        try expectSame(UInt64.min, UInt64.max)
        try expectSame(UInt128.min, UInt128(UInt64.max) + 1, UInt128.max)
        try expectSame("", "a", "Ä\u{0}🪶", String(repeating: "x", count: 300))
        try expectSame(0.1, -Double.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude)
        try expectSame(Float(0.1), -.infinity, .leastNonzeroMagnitude)
    }

    @Test(
        arguments: [
            0, 1 << 63, 0x7FF8_0000_0000_0001, 0x7FF0_0000_0000_0001, 0xFFF8_DEAD_BEEF_0000,
        ] as [UInt64])
    func doublesKeepEveryBit(pattern: UInt64) throws {
        #expect(try restored(Double(bitPattern: pattern)).bitPattern == pattern)
    }

    @Test(arguments: [0x8000_0000, 0x7FC0_0001, 0x7F80_0001, 0xFFC0_BEEF] as [UInt32])
    func floatsKeepEveryBit(pattern: UInt32) throws {
        #expect(try restored(Float(bitPattern: pattern)).bitPattern == pattern)
    }

    private struct Leaf: Codable, Equatable {
        var number: Int?
        var text: String? = nil
    }

    private enum Shape: Codable, Equatable {
        case point
        case line(from: Int, to: Int)
        indirect case several([Shape])
    }

    private enum Word: String, Codable, CodingKeyRepresentable { case left, right }

    private struct Tree: Codable, Equatable {
        var leaves: [Leaf] = []
        var byName: [String: [Leaf?]] = [:]
        var byNumber: [Int: Shape] = [:]
        var byWord: [Word: Double] = [:]
        var range = 1..<2
        var word = Word.left
        var nested: [[[Int?]]?] = []
    }

    private static let tree = Tree(
        leaves: [Leaf(number: 1), Leaf(number: nil, text: "x")],
        byName: ["b": [Leaf(number: 7), nil], "a": [], "ä": [nil]],
        byNumber: [-1: .point, 10: .line(from: 1, to: 2), 9: .several([.point, .several([])])],
        byWord: [.right: 2, .left: 1], range: -3..<9, word: .right,
        nested: [nil, [], [[1, nil], []]])

    @Test func valuesWithinValuesComeBack() throws {
        #expect(try restored(Self.tree) == Self.tree)
        #expect(try restored([Self.tree, Tree()]) == [Self.tree, Tree()])
        #expect(try restored(Leaf?.none) == nil)
    }

    /// The format, byte by byte: saved states outlive the program that wrote them.
    @Test func theFormatIsAsDocumented() throws {
        #expect(try StateEncoder.encode(Int?.none) == [1, 0])
        #expect(try StateEncoder.encode([false, true]) == [1, 8, 2, 2, 1, 2])
        #expect(try StateEncoder.encode([300, -300]) == [1, 8, 2, 6, 3, 0xAC, 2, 4, 0xAB, 2])
        #expect(try StateEncoder.encode(1.0) == [1, 5, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        #expect(try StateEncoder.encode(Float(1)) == [1, 6, 0, 0, 0x80, 0x3F])
        #expect(try StateEncoder.encode("é") == [1, 7, 2, 0xC3, 0xA9])
        // b before a, and the one without a value is not there.
        struct Pair: Encodable {
            let b = 1
            let c: Int? = nil
            let a = 0
        }
        #expect(try StateEncoder.encode(Pair()) == [1, 9, 2, 8, 1, 97, 3, 0, 1, 98, 3, 1])
    }

    @Test func theOrderOfDeclarationDoesNotMatter() throws {
        struct Forwards: Codable {
            var a = 1
            var b = "two"
            var ab = [3]
        }
        struct Backwards: Codable {
            var ab = [3]
            var b = "two"
            var a = 1
        }
        let bytes = try StateEncoder.encode(Forwards())
        #expect(try StateEncoder.encode(Backwards()) == bytes)
        #expect(try StateDecoder.decode(Backwards.self, from: bytes).b == "two")
    }

    @Test func theOrderOfInsertionDoesNotMatter() throws {
        let numbers = Array(0..<200)
        var forwards: [String: Int] = [:]
        for number in numbers { forwards["key \(number)"] = number }
        var backwards: [String: Int] = [:]
        backwards.reserveCapacity(5_000)
        for number in numbers.reversed() { backwards["key \(number)"] = number }
        #expect(try StateEncoder.encode(forwards) == StateEncoder.encode(backwards))
        let byNumber = Dictionary(uniqueKeysWithValues: numbers.map { ($0, forwards) })
        let reversed = Dictionary(uniqueKeysWithValues: numbers.reversed().map { ($0, backwards) })
        #expect(try StateEncoder.encode(byNumber) == StateEncoder.encode(reversed))
        #expect(try restored(byNumber) == byNumber)
    }

    // MARK: Containers that are written by hand

    private class Base: Codable {
        var first = 1
    }

    private final class Derived: Base {
        var second = 2

        private enum Key: CodingKey { case second }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            second = try container.decode(Int.self, forKey: .second)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try super.encode(to: container.superEncoder())
            try container.encode(second, forKey: .second)
        }
    }

    @Test func aSuperclassIsSavedUnderItsKey() throws {
        let value = Derived()
        (value.first, value.second) = (5, 6)
        let back = try restored(value)
        #expect((back.first, back.second) == (5, 6))
    }

    /// Writes to containers in turn, which its parent's next values must not overtake.
    private struct Interleaved: Codable, Equatable {
        var numbers: [Int] = []

        private enum Key: CodingKey { case list, record, other, inner }

        init(_ numbers: [Int]) { self.numbers = numbers }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(numbers[0])
            var inner = list.nestedContainer(keyedBy: Key.self)
            var deep = list.nestedUnkeyedContainer()
            try list.encode(numbers[1])
            try list.encodeNil()
            try inner.encode(numbers[2], forKey: .inner)
            try numbers[3].encode(to: list.superEncoder())
            try deep.encode(numbers[4])
            var record = container.nestedContainer(keyedBy: Key.self, forKey: .record)
            try record.encodeNil(forKey: .other)
            try numbers[5].encode(to: container.superEncoder(forKey: .other))
            var repeated = encoder.container(keyedBy: Key.self)
            try repeated.encode(numbers[6], forKey: .inner)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            #expect(list.count == 6)
            numbers = [try list.decode(Int.self)]
            let inner = try list.nestedContainer(keyedBy: Key.self)
            var deep = try list.nestedUnkeyedContainer()
            numbers.append(try list.decode(Int.self))
            #expect(try list.decodeNil())
            numbers.append(try inner.decode(Int.self, forKey: .inner))
            numbers.append(try Int(from: list.superDecoder()))
            #expect(list.isAtEnd)
            numbers.append(try deep.decode(Int.self))
            let record = try container.nestedContainer(keyedBy: Key.self, forKey: .record)
            #expect(try record.decodeNil(forKey: .other))
            #expect(record.contains(.other) && !record.contains(.inner))
            numbers.append(try Int(from: container.superDecoder(forKey: .other)))
            numbers.append(try container.decode(Int.self, forKey: .inner))
        }
    }

    @Test func containersWrittenInTurnComeBack() throws {
        let value = Interleaved([1, 2, 3, 4, 5, 6, 7])
        #expect(try restored(value) == value)
        #expect(try restored([value, value]) == [value, value])
    }
}
