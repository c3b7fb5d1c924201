import Model
import Primitives
import Signals
import TestSupport
import Testing

@Suite struct SignalRecordTests {
    private static let bounds = RecordReader.Bounds(instruments: 3, strategies: 1)

    private func adjustments(_ items: RecordItems) throws -> SignalAdjustments {
        var adjustments = SignalAdjustments(instrumentCount: 3)
        try items.read(Self.bounds) { try adjustments.read(&$0) }
        return adjustments
    }

    private func digest(_ adjustments: borrowing SignalAdjustments) -> UInt64 {
        var hasher = StateHasher()
        adjustments.hash(into: &hasher)
        return hasher.digest
    }

    /// Property: factors come back, those too that are 1 again; damaged ones are refused or can be computed with.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func factorsComeBack(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let ratios = try [200_000_000, 50_000_000].map {
            try #require(SplitRatio(snapping: Quantity(units: $0)))
        }
        var adjustments = SignalAdjustments(instrumentCount: 3)
        for _ in 0..<10 {
            let kind: CorporateAction.Kind =
                chance.chance(percent: 50)
                ? .split(chance.one(of: ratios)) : .dividend(perShare: Price(cents: 50))
            let action = CorporateAction(
                instrument: InstrumentID(index: Int(chance.number(in: 0...2))),
                exDay: Day(number: 19_000), kind: kind)
            adjustments.record(action, close: chance.chance(percent: 80) ? Price(cents: 9) : nil)
            adjustments.record(action, close: Price(cents: 100_00))
            let items = RecordItems { adjustments.write(to: &$0) }
            let copy = try self.adjustments(items)
            #expect(copy.areNone == adjustments.areNone)
            #expect(digest(copy) == digest(adjustments))
            for _ in 0..<10 {
                guard let damaged = try? self.adjustments(items.damaged(&chance)) else { continue }
                for index in 0..<3 {
                    _ = damaged.signal(Make.bar(0, open: 1, close: 2, instrument: index))
                    _ = damaged.traded(.magnitudeMax, of: InstrumentID(index: index))
                }
            }
        }
        #expect(RecordItems { SignalAdjustments(instrumentCount: 3).write(to: &$0) }.all == [])
    }

    /// Property: an average true range that enters anew goes on as it would have.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func rangesComeBack(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let length = Int(chance.number(in: 1...6))
        var range = AverageTrueRange(length: length)
        for number in 0..<20 {
            let items = RecordItems { writer in writer.item(.range) { $0.write(range) } }
            var copies: [AverageTrueRange] = []
            try items.read(Self.bounds) { reader in
                copies.append(try reader.value(AverageTrueRange.self))
                try reader.finish()
            }
            for _ in 0..<10 {
                try? items.damaged(&chance).read(Self.bounds) { reader in
                    copies.append(try AverageTrueRange(from: &reader))
                }
            }
            let bar = Make.bar(
                number, open: chance.number(in: 1...100_00), close: chance.number(in: 1...100_00))
            let value = range.update(bar)
            for index in copies.indices {
                let found = copies[index].update(bar)
                if index == 0 { #expect(found == value) }
            }
            range = copies[0]
        }
    }
}
