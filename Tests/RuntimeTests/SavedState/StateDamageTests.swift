import Primitives
import TestSupport
import Testing

@testable import Runtime

/// No bytes stop the process: each gives a value or an error.
@Suite struct StateDamageTests {
    /// Every kind of value, in every kind of container.
    private struct Sample: Codable, Equatable {
        var natural = 300
        var negative: Int128 = .min
        var wide = UInt128.max
        var truth = [true, false]
        var double = 0.1
        var float: Float? = -1
        var text = "Tafel 🪶"
        var none: [Int?] = [nil, 1]
        var words = ["a": ["x": 1], "b": [:]]
        var numbers = [1: "one", 20: "twenty"]
        var range = 2...9
        var price = Price(cents: 100_05)
        var side: [Result] = [.won(by: 3), .lost]

        enum Result: Codable, Equatable {
            case won(by: Int)
            case lost
        }
    }

    @Test func everyTruncationIsRefused() throws {
        let bytes = try StateEncoder.encode(Sample())
        #expect(try StateDecoder.decode(Sample.self, from: bytes) == Sample())
        for count in bytes.indices {
            #expect(throws: SavedStateError.self) {
                try StateDecoder.decode(Sample.self, from: Array(bytes[..<count]))
            }
        }
    }

    @Test func everyFlippedBitGivesAnotherValueOrAnError() throws {
        let bytes = try StateEncoder.encode(Sample())
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                // Each value has one form: what is read from other bytes is another value, and reading loses none.
                guard let value = try? StateDecoder.decode(Sample.self, from: damaged) else {
                    continue
                }
                #expect(value != Sample())
                #expect(try StateEncoder.encode(value) == damaged)
            }
        }
    }

    /// Many damages at once, and bytes that never were a state.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func noBytesStopTheProcess(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let bytes = try StateEncoder.encode(Sample())
        for _ in 0..<200 {
            var damaged = bytes
            for _ in 0..<chance.number(in: 1...6) {
                let index = Int(chance.number(in: 1...Int64(damaged.count - 1)))
                switch chance.number(in: 0...3) {
                case 0: damaged[index] = UInt8(truncatingIfNeeded: chance.next())
                case 1: damaged.remove(at: index)
                case 2: damaged.insert(UInt8(chance.number(in: 0...10)), at: index)
                default: damaged[index] = chance.one(of: [0, 0x7F, 0x80, 0xFF])
                }
            }
            _ = try? StateDecoder.decode(Sample.self, from: damaged)
            let noise = (0..<chance.number(in: 0...40)).map { _ in
                UInt8(chance.number(in: 0...12))
            }
            _ = try? StateDecoder.decode([String: [Int?]].self, from: [1] + noise)
            _ = try? StateDecoder.decode([[Double]].self, from: [1] + noise)
        }
    }

    @Test(
        "What cannot have been written is refused at its byte",
        arguments: [
            ([], 0), ([1], 1), ([1, 10], 1), ([1, 255], 1),
            // Something behind the value.
            ([1, 0, 0], 2), ([1, 3, 5, 3], 3),
            // A number that ends in the middle, is longer than it must be, or too large.
            ([1, 3, 0x80], 3), ([1, 3, 0x80, 0], 3),
            ([1, 3] + Array(repeating: 0xFF, count: 18) + [4], 20),
            ([1, 3] + Array(repeating: 0xFF, count: 30), 20),
            // Lengths beyond the end.
            ([1, 7, 2, 97], 2), ([1, 5, 0, 0], 4), ([1, 8, 5, 0], 2), ([1, 8, 0, 9], 3),
            ([1, 7] + Array(repeating: 0xFF, count: 9) + [1], 2),
            // A length that is not the values'.
            ([1, 8, 1, 2, 0, 0], 5), ([1, 8, 2, 1, 0, 0], 6),
            // Text that is not UTF-8.
            ([1, 7, 1, 0xFF], 2), ([1, 7, 2, 0xC0, 0x80], 2),
            // Keys in another order, or twice.
            ([1, 9, 2, 6, 1, 98, 0, 1, 97, 0], 7), ([1, 9, 2, 6, 1, 97, 0, 1, 97, 0], 7),
        ] as [([UInt8], Int)])
    func nothingElseIsRead(bytes: [UInt8], byte: Int) {
        #expect(throws: SavedStateError.damaged(byte: byte)) {
            try StateDecoder.decode([String: Int?].self, from: bytes)
        }
    }

    @Test func anotherVersionIsNamed() {
        #expect(throws: SavedStateError.otherVersion(2)) {
            try StateDecoder.decode(Int.self, from: [2, 3, 1])
        }
    }

    /// "é" in one character and in two: to Swift the same key.
    @Test func keysThatAreTheSameTextAreRefused() {
        let keys: [UInt8] = [3, 0x65, 0xCC, 0x81, 0, 2, 0xC3, 0xA9, 0]
        #expect(throws: SavedStateError.damaged(byte: 12)) {
            try StateDecoder.decode([String: Int?].self, from: [1, 9, 2, UInt8(keys.count)] + keys)
        }
    }
}
