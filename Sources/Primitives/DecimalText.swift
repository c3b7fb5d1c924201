/// Why decimal text could not become a fixed-point value.
public enum DecimalError: Error, Equatable, Sendable {
    /// The text is not `[+-]digits[.digits]`.
    case notANumber(String)
    /// The text has significant digits beyond the last one the type keeps.
    case tooPrecise(String, digitsMax: Int)
    /// The value is beyond the type's range.
    case outOfRange(String)
}

extension DecimalError: CustomStringConvertible {
    /// One phrase that fits behind "price: ".
    public var description: String {
        switch self {
        case .notANumber(let text): "'\(text)' is not a decimal number"
        case .tooPrecise(let text, let digits): "'\(text)' has more than \(digits) decimals"
        case .outOfRange(let text): "'\(text)' is out of range"
        }
    }
}

/// Exact decimal text of scaled integers, shared by `Price`, `Quantity` and `Money`.
enum DecimalText {
    /// Reads `[+-]digits[.digits]` as an integer of 10^-`digits` units. Exponents, spaces and
    /// thousands separators are refused; zeros behind the last kept digit are not an error.
    static func units(of text: some StringProtocol, digits: Int) throws(DecimalError) -> Int64 {
        var magnitude: UInt64 = 0
        var isNegative = false
        var digitCount = 0
        var decimals = -1
        for (position, byte) in text.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "-") where position == 0: isNegative = true
            case UInt8(ascii: "+") where position == 0: break
            case UInt8(ascii: ".") where decimals < 0 && digitCount > 0: decimals = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digitCount += 1
                if decimals >= digits {
                    guard byte == UInt8(ascii: "0") else {
                        throw .tooPrecise(String(text), digitsMax: digits)
                    }
                    continue
                }
                if decimals >= 0 { decimals += 1 }
                guard let next = appending(byte, to: magnitude) else {
                    throw .outOfRange(String(text))
                }
                magnitude = next
            default: throw .notANumber(String(text))
            }
        }
        guard digitCount > 0, decimals != 0 else { throw .notANumber(String(text)) }
        for _ in max(decimals, 0)..<digits {
            guard let next = appending(UInt8(ascii: "0"), to: magnitude) else {
                throw .outOfRange(String(text))
            }
            magnitude = next
        }
        let value = Int128(magnitude)
        guard let units = Int64(exactly: isNegative ? -value : value) else {
            throw .outOfRange(String(text))
        }
        return units
    }

    /// The shortest exact text of `units` · 10^-`digits`, with at least `digitsMin` decimals.
    static func text(of units: Int64, digits: Int, digitsMin: Int) -> String {
        let magnitude = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - magnitude.count)) + magnitude
        let whole = padded.dropLast(digits)
        var decimals = padded.suffix(digits)
        while decimals.count > digitsMin, decimals.last == "0" { decimals.removeLast() }
        let sign = units < 0 ? "-" : ""
        return decimals.isEmpty ? sign + whole : sign + whole + "." + decimals
    }

    private static func appending(_ digit: UInt8, to magnitude: UInt64) -> UInt64? {
        let (tenfold, overflowed) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, carried) = tenfold.addingReportingOverflow(UInt64(digit &- UInt8(ascii: "0")))
        return overflowed || carried ? nil : sum
    }
}
