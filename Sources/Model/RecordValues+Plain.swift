package import Primitives

// Plain values, as records have them: so that they can be optional and in lists.

extension Int64: RecordValue {
    /// Writes the word.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.word` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.word()
    }
}

extension Int32: RecordValue {
    /// Writes the number.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.int32` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.int32()
    }
}

extension Bool: RecordValue {
    /// Writes the flag.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.flag` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.flag()
    }
}

extension Price: RecordValue {
    /// Writes the price in its units.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.price` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.price()
    }
}

extension Quantity: RecordValue {
    /// Writes the quantity in its units.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.quantity` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.quantity()
    }
}

extension Money: RecordValue {
    /// Writes the amount in its units.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.money` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.money()
    }
}

extension ExactMoney: RecordValue {
    /// Writes the amount in its units, as two words.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.exactMoney` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.exactMoney()
    }
}

extension Timestamp: RecordValue {
    /// Writes the time in nanoseconds.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.time` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.time()
    }
}

extension Day: RecordValue {
    /// Writes the day's number.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.day` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.day()
    }
}

extension StrategyID: RecordValue {
    /// Writes the strategy's index.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.strategy` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.strategy()
    }
}

extension InstrumentID: RecordValue {
    /// Writes the instrument's index.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.instrument` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.instrument()
    }
}

extension OrderID: RecordValue {
    /// Writes the order's number.
    package func write(to writer: inout RecordWriter) { writer.write(self) }
    /// Reads what `RecordReader.order` does.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.order()
    }
}
