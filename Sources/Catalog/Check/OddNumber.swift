internal import Primitives

/// A number as other programs write it.
enum OddNumber {
    /// What a field holds.
    enum Reading: Equatable {
        /// A number in steps of 10^-8; `isPlain` when the loader reads the text as it stands.
        case number(Int64, isPlain: Bool)
        /// Nothing, in one of the ways programs write it.
        case missing
        /// No number, or one that does not fit.
        case unreadable
    }

    /// Words for "no value".
    private static let missingWords: Set<String> = [
        "", "nan", "null", "none", "nil", "n/a", "na", "#n/a", "-", "--", ".", "inf", "-inf",
        "infinity",
    ]

    /// What `text` says. Besides plain decimals it reads what can mean one thing only: a currency
    /// sign, commas between thousands, and more than eight decimals, which are rounded half to even.
    static func read(_ text: String) -> Reading {
        do throws(DecimalError) {
            return .number(try FieldText.decimalUnits(text), isPlain: true)
        } catch {
            // Not plain: see below.
        }
        let bare = text.lowercased()
        guard !missingWords.contains(bare) else { return .missing }
        guard let number = decimal(bare), let units = rounded(number) else { return .unreadable }
        return .number(units, isPlain: false)
    }

    /// The exact text of a number, as the loader reads it.
    static func text(_ units: Int64) -> String { Quantity(units: units).description }

    /// Digits with the place of their point.
    private struct Decimal {
        var isNegative = false
        /// Digits without leading zeros.
        var digits: [UInt8] = []
        /// How many of the digits stand behind the point; negative for zeros to append.
        var decimals = 0
    }

    private static func decimal(_ text: String) -> Decimal? {
        var number = Decimal()
        let sides = text.split(separator: "e", omittingEmptySubsequences: false)
        guard (1...2).contains(sides.count) else { return nil }
        var mantissa = sides[0]
        if mantissa.hasPrefix("-") {
            number.isNegative = true
            mantissa = mantissa.dropFirst()
        } else if mantissa.hasPrefix("+") {
            mantissa = mantissa.dropFirst()
        }
        if mantissa.hasPrefix("$") { mantissa = mantissa.dropFirst() }
        let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = withoutSeparators(parts[0]) else {
            return nil
        }
        let fraction = parts.count == 2 ? parts[1] : ""
        let digits = Array((whole + fraction).utf8)
        guard !digits.isEmpty, digits.count <= 60,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        number.digits = Array(digits.map { $0 - UInt8(ascii: "0") }.drop { $0 == 0 })
        number.decimals = fraction.utf8.count
        guard sides.count == 2 else { return number }
        guard let exponent = Int(sides[1]), exponent.magnitude <= 60 else { return nil }
        number.decimals -= exponent
        return number
    }

    /// `1234567` of `1,234,567`; `nil` where commas do not stand between thousands.
    private static func withoutSeparators(_ whole: Substring) -> Substring? {
        guard whole.contains(",") else { return whole }
        let groups = whole.split(separator: ",", omittingEmptySubsequences: false)
        guard (1...3).contains(groups[0].utf8.count),
            groups.dropFirst().allSatisfy({ $0.utf8.count == 3 })
        else { return nil }
        return Substring(groups.joined())
    }

    /// The number in steps of 10^-8, rounded half to even; `nil` beyond the range.
    private static func rounded(_ number: Decimal) -> Int64? {
        let keptCount = number.digits.count + Price.digits - number.decimals
        var units: UInt64 = 0
        for index in 0..<max(0, keptCount) {
            let (tenfold, overflow) = units.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            let digit = index < number.digits.count ? number.digits[index] : 0
            let (sum, carry) = tenfold.addingReportingOverflow(UInt64(digit))
            guard !carry else { return nil }
            units = sum
        }
        if keptCount >= 0, keptCount < number.digits.count {
            let remainder = number.digits[keptCount...]
            let isAboveHalf = remainder.dropFirst().contains { $0 != 0 }
            let half = remainder.first ?? 0
            if half > 5 || half == 5 && (isAboveHalf || units % 2 == 1) { units += 1 }
        }
        guard let magnitude = Int64(exactly: units) else { return nil }
        return number.isNegative ? -magnitude : magnitude
    }
}
