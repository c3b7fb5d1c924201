/// Decimal digits eight at a time: one `UInt64` holds eight characters, the first in its lowest
/// byte.
enum DigitWords {
    /// The values of eight characters as digits, and which of them are no digits.
    ///
    /// - Returns: `values` has each character's value in its byte; `others` has the top bit of
    ///   the byte of each character that is no digit, exactly so up to the first character that is
    ///   not ASCII.
    @inline(__always)
    static func split(_ word: UInt64) -> (values: UInt64, others: UInt64) {
        // '0' is 0x30: a digit leaves 0 to 9, any other ASCII character 10 to 127, and 0x76 more
        // set the top bit of all but digits. Only a character that is not ASCII can carry into the
        // next.
        let values = word ^ 0x3030_3030_3030_3030
        return (values, ((values &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080)
    }

    /// The number that eight digit values spell.
    @inline(__always)
    static func number(_ values: UInt64) -> Int64 {
        // Pairs, then fours, then all eight; the multipliers add the neighbours' weights.
        let pairs = values &* 10 &+ (values >> 8)
        let remaining = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let right = ((pairs >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return Int64((remaining &+ right) >> 32)
    }

    /// The number that the first `count` (1 to 8) of eight digit values spell.
    @inline(__always)
    static func number(first count: Int, of values: UInt64) -> Int64 {
        number(values &<< UInt64(64 &- 8 &* count))
    }

    /// The first `count` (1 to 8) of eight digit values, with zeros behind them.
    @inline(__always)
    static func prefix(_ count: Int, of values: UInt64) -> UInt64 {
        values & (UInt64.max &>> UInt64(64 &- 8 &* count))
    }
}
