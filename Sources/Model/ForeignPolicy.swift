/// What follows when the account holds, orders or trades what is not ours.
public enum ForeignPolicy: String, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// It is shown and never touched; entries in its symbol are refused until the user adopts it.
    case ignore
    /// It is shown and never touched; entries in its symbol go on beside it.
    case adopt
    /// Entries are halted in all symbols until the user has looked.
    case halt
}
