import Primitives
import TestSupport
import Testing

@testable import Runtime

/// Random values, within random values.
@Suite struct StatePropertyTests {
    /// A value of any shape.
    private indirect enum Value: Codable, Equatable {
        case none
        case truth(Bool)
        case small(Int8, UInt16, Int32?)
        case number(Int64)
        case natural(UInt64)
        case wide(Int128)
        case double(Bits)
        case text(String)
        case list([Value])
        case optionals([Value?])
        case byName([String: Value])
        case byNumber([Int: Value])
        case record(Record)
    }

    /// A number that equals another if all bits do.
    private struct Bits: Codable, Equatable {
        var number: Double

        static func == (left: Bits, right: Bits) -> Bool {
            left.number.bitPattern == right.number.bitPattern
        }
    }

    private struct Record: Codable, Equatable {
        var zulu: Value
        var alpha: Value?
        var mike: [Int64]
    }

    private static func text(_ chance: inout SeededGenerator) -> String {
        let letters = ["a", "Z", "é", "e\u{301}", "🪶", "\u{0}", "\n", "中", " "]
        return (0..<chance.number(in: 0...12)).map { _ in chance.one(of: letters) }.joined()
    }

    /// All bits as likely as each other, for a number of a random length.
    private static func bits(_ chance: inout SeededGenerator) -> UInt64 {
        chance.next() >> UInt64(chance.number(in: 0...63))
    }

    private static func value(_ depth: Int, _ chance: inout SeededGenerator) -> Value {
        let count = depth > 0 ? chance.number(in: 0...4) : 0
        switch chance.number(in: 0...12) {
        case 0: return .none
        case 1: return .truth(chance.chance(percent: 50))
        case 2:
            let bits = chance.next()
            return .small(
                Int8(truncatingIfNeeded: bits), UInt16(truncatingIfNeeded: bits),
                bits.isMultiple(of: 2) ? Int32(truncatingIfNeeded: bits) : nil)
        case 3: return .number(Int64(bitPattern: bits(&chance)))
        case 4: return .natural(bits(&chance))
        case 5:
            return .wide(Int128(Int64(bitPattern: chance.next())) << 64 | Int128(bits(&chance)))
        case 6: return .double(Bits(number: Double(bitPattern: chance.next())))
        case 7: return .text(text(&chance))
        case 8: return .list((0..<count).map { _ in value(depth - 1, &chance) })
        case 9:
            return .optionals(
                (0..<count).map { _ in
                    chance.chance(percent: 30) ? nil : value(depth - 1, &chance)
                })
        case 10:
            let pairs = (0..<count).map { _ in (text(&chance), value(depth - 1, &chance)) }
            return .byName(Dictionary(pairs) { $1 })
        case 11:
            let pairs = (0..<count).map { _ in
                (Int(Int64(bitPattern: bits(&chance))), value(depth - 1, &chance))
            }
            return .byNumber(Dictionary(pairs) { $1 })
        default:
            guard depth > 0 else { return .none }
            return .record(
                Record(
                    zulu: value(depth - 1, &chance),
                    alpha: chance.chance(percent: 50) ? nil : value(depth - 1, &chance),
                    mike: (0..<count).map { _ in Int64(bitPattern: bits(&chance)) }))
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func whateverIsSavedComesBack(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let value = (0..<5).map { _ in Self.value(6, &chance) }
        let bytes = try StateEncoder.encode(value)
        let back = try StateDecoder.decode([Value].self, from: bytes)
        #expect(back == value)
        #expect(try StateEncoder.encode(value) == bytes)
        // Its dictionaries were filled in the order of their keys.
        #expect(try StateEncoder.encode(back) == bytes)
        guard !bytes.isEmpty else { return }
        for _ in 0..<50 {
            var damaged = bytes
            damaged[Int(chance.number(in: 0...Int64(bytes.count - 1)))] ^=
                1 << UInt8(chance.number(in: 0...7))
            _ = try? StateDecoder.decode([Value].self, from: damaged)
        }
    }
}
