import TWSProtocol
import Testing

/// Fields are read by the machine word: what they say must not depend on their length, on what stands
/// behind them, or on how near the payload's end is.
@Suite struct FieldReadingTests {
    @Test(
        arguments: [
            "0", "7", "42", "187.25", "-187.25", "1234567", "12345678", "123456.7", "1234567.8",
            "123456789", ".5", "5.", "+3", "1e-05", "2.5E3", "0.0", "185.9000", "100.0",
        ])
    func numbersAreReadAlikeWhereverTheyStand(text: String) throws {
        let expected = try #require(DecimalValue(text))
        for remainder in rests {
            let fields = try read(Sample<Numbers>.self, [text, text, text, remainder])
            #expect(fields.value == Numbers(must: expected, may: expected, or: expected))
            #expect(fields.remainder == remainder)
        }
    }

    @Test(arguments: ["0", "1", "9", "10", "-1", "300", "9999999", "12345678", "-2147483648"])
    func wholeNumbersAreReadAlikeWhereverTheyStand(text: String) throws {
        let expected = try #require(Int32(text))
        for remainder in rests {
            let fields = try read(Sample<WholeNumbers>.self, [text, text + ".0", text, remainder])
            #expect(fields.value == WholeNumbers(must: expected, may: expected, or: expected))
            #expect(fields.remainder == remainder)
        }
    }

    @Test(arguments: ["", "2147483647", "1.7976931348623157E308", "1.7976931348623157e+308", "NaN"])
    func whatWasNeverSetIsNone(text: String) throws {
        for remainder in rests {
            let numbers = try read(Sample<Numbers>.self, ["1", text, text, remainder])
            #expect(numbers.value == Numbers(must: 1, may: nil, or: 5))
            #expect(numbers.remainder == remainder)
            let whole = try read(Sample<WholeNumbers>.self, ["1", text, "", remainder])
            #expect(whole.value == WholeNumbers(must: 1, may: nil, or: 5))
            #expect(whole.remainder == remainder)
        }
    }

    /// One digit beside the value that means unset.
    @Test func neighboursOfTheUnsetValueAreNumbers() throws {
        let fields = try read(
            Sample<Numbers>.self, ["1", "1.7976931348623157E307", "1.7976931348623156E308", ""])
        #expect(fields.value.may?.digits == 17_976_931_348_623_157)
        #expect(fields.value.may?.exponent == 291)
        #expect(fields.value.or.digits == 17_976_931_348_623_156)
        #expect(fields.value.or.exponent == 292)
    }

