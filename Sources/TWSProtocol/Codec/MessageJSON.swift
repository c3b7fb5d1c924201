package import Primitives

extension GatewayMessage {
    /// The fields as one JSON object, by IBKR's names.
    ///
    /// - Parameter showsAccounts: accounts in clear text.
    package func json(at version: ServerVersion, showsAccounts: Bool) -> String {
        var printer = FieldPrinter(version: version, showsAccounts: showsAccounts)
        fields(&printer)
        return printer.finish()
    }

    /// A message of that kind with the fields of a JSON object.
    ///
    /// - Throws: for a member that no field has, or whose value is of another kind than the field's.
    package init(
        _ kind: GatewayMessageKind, json members: [JSONValue.Member], at version: ServerVersion
    ) throws(JSONFieldFailure) {
        var parser = FieldParser(members, version: version)
        self.init(kind, from: &parser)
        parser.finish()
        if let failure = parser.failure { throw failure }
    }
}

extension ClientMessage {
    /// The fields as one JSON object, by IBKR's names.
    ///
    /// - Parameter showsAccounts: accounts in clear text.
    package func json(at version: ServerVersion, showsAccounts: Bool) -> String {
        var printer = FieldPrinter(version: version, showsAccounts: showsAccounts)
        fields(&printer)
        return printer.finish()
    }

    /// A message of that kind with the fields of a JSON object.
    ///
    /// - Throws: for a member that no field has, or whose value is of another kind than the field's.
    package init(
        _ kind: ClientMessageKind, json members: [JSONValue.Member], at version: ServerVersion
    ) throws(JSONFieldFailure) {
        var parser = FieldParser(members, version: version)
        self.init(kind, from: &parser)
        parser.finish()
        if let failure = parser.failure { throw failure }
    }
}

extension GatewayMessageKind {
    /// The kind of that name, such as `tickPrice`.
    package init?(named name: String) {
        guard let kind = Self.byName[name] else { return nil }
        self = kind
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
}

extension ClientMessageKind {
    /// The kind of that name, such as `placeOrder`.
    package init?(named name: String) {
        guard let kind = Self.byName[name] else { return nil }
        self = kind
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
}
