package import Primitives

/// A piece of the state that a session is opened with, or that it left: plain words under a topic.
///
/// All records of a state together are the state. They are written by `RecordWriter` and read by `RecordReader`;
/// what the words of a topic mean is said where the topic's owner writes them. An item that needs more words
/// than a record has spans several, in a row.
public struct OpeningRecord: Hashable, Sendable, BitwiseCopyable {
    /// What the record is about.
    public let topic: Topic
    /// The place among the records of its item, from 0.
    public let part: UInt16
    /// True for the last record of its item.
    public let isLast: Bool
    /// How many of the words count.
    public let count: UInt8
    private let words: InlineWords

    /// What records are about, in the order in which they are written.
    public enum Topic: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// The time of the newest event, the numbers of decisions and intents.
        case clock
        /// The newest prices, quotes and trades of an instrument.
        case market
        /// The factor between an instrument's prices as traded and as strategies see them.
        case adjustment
        /// Average true ranges of an instrument, as an instance counts them.
        case range
        /// Cash, equity, fees, interest, returns, drawdown.
        case account
        /// The account's position in an instrument and its mark.
        case position
        /// What a strategy, or nobody known, holds of an instrument, at what cost.
        case ledger
        /// Cash that settles on a later day.
        case unsettled
        /// A corporate action that was booked.
        case corporateAction
        /// A halt of entries.
        case halt
        /// An instrument in which entries are blocked, and why.
        case latch
        /// What losses are counted from, and since when.
        case baseline
        /// A limit that was reached.
        case breach
        /// What purchases on their way have set aside.
        case reserve
        /// The account, client, journal and highest number that orders are placed under.
        case identity
        /// An order under its terms in force.
        case order
        /// What is known of an order besides its executions.
        case fact
        /// An execution of an order, with its charge.
        case execution
        /// A change of an order that was asked for.
        case change
        /// What a group of orders has filled.
        case group
        /// An order that is not ours.
        case foreignOrder
        /// The protection of a position.
        case plan
        /// An intent that is held for its window.
        case pendingIntent
        /// An entry whose working time is limited.
        case timedOrder
        /// An exit that is held until orders in its way have ended.
        case deferredExit
        /// An intent whose remainder waits for an order's end.
        case followUp
        /// An exit that stands until it is done.
        case unfinishedExit
        /// Intents that pass risk together.
        case intentGroup
        /// The changes of days.
        case day
        /// A bar of the slice in progress.
        case sliceBar
        /// The newest row of another program's table that a strategy was given.
        case instance
        /// What the user has stopped, adopted or keeps.
        case permission
        /// A timer that a strategy waits for.
        case timer
        /// What happens in the account that is not our doing: positions of others, closes, cash that is explained.
        case outside

        /// True for what is forgotten with an instrument or a strategy that a run no longer has. All others are about
        /// money, orders or what the user has said.
        package var isForgettable: Bool {
            switch self {
            case .market, .adjustment, .range, .position, .corporateAction, .sliceBar, .timer: true
            case .clock, .account, .ledger, .unsettled, .halt, .latch, .baseline, .breach, .reserve,
                .identity, .order, .fact, .execution, .change, .group, .foreignOrder, .plan,
                .pendingIntent, .timedOrder, .deferredExit, .followUp, .unfinishedExit,
                .intentGroup,
                .day, .instance, .permission, .outside:
                false
            }
        }
    }

    /// A record of at most `InlineWords.capacity` words.
    init(_ topic: Topic, part: UInt16, isLast: Bool, count: UInt8, words: InlineWords) {
        self.topic = topic
        self.part = part
        self.isLast = isLast
        self.count = count
        self.words = words
    }

    /// The record with another word in a place, for tests of what damage does.
    package func damaged(word index: Int, by word: Int64) -> OpeningRecord {
        var words = words
        words[index] = word
        return OpeningRecord(topic, part: part, isLast: isLast, count: count, words: words)
    }

    /// The words that count, in order.
    public var values: [Int64] { (0..<min(Int(count), InlineWords.capacity)).map { words[$0] } }
}

/// A dozen words in place.
public struct InlineWords: Hashable, Sendable, BitwiseCopyable {
    /// How many words there are.
    public static let capacity = 12

    private var storage = InlineArray<12, Int64>(repeating: 0)

    /// Zeros.
    public init() {}

    /// The word at a place from 0, below `capacity`.
    public subscript(index: Int) -> Int64 {
        get { storage[index] }
        set { storage[index] = newValue }
    }

    /// True if all words are equal.
    public static func == (left: InlineWords, right: InlineWords) -> Bool {
        for index in 0..<capacity where left[index] != right[index] { return false }
        return true
    }

