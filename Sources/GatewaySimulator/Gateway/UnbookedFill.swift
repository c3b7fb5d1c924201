/// A fill that its account could not book.
package struct UnbookedFill: Hashable, Sendable {
    /// The fill.
    package let fill: OrderFill
    /// Why it could not be booked.
    package let fault: AccountFault
}
