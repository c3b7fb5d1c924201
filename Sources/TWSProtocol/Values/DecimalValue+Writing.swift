extension DecimalValue {
    /// How a number is spelled on the wire.
    enum Spelling {
        /// `100`, `187.25`: decimal quantities, and everything people read.
        case plain
        /// As Python's `repr(float)` writes it: `100.0`, `1e-05`. Requests from a client.
        case python
        /// `100.0`, never an exponent where a plain number can be written. Answers from a gateway.
        case server
    }

    /// Appends the number's text.
    func append(to bytes: inout [UInt8], as spelling: Spelling) {
        switch kind {
        case .positiveInfinity: return bytes.append(contentsOf: Self.infinityText)
        case .negativeInfinity:
            bytes.append(UInt8(ascii: "-"))
            return bytes.append(contentsOf: Self.infinityText)
        case .negative: bytes.append(UInt8(ascii: "-"))
        case .positive: break
        }
        guard digits != 0 else {
            bytes.append(UInt8(ascii: "0"))
            if spelling != .plain { bytes.append(contentsOf: Self.pointZero) }
            return
        }
        let length = digits.decimalDigits
        /// The power of ten of the first digit.
        let leading = Int(exponent) + length - 1
        // Python changes over at 10^16 and below 10^-4 (documentation of `float.__repr__`).
        let isScientific =
            spelling == .python ? leading < -4 || leading >= 16 : leading < -30 || leading >= 22
        if isScientific {
            appendScientific(to: &bytes, leading: leading)
        } else {
            appendPlain(to: &bytes, length: length, wantsPoint: spelling != .plain)
        }
    }

    private static let infinityText = Array("Infinity".utf8)
    private static let pointZero = Array(".0".utf8)

    private func appendPlain(to bytes: inout [UInt8], length: Int, wantsPoint: Bool) {
        let exponent = Int(self.exponent)
        if exponent >= 0 {
            bytes.append(decimal: digits)
            for _ in 0..<exponent { bytes.append(UInt8(ascii: "0")) }
            if wantsPoint { bytes.append(contentsOf: Self.pointZero) }
        } else if length > -exponent {
            bytes.append(decimal: digits)
            bytes.insert(UInt8(ascii: "."), at: bytes.count + exponent)
        } else {
            bytes.append(UInt8(ascii: "0"))
            bytes.append(UInt8(ascii: "."))
            for _ in length..<(-exponent) { bytes.append(UInt8(ascii: "0")) }
            bytes.append(decimal: digits)
        }
    }

    /// One digit, the others behind a point, and an exponent of two digits at least.
    private func appendScientific(to bytes: inout [UInt8], leading: Int) {
        let start = bytes.count
        bytes.append(decimal: digits)
        if bytes.count - start > 1 { bytes.insert(UInt8(ascii: "."), at: start + 1) }
        bytes.append(UInt8(ascii: "e"))
        bytes.append(UInt8(ascii: leading < 0 ? "-" : "+"))
        if leading.magnitude < 10 { bytes.append(UInt8(ascii: "0")) }
        bytes.append(decimal: UInt64(leading.magnitude))
    }
}

extension Array<UInt8> {
    /// Appends a whole number's decimal text.
    mutating func append(decimal value: UInt64) {
        guard value >= 10 else {
            return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
        }
        let start = count
        var rest = value
        while rest != 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit))
            rest = quotient
        }
        self[start...].reverse()
    }

    /// Appends a whole number's decimal text.
    mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }
}
