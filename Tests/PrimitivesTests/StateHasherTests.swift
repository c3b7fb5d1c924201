import Primitives
import Testing

@Suite struct StateHasherTests {
    /// Reckoned with a second implementation in Python: digests must not change between processes,
    /// builds and versions, since journals hold them.
    @Test func digestsAreTheSameEverywhere() {
        var hasher = StateHasher()
        #expect(hasher.digest == 0x4a57_be43_22de_fb35)
        hasher.combine(0 as Int64)
        #expect(hasher.digest == 0x594f_9e86_51b0_55f6)
        hasher = StateHasher()
        hasher.combine(1 as UInt64)
        hasher.combine(-2 as Int64)
        hasher.combine(3 as Int32)
        #expect(hasher.digest == 0x819f_b21e_cbad_10f8)
    }

    @Test func orderNumberAndValueOfWordsMatter() {
        func digest(_ words: [UInt64]) -> UInt64 {
            var hasher = StateHasher()
            for word in words { hasher.combine(word) }
            return hasher.digest
        }
        let digests = [
            digest([]), digest([0]), digest([0, 0]), digest([1]), digest([1, 2]), digest([2, 1]),
            digest([1, 2, 0]), digest([0, 1, 2]), digest([.max]), digest([1 << 63]),
        ]
        #expect(Set(digests).count == digests.count)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func oneBitChangesAboutHalfOfTheDigest(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var changed = 0
        for _ in 0..<1_000 {
            let word = generator.next()
            var left = StateHasher()
            var right = StateHasher()
            left.combine(word)
            right.combine(word ^ (1 << (generator.next() % 64)))
            changed += (left.digest ^ right.digest).nonzeroBitCount
        }
        // 32,000 expected; five standard deviations of 64,000 coins are 632.
        #expect(abs(changed - 32_000) < 632)
    }

    @Test func valuesCountByTheirUnits() {
        func digest(_ combine: (inout StateHasher) -> Void) -> UInt64 {
            var hasher = StateHasher()
            combine(&hasher)
            return hasher.digest
        }
        let five = digest { $0.combine(5 as UInt64) }
        #expect(digest { $0.combine(5 as Int) } == five)
        #expect(digest { $0.combine(5 as Int32) } == five)
        #expect(digest { $0.combine(Price(units: 5)) } == five)
        #expect(digest { $0.combine(Quantity(units: 5)) } == five)
        #expect(digest { $0.combine(Money(units: 5)) } == five)
        #expect(digest { $0.combine(Timestamp(nanoseconds: 5)) } == five)
        #expect(digest { $0.combine(true) } == digest { $0.combine(1 as Int64) })
        #expect(digest { $0.combine(false) } == digest { $0.combine(0 as Int64) })
        #expect(digest { $0.combine(1.0) } == digest { $0.combine(0x3ff0_0000_0000_0000 as Int64) })
        #expect(digest { $0.combine(0.0) } != digest { $0.combine(-0.0) })
        // An exact amount is two words: -1 fills both, 2^64 only the upper one.
        let minusOne = digest { $0.combine(ExactMoney(units: -1)) }
        #expect(
            minusOne
                == digest {
                    $0.combine(-1 as Int64); $0.combine(-1 as Int64)
                })
        let high = digest { $0.combine(ExactMoney(units: 1 << 64)) }
        #expect(
            high
                == digest {
                    $0.combine(0 as Int64); $0.combine(1 as Int64)
                })
    }
}
