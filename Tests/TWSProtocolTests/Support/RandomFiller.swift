import Primitives
import TWSProtocol

/// Fills a message with random values, field by field, as a gateway or client could have meant them.
struct RandomFiller: FieldCoder, ~Copyable {
    let version: ServerVersion
    private var generator: SeededGenerator
    private var depth = 0

    init(version: ServerVersion, seed: UInt64) {
        self.version = version
        generator = SeededGenerator(seed: seed)
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &generator) < percent
    }

    private mutating func number() -> DecimalValue {
        let digits = Int64.random(in: -999_999_999...999_999_999, using: &generator)
        let scale = Int.random(in: 0...8, using: &generator)
        return DecimalValue("\(digits)e-\(scale)") ?? .zero
    }

    private mutating func word() -> String {
        let letters = Array("ABCxyz 019.,:/-_=%")
        let length = Int.random(in: 0...20, using: &generator)
        return String(
            (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
    }

    mutating func constant(_ text: StaticString) {}
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I) {
        // Small numbers choose branches (kinds, counts), large ones fill the range.
        value =
            chance(70)
            ? I.random(in: -1...9, using: &generator)
            : I.random(in: I.min + 1...I.max - 1, using: &generator)
    }
    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm
    ) {
        var number: I = 0
        integer(name, &number)
        value = chance(30) || number == 2_147_483_647 ? nil : number
    }
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I) {
        integer(name, &value)
    }
    mutating func double(_ name: StaticString, _ value: inout DecimalValue) { value = number() }
    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        value = chance(30) ? nil : number()
    }
    mutating func double(_ name: StaticString, _ value: inout DecimalValue, or: DecimalValue) {
        value = number()
    }
    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue) { value = number() }
    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        value = chance(30) ? nil : number()
    }
    mutating func flag(_ name: StaticString, _ value: inout Bool) { value = chance(50) }
    mutating func flag(_ name: StaticString, _ value: inout Bool?) {
        value = chance(30) ? nil : chance(50)
    }
    mutating func text(_ name: StaticString, _ value: inout String) {
        value = chance(40) ? "" : word()
        // A broker's name: a number shows that the message has another layout.
        if Int32(value) != nil, "\(name)" == "designatedLocation" { value += "X" }
    }
    mutating func escapedText(_ name: StaticString, _ value: inout String) {
        value = chance(50) ? word() : word() + "é€😀"
    }
    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W) {
        value =
            chance(10)
            ? W(word: "X" + word())
            : W.known[Int.random(in: 0..<W.known.count, using: &generator)]
    }
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C) {
        value =
            chance(10)
            ? C(code: Int32.random(in: 100...999, using: &generator))
            : C.known[Int.random(in: 0..<C.known.count, using: &generator)]
    }
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C?, _ unset: UnsetForm) {
        var chosen = C(code: 0)
        code(name, &chosen)
        value = chance(30) ? nil : chosen
    }
    mutating func time(_ name: StaticString, _ value: inout WireTime) {
        let day = Day(number: Int32.random(in: 0...30_000, using: &generator))
        let clock = WireTime.WallClock(
            day: day, second: Int32.random(in: 0..<86_400, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: value = .none
        case 1: value = .epoch(Int64.random(in: 100_000_000...9_000_000_000, using: &generator))
        case 2: value = .utc(clock)
        case 3: value = .wall(clock, zone: chance(50) ? "US/Eastern" : "America/New_York")
        case 4: value = .wall(clock, zone: "")
        default: value = .day(day)
        }
    }
    mutating func account(_ name: StaticString, _ value: inout AccountID) {
        value =
            chance(20)
            ? .none
            : AccountID("DU\(Int.random(in: 1_000_000...9_999_999, using: &generator))")
    }
    mutating func accounts(_ name: StaticString, _ value: inout [AccountID]) {
        value = (0..<Int.random(in: 0...3, using: &generator)).map { AccountID("DU123456\($0)") }
    }
    mutating func list<R: FieldRecord>(_ name: StaticString, _ value: inout [R]) {
        records(name, &value, count: Int.random(in: 0...(depth == 0 ? 4 : 2), using: &generator))
    }
    mutating func records<R: FieldRecord>(_ name: StaticString, _ value: inout [R], count: Int) {
        depth += 1
        value = []
        for _ in 0..<count {
            var record = R()
            record.fields(&self)
            value.append(record)
        }
        depth -= 1
    }
    mutating func tagText(_ name: StaticString, _ value: inout [TagValue]) {
        value = (0..<Int.random(in: 0...2, using: &generator)).map {
            TagValue("tag\($0)", "v\($0)")
        }
    }
    mutating func since(_ version: Int, _ fields: (inout Self) -> Void) {
        if self.version.number >= version { fields(&self) }
    }
    mutating func during(_ versions: Range<Int>, _ fields: (inout Self) -> Void) {
        if versions.contains(version.number) { fields(&self) }
    }
    mutating func ifRemaining(_ count: Int, _ fields: (inout Self) -> Void) { fields(&self) }
}
