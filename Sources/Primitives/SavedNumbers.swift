// A value that is one whole number is saved as that number.

extension Decoder {
    /// The whole number that a value was saved as.
    fileprivate func number<Number: FixedWidthInteger & Decodable>() throws -> Number {
        try singleValueContainer().decode(Number.self)
    }
}

extension Encoder {
    /// Saves a value as a whole number.
    fileprivate func save(_ number: some FixedWidthInteger & Encodable) throws {
        var container = singleValueContainer()
        try container.encode(number)
    }
}

extension Price: Codable {
    /// Reads the steps of 10^-8.
    public init(from decoder: any Decoder) throws { units = try decoder.number() }
    /// Writes the steps of 10^-8.
    public func encode(to encoder: any Encoder) throws { try encoder.save(units) }
}

extension Quantity: Codable {
    /// Reads the steps of 10^-8.
    public init(from decoder: any Decoder) throws { units = try decoder.number() }
    /// Writes the steps of 10^-8.
    public func encode(to encoder: any Encoder) throws { try encoder.save(units) }
}

extension Money: Codable {
    /// Reads the steps of 10^-6.
    public init(from decoder: any Decoder) throws { units = try decoder.number() }
    /// Writes the steps of 10^-6.
    public func encode(to encoder: any Encoder) throws { try encoder.save(units) }
}

extension ExactMoney: Codable {
    /// Reads the steps of 10^-16.
    public init(from decoder: any Decoder) throws { units = try decoder.number() }
    /// Writes the steps of 10^-16.
    public func encode(to encoder: any Encoder) throws { try encoder.save(units) }
}

extension Percent: Codable {
    /// Reads the steps of 0.000001 percent.
    public init(from decoder: any Decoder) throws { units = try decoder.number() }
    /// Writes the steps of 0.000001 percent.
    public func encode(to encoder: any Encoder) throws { try encoder.save(units) }
}

extension Duration: Codable {
    /// Reads the nanoseconds.
    public init(from decoder: any Decoder) throws { nanoseconds = try decoder.number() }
    /// Writes the nanoseconds.
    public func encode(to encoder: any Encoder) throws { try encoder.save(nanoseconds) }
}

extension Timestamp: Codable {
    /// Reads the nanoseconds since the epoch.
    public init(from decoder: any Decoder) throws { nanoseconds = try decoder.number() }
    /// Writes the nanoseconds since the epoch.
    public func encode(to encoder: any Encoder) throws { try encoder.save(nanoseconds) }
}

extension Day: Codable {
    /// Reads the days since 1970-01-01.
    public init(from decoder: any Decoder) throws { number = try decoder.number() }
    /// Writes the days since 1970-01-01.
    public func encode(to encoder: any Encoder) throws { try encoder.save(number) }
}

extension InstrumentID: Codable {
    /// Reads the place in the list.
    public init(from decoder: any Decoder) throws { index = try decoder.number() }
    /// Writes the place in the list.
    public func encode(to encoder: any Encoder) throws { try encoder.save(index) }
}

extension StrategyID: Codable {
    /// Reads the place in the list.
    public init(from decoder: any Decoder) throws { index = try decoder.number() }
    /// Writes the place in the list.
    public func encode(to encoder: any Encoder) throws { try encoder.save(index) }
}

extension OrderID: Codable {
    /// Reads the number.
    public init(from decoder: any Decoder) throws { number = try decoder.number() }
    /// Writes the number.
    public func encode(to encoder: any Encoder) throws { try encoder.save(number) }
}

extension TextID: Codable {
    /// Reads the number.
    public init(from decoder: any Decoder) throws { index = try decoder.number() }
    /// Writes the number.
    public func encode(to encoder: any Encoder) throws { try encoder.save(index) }
}