    /// Takes all words into a hash.
    public func hash(into hasher: inout Hasher) {
        for index in 0..<Self.capacity { hasher.combine(self[index]) }
    }
}

/// A value that can be written into records and read back.
package protocol RecordValue {
    /// Writes all of the value.
    func write(to writer: inout RecordWriter)
    /// The value as it was written. Throws when the words are of no such value.
    init(from reader: inout RecordReader) throws(RecordError)
}

/// Why a record cannot be read.
package struct RecordError: Error, Hashable, Sendable {
    /// What it was about.
    package let topic: OpeningRecord.Topic
    /// True if it names an instrument or a strategy that the run has left out.
    package let namesLeftOut: Bool

    /// An error about a topic.
    package init(topic: OpeningRecord.Topic, namesLeftOut: Bool = false) {
        self.topic = topic
        self.namesLeftOut = namesLeftOut
    }
}

/// Writes items into records.
package struct RecordWriter: Sendable {
    /// The records of all items so far.
    package private(set) var records: [OpeningRecord] = []
    /// True for instruments, by index, that items name which are never forgotten; those behind the last are not.
    package private(set) var usedInstruments: [Bool] = []
    /// The same for strategies.
    package private(set) var usedStrategies: [Bool] = []
    private var words: [Int64] = []
    private var notesUse = false

    /// No records yet.
    package init() {}

    /// Writes one item: what `body` writes.
    package mutating func item(_ topic: OpeningRecord.Topic, _ body: (inout RecordWriter) -> Void) {
        words.removeAll(keepingCapacity: true)
        notesUse = !topic.isForgettable
        body(&self)
        var first = 0
        var part: UInt16 = 0
        repeat {
            let count = min(words.count - first, InlineWords.capacity)
            var inline = InlineWords()
            for index in 0..<count { inline[index] = words[first + index] }
            first += count
            records.append(
                OpeningRecord(
                    topic, part: part, isLast: first == words.count, count: UInt8(count),
                    words: inline))
            part &+= 1
        } while first < words.count
    }

    /// Takes the words that were written outside of any item.
    mutating func takeWords() -> [Int64] {
        defer { words.removeAll(keepingCapacity: true) }
        return words
    }

    /// Writes a word.
    package mutating func write(_ word: Int64) { words.append(word) }
    /// Writes a number.
    package mutating func write(_ number: Int32) { words.append(Int64(number)) }
    /// Writes a count.
    package mutating func write(_ count: Int) { words.append(Int64(count)) }
    /// Writes a flag.
    package mutating func write(_ flag: Bool) { words.append(flag ? 1 : 0) }
    /// Writes a number by its bits.
    package mutating func write(_ number: Double) {
        words.append(Int64(bitPattern: number.bitPattern))
    }
    /// Writes a price in its units.
    package mutating func write(_ price: Price) { words.append(price.units) }
    /// Writes a quantity in its units.
    package mutating func write(_ quantity: Quantity) { words.append(quantity.units) }
    /// Writes an amount in its units.
    package mutating func write(_ money: Money) { words.append(money.units) }
    /// Writes an exact amount in its units, as two words.
    package mutating func write(_ money: ExactMoney) {
        words.append(Int64(truncatingIfNeeded: money.units >> 64))
        words.append(Int64(truncatingIfNeeded: money.units))
    }
    /// Writes a part in its units.
    package mutating func write(_ percent: Percent) { words.append(percent.units) }
    /// Writes a time in nanoseconds.
    package mutating func write(_ time: Timestamp) { words.append(time.nanoseconds) }
    /// Writes a day by its number.
    package mutating func write(_ day: Day) { words.append(Int64(day.number)) }
    /// Writes a strategy's index.
    package mutating func write(_ strategy: StrategyID) {
        words.append(Int64(strategy.index))
        if notesUse { Self.note(Int(strategy.index), in: &usedStrategies) }
    }
    /// Writes an instrument's index.
    package mutating func write(_ instrument: InstrumentID) {
        words.append(Int64(instrument.index))
        if notesUse { Self.note(Int(instrument.index), in: &usedInstruments) }
    }
    /// Writes an order's number.
    package mutating func write(_ order: OrderID) { words.append(order.number) }
    /// Writes a text's number.
    package mutating func write(_ text: TextID) { words.append(Int64(text.index)) }
    /// Writes a case by its raw value.
    package mutating func write<Value: RawRepresentable<UInt8>>(_ value: Value) {
        words.append(Int64(value.rawValue))
    }
    /// Writes a value.
    package mutating func write<Value: RecordValue>(_ value: Value) { value.write(to: &self) }

    /// Writes whether there is a value, and it.
    package mutating func write<Value: RecordValue>(optional value: Value?) {
        write(value != nil)
        if let value { write(value) }
    }

    /// Writes how many values there are, and each.
    package mutating func write<Value: RecordValue>(list values: [Value]) {
        write(values.count)
        for value in values { write(value) }
    }

    /// Writes whether there is a value, and it as `body` does.
    package mutating func write<Value>(
        optional value: Value?, _ body: (inout RecordWriter, Value) -> Void
    ) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    /// Writes how many values there are, and each as `body` does.
    package mutating func write<Value>(
        list values: [Value], _ body: (inout RecordWriter, Value) -> Void
    ) {
        write(values.count)
        for value in values { body(&self, value) }
    }

    private static func note(_ index: Int, in used: inout [Bool]) {
        while used.count <= index { used.append(false) }
        used[index] = true
    }
}

