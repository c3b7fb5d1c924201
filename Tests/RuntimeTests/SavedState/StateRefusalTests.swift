import Testing

@testable import Runtime

/// What is not saved, and what is not restored, with the place at fault.
@Suite struct StateRefusalTests {
    private enum Colour: Codable { case red }

    private struct Part: Codable {
        var name = "part"
        var seen: Set<Int>?
    }

    private struct Whole: Codable {
        var parts: [Part] = []
        var byColour: [Colour: Int]?
        var byName: [String: [Set<String>]]?
    }

    private func refusal(_ value: some Encodable) -> SavedStateError? {
        do {
            _ = try StateEncoder.encode(value)
            return nil
        } catch {
            return error
        }
    }

    @Test func setsAreRefusedWhereverTheyAre() {
        let whole = Whole(parts: [Part(seen: nil), Part(seen: [1])])
        #expect(refusal(Set([1, 2])) == .unordered(type: "Set<Int>", at: "the state"))
        #expect(refusal([Set([1])]) == .unordered(type: "Set<Int>", at: "the state"))
        #expect(refusal(Optional(Set([1]))) == .unordered(type: "Set<Int>", at: "the state"))
        // By its type, before there is one: the first part's is nil.
        #expect(refusal(whole) == .unordered(type: "Set<Int>", at: "parts[0].seen"))
        #expect(refusal([Set<Int>]()) == .unordered(type: "Set<Int>", at: "the state"))
    }

    @Test func dictionariesWithoutAnOrderAreRefused() {
        let type = "Dictionary<Colour, Int>"
        #expect(refusal([Colour.red: 1]) == .unordered(type: type, at: "the state"))
        #expect(refusal(Whole()) == .unordered(type: type, at: "byColour"))
        #expect(refusal([1.5: 1]) == .unordered(type: "Dictionary<Double, Int>", at: "the state"))
        let nested: [String: [Int: [Colour: Int]]] = ["a": [:]]
        #expect(refusal(nested) == .unordered(type: type, at: "the state"))
    }

    /// A wrapper that passes on what it holds.
    private struct Wrapper<Value: Codable>: Codable {
        var value: Value

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    @Test func aWrapperHidesNothing() {
        let error = refusal(["a": Wrapper(value: Set([1]))])
        #expect(error == .unordered(type: "Set<Int>", at: "a"))
        #expect(refusal(["a": Wrapper(value: [1])]) == nil)
    }

    @Test func theRefusalStatesWhatAndWhere() {
        let text = "\(SavedStateError.unordered(type: "Set<Int>", at: "parts[0].seen"))"
        #expect(text.hasPrefix("parts[0].seen is a Set<Int>: the order of sets"))
    }

    // MARK: Limits

    private struct Nest: Codable {
        var inner: [Nest] = []

        init(_ depth: Int) { inner = depth > 1 ? [Nest(depth - 1)] : [] }
    }

    @Test func nestingIsBounded() throws {
        // A record and a list each; the innermost list lies within twice as many values but one.
        let bytes = try StateEncoder.encode(Nest(32))
        _ = try StateDecoder.decode(Nest.self, from: bytes)
        guard case .tooDeep(let path) = refusal(Nest(33)) else {
            Issue.record("65 values within each other are too many")
            return
        }
        #expect(path.hasPrefix("inner[0].inner[0].inner"))
        // The same by hand, and far beyond what the stack could take.
        for depth in [66, 1_000_000] {
            let kinds = Array(repeating: [8, 1, 0x7F] as [UInt8], count: depth).flatMap(\.self)
            #expect(throws: SavedStateError.self) {
                try StateDecoder.decode([Int].self, from: [1] + kinds)
            }
        }
    }

