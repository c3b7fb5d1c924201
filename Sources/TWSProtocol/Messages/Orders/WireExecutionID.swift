/// A fill's identifier taken apart: corrections of one fill differ in the last part alone, and the
/// highest of them counts instead of the others.
public struct WireExecutionID: Hashable, Sendable {
    /// Everything before the last part: what the corrections of a fill have in common.
    public let root: String
    /// The last part.
    public let revision: Int32

    /// Takes an identifier apart; `nil` when it does not end in a point and a number.
    public init?(_ text: String) {
        guard let point = text.lastIndex(of: "."), point > text.startIndex,
            let revision = Int32(text[text.index(after: point)...]), revision >= 0
        else { return nil }
        root = String(text[..<point])
        self.revision = revision
    }
}
