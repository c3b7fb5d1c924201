package import Model
package import Primitives

/// The items of records as plain words, for tests that change them.
package struct RecordItems: Equatable, Sendable {
    /// Each item's topic and words.
    package var all: [Item] = []

    /// What one item says.
    package struct Item: Equatable, Sendable {
        /// What it is about.
        package var topic: OpeningRecord.Topic
        /// All its words.
        package var words: [Int64]
    }

    /// The items that `body` writes, put together from their records.
    package init(_ body: (inout RecordWriter) -> Void) {
        var writer = RecordWriter()
        body(&writer)
        var words: [Int64] = []
        for record in writer.records {
            words += record.values
            guard record.isLast else { continue }
            all.append(Item(topic: record.topic, words: words))
            words = []
        }
    }

    /// Calls `body` with a reader of each item, in order.
    package func read(
        _ bounds: RecordReader.Bounds, _ body: (inout RecordReader) throws -> Void
    ) throws {
        for item in all {
            var reader = RecordReader(item.topic, item.words, bounds)
            try body(&reader)
        }
    }

    /// The same items with some of them changed at random: words, their number, items missing, doubled or moved.
    package func damaged(_ chance: inout SeededGenerator) -> RecordItems {
        var damaged = self
        for _ in 0...chance.number(in: 0...2) where !damaged.all.isEmpty {
            let index = Int(chance.number(in: 0...Int64(damaged.all.count - 1)))
            switch chance.number(in: 0...9) {
            case 0: damaged.all.remove(at: index)
            case 1: damaged.all.append(damaged.all[index])
            case 2: damaged.all.swapAt(index, 0)
            case 3: damaged.all[index].topic = chance.one(of: OpeningRecord.Topic.allCases)
            case 4: _ = damaged.all[index].words.popLast()
            case 5: damaged.all[index].words.append(Self.word(&chance))
            case _:
                guard !damaged.all[index].words.isEmpty else { continue }
                let last = Int64(damaged.all[index].words.count - 1)
                damaged.all[index].words[Int(chance.number(in: 0...last))] = Self.word(&chance)
            }
        }
        return damaged
    }

    /// A word that is small, near a bound or anything.
    package static func word(_ chance: inout SeededGenerator) -> Int64 {
        switch chance.number(in: 0...5) {
        case 0, 1: chance.number(in: -3...12)
        case 2: chance.one(of: [.min, .max, .min + 1, .max - 1])
        case 3:
            chance.one(of: [
                Quantity.magnitudeMax.units, Price.magnitudeMax.units, Int64(Int32.max),
                Int64(Int32.min), 1 << 61, -(1 << 61), 1 << 40, -(1 << 40),
            ]) + chance.number(in: -1...1)
        case 4: chance.number(in: 0...1_000_000_000_000)
        case _: chance.number(in: .min ... .max)
        }
    }
}
