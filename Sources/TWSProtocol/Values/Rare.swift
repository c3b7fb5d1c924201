/// A group of attributes that few orders set. It lies behind a reference while any of them is set and
/// takes a few bytes otherwise, so that an order without it is small to pass on.
@propertyWrapper
public struct Rare<Block: FieldRecord>: Hashable, Sendable {
    private var content = Content.unset

    private enum Content: Hashable, Sendable {
        case unset
        indirect case set(Block)
    }

    /// With nothing set.
    public init() {}

    /// The attributes; all at their defaults where none is set.
    public var wrappedValue: Block {
        get {
            switch content {
            case .unset: Block()
            case .set(let block): block
            }
        }
        set { content = newValue == Block() ? .unset : .set(newValue) }
    }

    /// The group as it is kept, which is walked over without putting one together where none is set.
    public var projectedValue: Self {
        get { self }
        _modify { yield &self }
    }

    /// Walks over the attributes in wire order.
    @inline(__always)
    mutating func fields<C: FieldCoder & ~Copyable>(_ coder: inout C) {
        walk(&coder) { $0.fields(&$1) }
    }

    /// Walks over the attributes as `fields` does. They are put back only where the coder fills them in.
    @inline(__always)
    mutating func walk<C: FieldCoder & ~Copyable>(
        _ coder: inout C, _ fields: (inout Block, inout C) -> Void
    ) {
        var block = wrappedValue
        fields(&block, &coder)
        if C.fillsValues { wrappedValue = block }
    }
}
