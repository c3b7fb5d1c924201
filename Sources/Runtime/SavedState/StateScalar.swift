/// A value without parts that the format has a kind for.
protocol StateScalar {
    /// Adds the value.
    func append(to bytes: inout [UInt8])

    /// Reads a value; `nil` when the kind is another or the number does not fit.
    static func read(_ cursor: inout StateCursor) throws -> Self?
}

extension StateScalar where Self: FixedWidthInteger {
    func append(to bytes: inout [UInt8]) {
        if self < 0 {
            bytes.append(.negative)
            bytes.append(magnitude: magnitude - 1)
        } else {
            bytes.append(.natural)
            bytes.append(magnitude: magnitude)
        }
    }

    static func read(_ cursor: inout StateCursor) throws -> Self? {
        switch try cursor.kind() {
        case .natural: return Self(exactly: try cursor.magnitude(UInt128.self))
        case .negative:
            // The complement of a magnitude less one is the opposite of the magnitude.
            guard let complement = Int128(exactly: try cursor.magnitude(UInt128.self)) else {
                return nil
            }
            return Self(exactly: ~complement)
        case .none, .false, .true, .double, .float, .text, .list, .record: return nil
        }
    }
}

extension Int: StateScalar {}
extension Int8: StateScalar {}
extension Int16: StateScalar {}
extension Int32: StateScalar {}
extension Int64: StateScalar {}
extension Int128: StateScalar {}
extension UInt: StateScalar {}
extension UInt8: StateScalar {}
extension UInt16: StateScalar {}
extension UInt32: StateScalar {}
extension UInt64: StateScalar {}
extension UInt128: StateScalar {}

extension Bool: StateScalar {
    func append(to bytes: inout [UInt8]) { bytes.append(self ? .true : .false) }

    static func read(_ cursor: inout StateCursor) throws -> Bool? {
        switch try cursor.kind() {
        case .true: true
        case .false: false
        case .none, .natural, .negative, .double, .float, .text, .list, .record: nil
        }
    }
}

extension Double: StateScalar {
    func append(to bytes: inout [UInt8]) {
        bytes.append(.double)
        bytes.append(bits: bitPattern)
    }

    static func read(_ cursor: inout StateCursor) throws -> Double? {
        guard try cursor.kind() == .double else { return nil }
        return Double(bitPattern: try cursor.bits(UInt64.self))
    }
}

extension Float: StateScalar {
    func append(to bytes: inout [UInt8]) {
        bytes.append(.float)
        bytes.append(bits: bitPattern)
    }

    static func read(_ cursor: inout StateCursor) throws -> Float? {
        guard try cursor.kind() == .float else { return nil }
        return Float(bitPattern: try cursor.bits(UInt32.self))
    }
}

extension String: StateScalar {
    func append(to bytes: inout [UInt8]) {
        bytes.append(.text)
        bytes.append(text: self)
    }

    static func read(_ cursor: inout StateCursor) throws -> String? {
        guard try cursor.kind() == .text else { return nil }
        return try cursor.text()
    }
}
