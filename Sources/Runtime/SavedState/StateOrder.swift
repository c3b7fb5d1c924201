/// A type that may hold what has no order of its own.
///
/// Swift's hashing has another seed in every process. The standard library saves a set, and a dictionary whose
/// keys are neither strings nor whole numbers, as a list in the order of their hashes: equal states would not
/// have equal bytes, and a decision could depend on the order.
protocol StateOrdering {
    /// The first type in this one that has no order.
    static var unorderedPart: Any.Type? { get }
}

/// The question whether a type has an order that lasts.
enum StateOrder {
    /// The first type in `type` that has no order, as far as generic parameters say; `nil` without one.
    static func unorderedPart(of type: Any.Type) -> Any.Type? {
        (type as? any StateOrdering.Type)?.unorderedPart
    }
}

extension Set: StateOrdering {
    static var unorderedPart: Any.Type? { Self.self }
}

extension Dictionary: StateOrdering {
    // Those with such keys are saved under them, and the encoder sorts.
    static var unorderedPart: Any.Type? {
        Key.self is any CodingKeyRepresentable.Type
            ? StateOrder.unorderedPart(of: Value.self) : Self.self
    }
}

extension Array: StateOrdering {
    static var unorderedPart: Any.Type? { StateOrder.unorderedPart(of: Element.self) }
}

extension ArraySlice: StateOrdering {
    static var unorderedPart: Any.Type? { StateOrder.unorderedPart(of: Element.self) }
}

extension ContiguousArray: StateOrdering {
    static var unorderedPart: Any.Type? { StateOrder.unorderedPart(of: Element.self) }
}

extension Optional: StateOrdering {
    static var unorderedPart: Any.Type? { StateOrder.unorderedPart(of: Wrapped.self) }
}

/// Types that were looked at, so that an array of a million elements asks about theirs once.
struct SeenTypes {
    private var ordered: Set<ObjectIdentifier> = []

    /// Throws when a value of `type` has no order that lasts.
    mutating func expectOrder(of type: Any.Type, at path: StatePath) throws {
        guard !ordered.contains(ObjectIdentifier(type)) else { return }
        if let part = StateOrder.unorderedPart(of: type) {
            throw SavedStateError.unordered(type: "\(part)", at: path.text)
        }
        ordered.insert(ObjectIdentifier(type))
    }
}
