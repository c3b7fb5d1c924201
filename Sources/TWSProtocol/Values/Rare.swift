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
        set {
            guard newValue != wrappedValue else { return }
            content = newValue == Block() ? .unset : .set(newValue)
        }
    }
}
