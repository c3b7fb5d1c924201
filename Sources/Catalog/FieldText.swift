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

    /// A split; none when the field is empty, zero or one.
    static func split(_ text: String) throws(FieldFault) -> RowAction.Kind? {
        guard !text.isEmpty else { return nil }
        let ratio = Quantity(units: try units(text, max: Quantity.magnitudeMax.units))
        guard ratio >= .zero else { throw fault(text, "is negative") }
        return ratio == .zero || ratio == Quantity(shares: 1) ? nil : .split(ratio: ratio)
    }

    /// The text in steps of 10^-8; its magnitude is at most `max`.
    private static func units(_ text: String, max: Int64) throws(FieldFault) -> Int64 {
        do throws(DecimalError) {
            let usual = usualUnits(text)
            let units = if let usual { usual } else { try Quantity(text).units }
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
