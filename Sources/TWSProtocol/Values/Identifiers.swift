/// A whole number that names something at the gateway.
public protocol WireIdentifier: RawRepresentable, Hashable, Comparable, Sendable,
    ExpressibleByIntegerLiteral, CustomStringConvertible
where RawValue: FixedWidthInteger & SignedInteger & Sendable, IntegerLiteralType == RawValue {
    /// The identifier with this number.
    init(rawValue: RawValue)
}

extension WireIdentifier {
    /// The identifier with this number.
    public init(integerLiteral value: RawValue) { self.init(rawValue: value) }
    /// Orders by number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    /// The number.
    public var description: String { rawValue.description }
}

/// A request's number, chosen by the client; answers and errors carry it.
///
/// Requests and orders share the error message's `id` field: use ranges that do not meet.
public struct RequestID: WireIdentifier {
    /// The number.
    public let rawValue: Int32
    /// The request with this number.
    public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// An order's number as its client gave it; unique per client id and gateway session. Manual orders
/// have 0 or a negative one.
public struct APIOrderID: WireIdentifier {
    /// The number.
    public let rawValue: Int32
    /// The order with this number.
    public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// An order's number in its account for good, given by the broker.
public struct PermID: WireIdentifier {
    /// The number.
    public let rawValue: Int64
    /// The order with this number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The broker's number of an instrument; 0 where a contract is described by its other fields.
public struct ContractID: WireIdentifier {
    /// The number.
    public let rawValue: Int32
    /// The instrument with this number.
    public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The number under which a program is connected; one connection each.
public struct ClientID: WireIdentifier {
    /// The number.
    public let rawValue: Int32
    /// The client with this number.
    public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// An account's name, such as `DU1234567`. Redacted where it is printed, unless asked for.
public struct AccountID: Hashable, Sendable {
    /// The name; empty where none is given.
    public let name: String
    /// The account with this name.
    public init(_ name: String) { self.name = name }
    /// No account named.
    public static let none = AccountID("")
}

extension AccountID: ExpressibleByStringLiteral {
    /// The account with this name.
    public init(stringLiteral value: String) { name = value }
}

extension AccountID: CustomStringConvertible {
    /// The name, shortened to what distinguishes accounts without naming them: `DU***67`.
    public var description: String { redacted }

    /// The letters and the last two digits: `DU***67`.
    public var redacted: String {
        guard name.utf8.count > 4 else { return name.isEmpty ? "" : "***" }
        return "\(name.prefix { $0.isLetter }.prefix(2))***\(name.suffix(2))"
    }
}
