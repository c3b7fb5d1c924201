/// The protocol version a gateway and a client agreed on. Layouts of text messages are known for
/// 157 to 200 and for no other: a version outside cannot be made, so a newer gateway's fields cannot be
/// read with an older table.
public struct ServerVersion: Hashable, Comparable, Sendable {
    /// The number as negotiated.
    public let number: Int

    /// What the text form is known for.
    public static let supported = 157...200
    /// The oldest known.
    public static let oldest = ServerVersion(known: supported.lowerBound)
    /// The newest known.
    public static let newest = ServerVersion(known: supported.upperBound)
    /// Every known version, oldest first.
    public static let all = supported.map { ServerVersion(known: $0) }

    private init(known number: Int) { self.number = number }

    /// The version `number`; `nil` when its layouts are not known.
    public init?(_ number: Int) {
        guard Self.supported.contains(number) else { return nil }
        self.number = number
    }

    /// Orders by number.
    public static func < (left: ServerVersion, right: ServerVersion) -> Bool {
        left.number < right.number
    }
}

extension ServerVersion: CustomStringConvertible {
    /// The number.
    public var description: String { String(number) }
}
