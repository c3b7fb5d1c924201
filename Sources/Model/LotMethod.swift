/// Orders of closing lots.
package enum LotMethod: String, CaseIterable, Sendable {
    /// The oldest first: what the tax law of the United States takes when nothing is said.
    case firstInFirstOut = "fifo"
    /// The newest first.
    case lastInFirstOut = "lifo"
    /// The one with the highest cost a share first, which realises the least; of shorts the one that
    /// was sold at the lowest price. Of equals the oldest.
    case highestCost = "highest_cost"
}