    @Test func sizeIsBounded() throws {
        let most = String(repeating: "a", count: StateFormat.byteCountMax - 6)
        let bytes = try StateEncoder.encode(most)
        #expect(bytes.count == StateFormat.byteCountMax)
        #expect(try StateDecoder.decode(String.self, from: bytes) == most)
        #expect(refusal(most + "a") == .tooLarge)
        #expect(throws: SavedStateError.tooLarge) {
            try StateDecoder.decode(String.self, from: bytes + [0])
        }
    }

    /// Writes in ways that no container allows.
    private struct Unruly: Encodable {
        let fault: Int

        private enum Key: CodingKey { case a }

        func encode(to encoder: any Encoder) throws {
            switch fault {
            case 0:
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            case 1:
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try container.encode(1, forKey: .a)
            case 2:
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                _ = encoder.unkeyedContainer()
            case 3:
                var container = encoder.container(keyedBy: Key.self)
                _ = container.nestedUnkeyedContainer(forKey: .a)
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
                try nested.encode(1, forKey: .a)
            case 4:
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
            default:
                var list = encoder.unkeyedContainer()
                for _ in 0..<2_000 { list = list.nestedUnkeyedContainer() }
                try list.encode(1)
            }
        }
    }

    @Test func whatAValueWritesTwiceIsRefused() {
        #expect(refusal(Unruly(fault: 0)) == .writtenTwice(at: "the state"))
        #expect(refusal(Unruly(fault: 1)) == .writtenTwice(at: "a"))
        #expect(refusal(Unruly(fault: 2)) == .writtenTwice(at: "the state"))
        #expect(refusal(Unruly(fault: 3)) == .writtenTwice(at: "a"))
        #expect(refusal([Unruly(fault: 4)]) == .writtenTwice(at: "[0]"))
        guard case .tooDeep = refusal(Unruly(fault: 5)) else {
            Issue.record("containers made by hand are counted too")
            return
        }
    }

    @Test func aValueThatWritesNothingIsEmpty() throws {
        struct Stateless: Codable {}
        struct Silent: Encodable {
            func encode(to encoder: any Encoder) {}
        }
        #expect(try StateEncoder.encode(Stateless()) == [1, 9, 0, 0])
        #expect(try StateEncoder.encode([Silent()]) == [1, 8, 1, 3, 9, 0, 0])
        _ = try StateDecoder.decode(Stateless.self, from: [1, 9, 0, 0])
    }

    // MARK: Another program's state

    private func refusal<Value: Decodable>(
        _ type: Value.Type, from value: some Encodable
    ) throws -> SavedStateError? {
        let bytes = try StateEncoder.encode(value)
        do {
            _ = try StateDecoder.decode(type, from: bytes)
            return nil
        } catch {
            return error
        }
    }

    private struct Small: Codable {
        var a = 1
        var b: Int?
    }

    private struct Large: Codable {
        var a = 1
        var b: Int?
        var c = "new"
        var inner = Small()
    }

    @Test func whatTheTypeDoesNotKnowIsRefused() throws {
        #expect(try refusal(Small.self, from: Large()) == .superfluous(at: "c"))
        #expect(
            try refusal([String: Small].self, from: ["x": ["a": 1, "z": 2]])
                == .superfluous(at: "x.z"))
        struct FirstOnly: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int.self)
            }
        }
        #expect(try refusal(FirstOnly.self, from: [1]) == nil)
        #expect(try refusal([FirstOnly].self, from: [[1, 2]]) == .superfluous(at: "[0][1]"))
    }

    @Test func whatIsMissingIsNamed() throws {
        #expect(try refusal(Large.self, from: Small()) == .mismatch("is missing", at: "c"))
        #expect(
            try refusal([Large].self, from: [["a": 1]]) == .mismatch("is missing", at: "[0].c"))
        #expect(try refusal(Small.self, from: ["a": 1]) == nil)
    }

    @Test func whatDoesNotFitIsRefused() throws {
        func isMismatch(_ error: SavedStateError?, at expected: String) -> Bool {
            guard case .mismatch(_, let path) = error else { return false }
            return path == expected
        }
        #expect(isMismatch(try refusal(Int8.self, from: 128), at: "the state"))
        #expect(isMismatch(try refusal(UInt.self, from: -1), at: "the state"))
        #expect(isMismatch(try refusal(Int64.self, from: UInt64.max), at: "the state"))
        #expect(isMismatch(try refusal(UInt64.self, from: UInt128.max), at: "the state"))
        #expect(isMismatch(try refusal(Int128.self, from: UInt128.max), at: "the state"))
        #expect(try refusal(Int8.self, from: Int128(-128)) == nil)
        #expect(isMismatch(try refusal(Double.self, from: 1), at: "the state"))
        #expect(isMismatch(try refusal(Double.self, from: Float(1)), at: "the state"))
        #expect(isMismatch(try refusal(String.self, from: 1), at: "the state"))
        #expect(isMismatch(try refusal(Bool.self, from: 1), at: "the state"))
        #expect(isMismatch(try refusal([Int].self, from: ["a": 1]), at: "the state"))
        #expect(isMismatch(try refusal([String: Int].self, from: [1]), at: "the state"))
        #expect(isMismatch(try refusal([String: [Int]].self, from: ["a": [true]]), at: "a[0]"))
        #expect(isMismatch(try refusal([Int].self, from: [1, nil]), at: "[1]"))
        let type = "Set<Int>"
        #expect(try refusal(Set<Int>.self, from: [1]) == .unordered(type: type, at: "the state"))
    }

    @Test func anErrorOfTheValuesOwnIsPassedOn() throws {
        struct Refusing: Codable {
            struct Reason: Error, CustomStringConvertible { let description = "not today" }
            func encode(to encoder: any Encoder) throws { throw Reason() }
        }
        #expect(refusal([Refusing()]) == .refused("not today"))
    }
}
