import Primitives
import Testing

@testable import Catalog

@Suite struct PricePatternTests {
    /// Property: whatever it has learned, it reads what the careful way reads: prices of a few forms,
    /// some with a character changed.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func formsThatChangeAreReadAsTheyAre(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let others = Array("0123456789..,,\n\r-+ex \u{E9}\u{20AC}".utf8)
        let forms = [
            "1.5,", "12.25,", "100.05,", "99.96\n", "1234.5,", "1234.567,", "7,", "12345678.1,",
        ]
        var pattern = PricePattern()
        var readCount = 0
        for _ in 0..<1_000 {
            var text = Array(try #require(forms.randomElement(using: &chance)).utf8)
            for index in text.indices where (48...57).contains(text[index]) {
                text[index] = UInt8.random(in: 48...57, using: &chance)
            }
            if Int.random(in: 0..<4, using: &chance) == 0 {
                let index = Int.random(in: text.indices, using: &chance)
                text[index] = try #require(others.randomElement(using: &chance))
            }
            text += (0..<LineReader.paddingBytes).map { _ in
                UInt8.random(in: 0...255, using: &chance)
            }
            var (quick, careful) = (0, 0)
            let price = UsualField.decimal(text.span.bytes, at: &careful)
            #expect(pattern.read(text.span.bytes, at: &quick) == price)
            guard price != nil else { continue }
            #expect(quick == careful)
            readCount += 1
        }
        #expect(readCount > 500)
    }
}
