/// The way from a whole value to a part of it.
///
/// A list that grows at its end and shares its beginning: a part costs one element, an array of keys would cost
/// all of them.
indirect enum StatePath: Sendable {
    /// The whole value.
    case whole
    /// The part under a key.
    case key(any CodingKey, of: StatePath)

    /// The keys from the whole value on.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var current = self
        while case .key(let key, let parent) = current {
            keys.append(key)
            current = parent
        }
        return keys.reversed()
    }

    /// As people read it: `rankings[0].trades.planned`.
    var text: String { Self.text(of: keys) }

    /// The part at a place of a list.
    func element(_ index: Int) -> StatePath { .key(StateKey(intValue: index), of: self) }

    /// The part under a key.
    func key(_ key: any CodingKey) -> StatePath { .key(key, of: self) }

    /// As people read it. A key is shown up to its 80th character: it may come from a damaged state.
    static func text(of keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "the state" }
        var text = ""
        for key in keys {
            if let key = key as? StateKey, let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue.prefix(80)
            }
        }
        return text
    }
}

/// A key that no type has declared: a place in a list, `super`, or one that was read.
struct StateKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    /// The key under which a class saves its superclass.
    static var parent: StateKey { StateKey(stringValue: "super") }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
