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
    func append(to bytes: inout WireOutput, as spelling: Spelling) {
        switch kind {
        case .positiveInfinity: return bytes.append("Infinity" as StaticString)
        case .negativeInfinity:
            bytes.append(UInt8(ascii: "-"))
            return bytes.append("Infinity" as StaticString)
        case .negative: bytes.append(UInt8(ascii: "-"))
        case .positive: break
        }
        guard digits != 0 else {
            bytes.append(UInt8(ascii: "0"))
            if spelling != .plain { bytes.append(".0" as StaticString) }
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
            appendPlain(to: &bytes, length: length, needsPoint: spelling != .plain)
        }
    }

    private func appendPlain(to bytes: inout WireOutput, length: Int, needsPoint: Bool) {
        let exponent = Int(self.exponent)
        if exponent >= 0 {
            bytes.append(decimal: digits)
            for _ in 0..<exponent { bytes.append(UInt8(ascii: "0")) }
            if needsPoint { bytes.append(".0" as StaticString) }
        } else if length > -exponent {
            bytes.append(decimal: digits)
            bytes.insert(UInt8(ascii: "."), before: -exponent)
        } else {
            bytes.append(UInt8(ascii: "0"))
            bytes.append(UInt8(ascii: "."))
            for _ in length..<(-exponent) { bytes.append(UInt8(ascii: "0")) }
            bytes.append(decimal: digits)
        }
    }

    /// One digit, the others behind a point, and an exponent of two digits at least.
    private func appendScientific(to bytes: inout WireOutput, leading: Int) {
        let start = bytes.count
        bytes.append(decimal: digits)
        let length = bytes.count - start
        if length > 1 { bytes.insert(UInt8(ascii: "."), before: length - 1) }
        bytes.append(UInt8(ascii: "e"))
        bytes.append(UInt8(ascii: leading < 0 ? "-" : "+"))
        if leading.magnitude < 10 { bytes.append(UInt8(ascii: "0")) }
        bytes.append(decimal: UInt64(leading.magnitude))
    }
}
