/// Makes a large non-copyable struct that holds it go by reference to methods that change nothing.
///
/// The compiler passes a struct whose layout it knows by value, and copies all of it for each such call that is
/// not inlined: 1,600 bytes for the engine, 400 for the orders' ledger. One with a part that may hold anything
/// is passed by its address, as it is to methods that change it. Checked in optimised machine code: half of
/// the engine's copies were of this kind.
public struct PassedByReference: Sendable {
    private let anything: any Sendable = ()

    /// The part.
    public init() {}
}
