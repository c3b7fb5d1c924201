extension FieldRecord {
    /// The record's fields as they travel, each with its terminator.
    ///
    /// - Throws: as `TextCodec.encode`.
    package func text(
        at version: ServerVersion, from role: WireRole
    ) throws(EncodingRefusal) -> [UInt8] {
        var writer = TextWriter(version: version, role: role)
        var copy = self
        copy.fields(&writer)
        if let refusal = writer.refusal { throw refusal }
        var bytes: [UInt8] = []
        writer.copy(to: &bytes)
        return bytes
    }

    /// Reads a record's fields, and how many fields stand behind them.
    package static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, at version: ServerVersion
    ) throws(FieldFailure) -> (record: Self, leftover: Int) {
        var reader = TextReader(bytes, from: 0, version: version)
        var record = Self()
        record.fields(&reader)
        if let failure = reader.failure { throw failure }
        return (record, reader.remainingFields)
    }

    /// The fields as one JSON object.
    ///
    /// - Parameter showsAccounts: accounts in clear text.
    package func json(at version: ServerVersion, showsAccounts: Bool) -> String {
        var printer = FieldPrinter(version: version, showsAccounts: showsAccounts)
        var copy = self
        copy.fields(&printer)
        return printer.finish()
    }
}
