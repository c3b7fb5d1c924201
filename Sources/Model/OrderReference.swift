public import Primitives

/// Our name for an order at the broker (orderRef), which stays with it for life: the journal that the order
/// was written to and its number there.
///
/// Its text is `mt:<journal>:<order>`, for example `mt:17:123`: ASCII, at most 33 characters.
public struct OrderReference: Hashable, Comparable, Sendable, BitwiseCopyable,
    CustomStringConvertible
{
    /// The journal's instance number, from 1.
    public let journal: Int32
    /// The order's number in it, from 1.
    public let order: OrderID

    /// The reference of an order; `nil` unless both numbers are positive.
    public init?(journal: Int32, order: OrderID) {
        guard journal > 0, order.number > 0 else { return nil }
        self.journal = journal
        self.order = order
    }

    /// The reference that `text` spells, exactly as `description` does; `nil` for every other text.
    public init?(parsing text: String) {
        var bytes = text.utf8[...]
        guard bytes.removePrefix("mt:"), let journal = bytes.removeNumber(),
            bytes.removePrefix(":"), let order = bytes.removeNumber(), bytes.isEmpty,
            let small = Int32(exactly: journal)
        else { return nil }
        self.init(journal: small, order: OrderID(number: order))
    }

    /// The text form.
    public var description: String { "mt:\(journal):\(order.number)" }

    /// Orders by journal and number.
    public static func < (left: OrderReference, right: OrderReference) -> Bool {
        (left.journal, left.order) < (right.journal, right.order)
    }
}

extension Substring.UTF8View {
    fileprivate mutating func removePrefix(_ prefix: StaticString) -> Bool {
        let matches = prefix.withUTF8Buffer { starts(with: $0) }
        if matches { removeFirst(prefix.utf8CodeUnitCount) }
        return matches
    }

    /// Takes off a positive number without sign or leading zeros.
    fileprivate mutating func removeNumber() -> Int64? {
        var number: Int64 = 0
        while let byte = first, byte >= 0x30, byte <= 0x39 {
            if number == 0, byte == 0x30 { return nil }
            let (tens, overflowed) = number.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(Int64(byte) - 0x30)
            guard !overflowed, !carried else { return nil }
            number = sum
            removeFirst()
        }
        return number > 0 ? number : nil
    }
}
