/// What the last price looked like, and a quick way to read the next ones like it: `123.45` behind `120.00`.
struct PricePattern {
    /// The characters up to the price's end, and which of them are no digits: the point and the end.
    private var extent: UInt64 = 0
    private var others: UInt64 = 1
    /// The characters before the point, and the point.
    private var before: UInt64 = 0
    private var point: UInt64 = 0
    /// Where the price ends.
    private var count = 0
    /// What moves its digits to the end of a word.
    private var shift: UInt64 = 0
    /// The units in its last digit.
    private var scale: Int64 = 0

    /// The price at `position` as `UsualField.decimal` reads it, and moves `position` behind it.
    @inline(__always)
    mutating func read(_ bytes: RawSpan, at position: inout Int) -> Int64? {
        let (values, others) = DigitWords.split(UsualField.word(bytes, at: position))
        guard others & extent == self.others, (values ^ Self.points) & point == 0 else {
            return learn(bytes, at: &position)
        }
        position &+= count
        // Close the gap that the point leaves, and read all digits as one number.
        let digits = (values & before) | ((values >> 8) & ~before)
        return DigitWords.number(digits &<< shift) &* scale
    }

    /// Points, as `DigitWords.split` gives their values.
    private static var points: UInt64 { 0x1E1E_1E1E_1E1E_1E1E }

    /// Reads a price of another form, and takes the form over if the price and its end are within eight
    /// characters.
    @inline(never)
    private mutating func learn(_ bytes: RawSpan, at position: inout Int) -> Int64? {
        let word = UsualField.word(bytes, at: position)
        let start = position
        let price = UsualField.decimal(bytes, at: &position)
        let length = position &- start
        let others = DigitWords.split(word).others
        let whole = others.trailingZeroBitCount >> 3
        guard price != nil, length < 8, whole < length else { return price }
        extent = UInt64.max >> UInt64(56 &- 8 &* length)
        before = ~(UInt64.max << UInt64(8 &* whole))
        point = 0xFF << UInt64(8 &* whole)
        self.others = others & extent
        count = length
        shift = UInt64(72 &- 8 &* length)
        scale = UsualField.scale(decimals: length &- whole &- 1)
        return price
    }
}
