internal import Model
internal import Primitives

/// The numbers of a bar file's fields, exactly as their text says.
enum FieldText {
    /// A positive price of at most `Price.magnitudeMax`.
    static func price(_ text: String) throws(FieldFault) -> Price {
        let price = Price(units: try units(text, max: Price.magnitudeMax.units))
        guard price > .zero else { throw fault(text, "is not a positive price") }
        return price
    }

    /// A volume of at most `Quantity.magnitudeMax`.
    static func volume(_ text: String) throws(FieldFault) -> Quantity {
        let volume = Quantity(units: try units(text, max: Quantity.magnitudeMax.units))
        guard volume >= .zero else { throw fault(text, "is negative") }
        return volume
    }

    /// A dividend; none when the field is empty or zero.
    static func dividend(_ text: String) throws(FieldFault) -> RowAction.Kind? {
        guard !text.isEmpty else { return nil }
        let dividend = Price(units: try units(text, max: Price.magnitudeMax.units))
        guard dividend >= .zero else { throw fault(text, "is negative") }
        return dividend == .zero ? nil : .dividend(dividend)
    }

    /// A split; none when the field is empty, zero or one. Decimals beyond the eighth, which ratios such as
    /// 1:300 have, are rounded.
    static func split(_ text: String) throws(FieldFault) -> RowAction.Kind? {
        guard !text.isEmpty else { return nil }
        let ratio = Quantity(units: try ratioUnits(text))
        guard ratio >= .zero else { throw fault(text, "is negative") }
        guard ratio != .zero, ratio != Quantity(shares: 1) else { return nil }
        guard ratio < Quantity(shares: 1) else { return .split(ratio: ratio) }
        guard let split = SplitRatio(snapping: ratio, decimals: decimals(of: text)) else {
            throw FieldFault(
                finding: "found \(DataError.quoted(text)), which is no ratio of new to old shares",
                remedy: "Correct it, or write more digits: 0.00333333 is 1 for 300.")
        }
        return .split(ratio: split.decimal)
    }

    /// How many decimals a number is written with; `nil` where an exponent hides it.
    static func decimals(of text: String) -> Int? {
        guard !text.lowercased().contains("e") else { return nil }
        guard let point = text.firstIndex(of: ".") else { return 0 }
        return min(Quantity.digits, text[text.index(after: point)...].utf8.count)
    }

    private static func ratioUnits(_ text: String) throws(FieldFault) -> Int64 {
        if case .number(let units, isPlain: false) = OddNumber.read(text), isPlain(text),
            units <= Quantity.magnitudeMax.units
        {
            return units
        }
        return try units(text, max: Quantity.magnitudeMax.units)
    }

    /// Whether a text has nothing but digits, a point, a sign and an exponent.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) }
    }

    /// The text in steps of 10^-8; its magnitude is at most `max`.
    private static func units(_ text: String, max: Int64) throws(FieldFault) -> Int64 {
        do throws(DecimalError) {
            let units = try decimalUnits(text)
            guard units.magnitude <= max.magnitude else { throw DecimalError.outOfRange(text) }
            return units
        } catch {
            switch error {
            case .notANumber where text.isEmpty:
                throw FieldFault(
                    finding: "found nothing where a number should be", remedy: DataError.correctRow)
            case .notANumber: throw fault(text, "is not a decimal number")
            case .tooPrecise(_, let digits):
                throw FieldFault(
                    finding:
                        "found \(DataError.quoted(text)), which has more than \(digits) decimals",
                    remedy: "Round the column to \(digits) decimals.")
            case .outOfRange:
                throw fault(text, "is beyond the largest number accepted, \(Quantity(units: max))")
            }
        }
    }

    /// The text in steps of 10^-8: digits with a point and a sign, and with an exponent such as that of
    /// `1e7` or `2.5E-1`. Every reader of data takes numbers this way.
    static func decimalUnits(_ text: String) throws(DecimalError) -> Int64 {
        if let usual = usualUnits(text) { return usual }
        guard let mark = text.utf8.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
            return try Quantity(text).units
        }
        guard let exponent = Int(text[text.index(after: mark)...]), exponent.magnitude <= 30,
            // A number before the mark, and not one of its own with an exponent.
            let plain = shifted(text[..<mark], by: exponent)
        else { throw .notANumber(text) }
        return try Quantity(plain).units
    }

    /// Digits with their point moved to the right, or to the left.
    private static func shifted(_ mantissa: Substring, by digitCount: Int) -> String? {
        let sign = mantissa.prefix { $0 == "-" || $0 == "+" }
        let sides = mantissa.dropFirst(sign.count)
            .split(separator: ".", omittingEmptySubsequences: false)
        guard sign.count <= 1, (1...2).contains(sides.count), sides.allSatisfy({ !$0.isEmpty })
        else { return nil }
        let decimals = sides.count == 2 ? String(sides[1]) : ""
        var digits = String(sides[0]) + decimals
        guard digits.utf8.count <= 60 else { return nil }
        let point = sides[0].count + digitCount
        if point <= 0 { digits = String(repeating: "0", count: 1 - point) + digits }
        if point > digits.count {
            digits += String(repeating: "0", count: point - digits.count)
        }
        let whole = digits.prefix(max(1, point))
        let remainder = digits.dropFirst(max(1, point))
        return remainder.isEmpty ? "\(sign)\(whole)" : "\(sign)\(whole).\(remainder)"
    }

    /// `Quantity(text).units` of up to ten digits, a point and eight digits, a tenth of its time.
    private static func usualUnits(_ text: String) -> Int64? {
        var units: Int64 = 0
        var whole = 0
        var decimals: Int?
        for byte in text.utf8 {
            if byte == UInt8(ascii: "."), decimals == nil {
                decimals = 0
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9, whole < 10, decimals ?? 0 < Price.digits else { return nil }
            units = units * 10 + Int64(digit)
            if let count = decimals { decimals = count + 1 } else { whole += 1 }
        }
        guard whole > 0 else { return nil }
        for _ in (decimals ?? 0)..<Price.digits { units *= 10 }
        return units
    }

    private static func fault(_ text: String, _ defect: String) -> FieldFault {
        FieldFault(
            finding: "found \(DataError.quoted(text)), which \(defect)",
            remedy: DataError.correctRow)
    }
}