    @Test(arguments: ["x", "1x", "12:", "1.2.3", "--1", "1234567x", "12345678x", "\u{660}"])
    func whatIsNoNumberIsRefused(text: String) {
        for remainder in rests {
            #expect(throws: FieldFailure.self) {
                try read(Sample<Numbers>.self, [text, remainder])
            }
            #expect(throws: FieldFailure.self) {
                try read(Sample<Numbers>.self, ["1", text, remainder])
            }
            #expect(throws: FieldFailure.self) {
                try read(Sample<WholeNumbers>.self, ["1", text, remainder])
            }
            #expect(throws: FieldFailure.self) {
                try read(Sample<Flags>.self, [text, "", remainder])
            }
        }
    }

    @Test func flagsAreReadInAllTheirForms() throws {
        for remainder in rests {
            for (text, expected) in [("0", false), ("1", true), ("true", true), ("False", false)] {
                let fields = try read(Sample<Flags>.self, [text, text, remainder])
                #expect(fields.value == Flags(must: expected, may: expected))
                #expect(fields.remainder == remainder)
            }
            for text in ["", "2147483647", "-1"] {
                #expect(
                    try read(Sample<Flags>.self, [text, text, remainder]).value
                        == Flags(must: false, may: nil))
            }
        }
        #expect(throws: FieldFailure.self) { try read(Sample<Flags>.self, ["2", "", ""]) }
    }

    @Test(
        arguments: [
            "", "a", "abc", "abcd", "abcdefg", "abcdefgh", "abcdefghi", "fifteen letters",
            "sixteen letters!", "seventeen letters", "Zürich", "a long text with Zürich in it",
            "東京証券取引所",
        ])
    func textsAreReadWhole(text: String) throws {
        for remainder in rests {
            let fields = try read(Sample<Texts>.self, [text, text, remainder])
            #expect(fields.value == Texts(first: text, second: text))
            #expect(fields.remainder == remainder)
        }
    }

    @Test func everyKnownWordIsFound() throws {
        try expectWords(OrderAction.self)
        try expectWords(WireOrderType.self)
        try expectWords(WireTimeInForce.self)
        try expectWords(OpenClose.self)
        try expectWords(HedgeType.self)
        try expectWords(ExecutionSide.self)
        try expectWords(SecurityType.self)
        try expectWords(OptionRight.self)
        try expectWords(OrderStatus.Status.self)
        try expectWords(OrderCondition.Conjunction.self)
        try expectWords(WireBarSize.self)
        try expectWords(WhatToShow.self)
        try expectWords(TickByTickKind.self)
        try expectWords(VerificationOutcome.self)
    }

    @Test func otherSpellingsOfWordsAreFound() throws {
        #expect(try word("?") == OptionRight.none)
        #expect(try word("0") == OptionRight.none)
        #expect(try word("CALL") == OptionRight.call)
        #expect(try word("PUT") == OptionRight.put)
        #expect(try word("PEGBENCH") == WireOrderType.peggedToBenchmark)
        #expect(try word("PEGBEST") == WireOrderType.peggedToBest)
        #expect(try word("PEGMID") == WireOrderType.peggedToMidpoint)
        #expect(try word("1W") == WireBarSize.oneWeek)
        #expect(try word("1M") == WireBarSize.oneMonth)
        #expect(try word("submitted") == OrderStatus.Status.submitted)
        #expect(try word("True") == VerificationOutcome.succeeded)
    }

    @Test func aWordThatOnlyBeginsLikeAKnownOneIsNotKnown() throws {
        for text in ["BU", "BUYS", "buy", "BUY ", "a word of more than sixteen letters"] {
            #expect(try word(text) == OrderAction.unknown(text))
        }
        // A NUL ends a field on the wire, but a program may ask with one.
        #expect(OrderAction(word: "BUY\0") == .unknown("BUY\0"))
    }

    /// More than the writer has room for at first.
    @Test func longTextsAreWrittenWhole() throws {
        let long = String(repeating: "0123456789", count: 300)
        let version = try #require(ServerVersion(178))
        let sample = Texts(first: long, second: "end")
        #expect(try sample.text(at: version, from: .client) == Array((long + "\0end\0").utf8))
    }

    /// What may stand behind a field: nothing, and up to more than a machine word.
    private var rests: [String] { (0...10).map { String("rest of it".prefix($0)) } }

    private func expectWords<W: WireWord>(_ type: W.Type) throws {
        for value in W.known {
            for remainder in rests {
                let fields = try read(Sample<Word<W>>.self, [value.word, remainder])
                #expect(fields.value.value == value)
                #expect(fields.remainder == remainder)
            }
        }
    }

    private func word<W: WireWord>(_ text: String) throws -> W {
        try read(Sample<Word<W>>.self, [text, ""]).value.value
    }

    private func read<R: FieldRecord>(_ type: R.Type, _ fields: [String]) throws -> R {
        let version = try #require(ServerVersion(178))
        var bytes: [UInt8] = []
        for field in fields { bytes += Array(field.utf8) + [0] }
        let (record, leftover) = try bytes.withUnsafeBufferPointer { payload in
            let read = try R.read(payload, at: version)
            return (read.record, read.leftover)
        }
        #expect(leftover == 0)
        return record
    }
}

/// A record and a text behind it.
private struct Sample<Value: FieldRecord>: FieldRecord {
    var value = Value()
    var remainder = ""

    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        value.fields(&coder)
        coder.text("rest", &remainder)
    }
}

private struct Numbers: FieldRecord {
    var must: DecimalValue = .zero
    var may: DecimalValue?
    var or: DecimalValue = .zero

    init() {}
    init(must: DecimalValue, may: DecimalValue?, or: DecimalValue) {
        (self.must, self.may, self.or) = (must, may, or)
    }

    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("must", &must)
        coder.double("may", &may, .empty)
        coder.double("or", &or, or: 5)
    }
}

private struct WholeNumbers: FieldRecord {
    var must: Int32 = 0
    var may: Int32?
    var or: Int32 = 0

    init() {}
    init(must: Int32, may: Int32?, or: Int32) {
        (self.must, self.may, self.or) = (must, may, or)
    }

    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("must", &must)
        coder.integer("may", &may, .empty)
        coder.integer("or", &or, or: 5)
    }
}

private struct Flags: FieldRecord {
    var must = false
    var may: Bool?

    init() {}
    init(must: Bool, may: Bool?) {
        (self.must, self.may) = (must, may)
    }

    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("must", &must)
        coder.flag("may", &may)
    }
}

private struct Texts: FieldRecord {
    var first = ""
    var second = ""

    init() {}
    init(first: String, second: String) {
        (self.first, self.second) = (first, second)
    }

    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("first", &first)
        coder.text("second", &second)
    }
}

private struct Word<W: WireWord>: FieldRecord {
    var value = W.unknown("nothing read")

    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("value", &value)
    }
}