/// The ids of a run for the ids in records, which another run of other instruments and strategies has left.
package struct RecordIDs: Hashable, Sendable {
    /// By the index in records; `nil` for an instrument that is left out.
    package let instruments: [InstrumentID?]
    /// By the index in records; `nil` for a strategy that is left out.
    package let strategies: [StrategyID?]

    /// Ids for those in records.
    package init(instruments: [InstrumentID?], strategies: [StrategyID?]) {
        self.instruments = instruments
        self.strategies = strategies
    }
}

/// Reads the words of one item. Everything is checked: records may come from a damaged journal.
package struct RecordReader: Sendable {
    /// What the item is about.
    package let topic: OpeningRecord.Topic
    /// How many instruments, strategies there are; ids beyond are refused.
    package let bounds: Bounds
    private let words: [Int64]
    private var next = 0

    /// The numbers that ids in records must be below.
    package struct Bounds: Sendable {
        /// How many instruments there are.
        package let instruments: Int
        /// How many strategies there are.
        package let strategies: Int
        /// What ids in the records are in the run; `nil` where they are the same.
        package let ids: RecordIDs?

        /// The numbers of a run.
        package init(instruments: Int, strategies: Int, ids: RecordIDs? = nil) {
            self.instruments = instruments
            self.strategies = strategies
            self.ids = ids
        }
    }

    /// The words of an item.
    package init(_ topic: OpeningRecord.Topic, _ words: [Int64], _ bounds: Bounds) {
        self.topic = topic
        self.words = words
        self.bounds = bounds
    }

    /// The error of a record that makes no sense.
    package var damage: RecordError { RecordError(topic: topic) }

    private var leftOut: RecordError { RecordError(topic: topic, namesLeftOut: true) }

    /// Throws unless all words were read.
    package func finish() throws(RecordError) {
        guard next == words.count else { throw damage }
    }

    /// True once all words were read.
    var isAtEnd: Bool { next == words.count }

    /// Leaves out what is left of the item.
    package mutating func skip() { next = words.count }

    /// The next word.
    package mutating func word() throws(RecordError) -> Int64 {
        guard next < words.count else { throw damage }
        defer { next += 1 }
        return words[next]
    }

    /// The next number of 32 bits.
    package mutating func int32() throws(RecordError) -> Int32 {
        guard let number = Int32(exactly: try word()) else { throw damage }
        return number
    }

    /// The next number of 8 bits without a sign.
    package mutating func byte() throws(RecordError) -> UInt8 {
        guard let number = UInt8(exactly: try word()) else { throw damage }
        return number
    }

    /// The next count: not negative, below 2^31.
    package mutating func count() throws(RecordError) -> Int {
        let number = try int32()
        guard number >= 0 else { throw damage }
        return Int(number)
    }

    /// The next flag.
    package mutating func flag() throws(RecordError) -> Bool {
        switch try word() {
        case 0: return false
        case 1: return true
        case _: throw damage
        }
    }

    /// The next number by its bits.
    package mutating func double() throws(RecordError) -> Double {
        Double(bitPattern: UInt64(bitPattern: try word()))
    }

    /// The next price, within the range that edges accept.
    package mutating func price() throws(RecordError) -> Price {
        let price = Price(units: try word())
        guard price <= .magnitudeMax, price >= -.magnitudeMax else { throw damage }
        return price
    }

    /// The next quantity, within the range that edges accept.
    package mutating func quantity() throws(RecordError) -> Quantity {
        let quantity = Quantity(units: try word())
        guard quantity <= .magnitudeMax, quantity >= -.magnitudeMax else { throw damage }
        return quantity
    }

    /// The next price as a strategy has named it, which may be beyond the range that edges accept.
    package mutating func anyPrice() throws(RecordError) -> Price { Price(units: try word()) }

    /// The next part.
    package mutating func percent() throws(RecordError) -> Percent { Percent(units: try word()) }

    /// The next amount, of at most 2^61 units, two million millions: a difference never overflows.
    package mutating func money() throws(RecordError) -> Money {
        let money = Money(units: try word())
        guard money.units.magnitude <= 1 << 61 else { throw damage }
        return money
    }

    /// The next exact amount, of less than 2^104 units, two thousand million millions: a sum of millions of them
    /// never overflows.
    package mutating func exactMoney() throws(RecordError) -> ExactMoney {
        let high = try word()
        let low = try word()
        guard high >= -(1 << 40), high < 1 << 40 else { throw damage }
        return ExactMoney(units: Int128(high) << 64 | Int128(UInt64(bitPattern: low)))
    }

    /// The next time.
    package mutating func time() throws(RecordError) -> Timestamp {
        Timestamp(nanoseconds: try word())
    }

    /// The next day, one of those that edges accept.
    package mutating func day() throws(RecordError) -> Day {
        let day = Day(number: try int32())
        guard Day.supported.contains(day) else { throw damage }
        return day
    }

    /// The next strategy, one of the run's.
    package mutating func strategy() throws(RecordError) -> StrategyID {
        let index = try count()
        let strategy: StrategyID
        if let ids = bounds.ids {
            guard index < ids.strategies.count else { throw damage }
            guard let known = ids.strategies[index] else { throw leftOut }
            strategy = known
        } else {
            strategy = StrategyID(index: index)
        }
        guard Int(strategy.index) < bounds.strategies else { throw damage }
        return strategy
    }

    /// The next instrument, one of the run's.
    package mutating func instrument() throws(RecordError) -> InstrumentID {
        let index = try count()
        let instrument: InstrumentID
        if let ids = bounds.ids {
            guard index < ids.instruments.count else { throw damage }
            guard let known = ids.instruments[index] else { throw leftOut }
            instrument = known
        } else {
            instrument = InstrumentID(index: index)
        }
        guard Int(instrument.index) < bounds.instruments else { throw damage }
        return instrument
    }

    /// The next order's number.
    package mutating func order() throws(RecordError) -> OrderID { OrderID(number: try word()) }

    /// The next text's number.
    package mutating func text() throws(RecordError) -> TextID { TextID(index: try count()) }

    /// The next case by its raw value.
    package mutating func raw<Value: RawRepresentable<UInt8>>(
        _ type: Value.Type
    ) throws(RecordError) -> Value {
        guard let raw = UInt8(exactly: try word()), let value = Value(rawValue: raw) else {
            throw damage
        }
        return value
    }

    /// The next value.
    package mutating func value<Value: RecordValue>(
        _ type: Value.Type
    ) throws(RecordError) -> Value {
        try Value(from: &self)
    }

    /// The next value, if there is one.
    package mutating func optional<Value: RecordValue>(
        _ type: Value.Type
    ) throws(RecordError) -> Value? {
        try flag() ? try Value(from: &self) : nil
    }

    /// The next list of values.
    package mutating func list<Value: RecordValue>(
        _ type: Value.Type
    ) throws(RecordError) -> [Value] {
        try list { reader throws(RecordError) in try Value(from: &reader) }
    }

    /// The next value, if there is one, as `body` reads it.
    package mutating func optional<Value>(
        _ body: (inout RecordReader) throws(RecordError) -> Value
    ) throws(RecordError) -> Value? {
        guard try flag() else { return nil }
        return try body(&self)
    }

    /// The next list, each value as `body` reads it.
    package mutating func list<Value>(
        _ body: (inout RecordReader) throws(RecordError) -> Value
    ) throws(RecordError) -> [Value] {
        let count = try count()
        // Each takes a word at least: nothing is made of a count that cannot be true.
        guard count <= words.count - next else { throw damage }
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }
}

/// Puts the records of items together.
package struct RecordAssembler: Sendable {
    private var topic: OpeningRecord.Topic?
    private var words: [Int64] = []
    private var parts: UInt16 = 0

    /// Nothing yet.
    package init() {}

    /// True between two items.
    package var isBetweenItems: Bool { topic == nil }

    /// Takes in a record. Returns the item that is complete with it; `nil` while more is to come. Throws when it
    /// does not continue the one before.
    package mutating func add(
        _ record: OpeningRecord, _ bounds: RecordReader.Bounds
    ) throws(RecordError) -> RecordReader? {
        guard record.part == parts, topic == nil || topic == record.topic else {
            self = RecordAssembler()
            throw RecordError(topic: record.topic)
        }
        topic = record.topic
        parts &+= 1
        words += record.values
        guard record.isLast else { return nil }
        defer { self = RecordAssembler() }
        return RecordReader(record.topic, words, bounds)
    }
}
