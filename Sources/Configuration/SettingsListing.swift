/// Every key that was read, with the value in force: what the resolved text and an origin listing show.
package indirect enum SettingsListing: Sendable {
    /// A key, its value as a YAML scalar or flow sequence (`nil`: none) and where that was written
    /// (`nil`: it is the default).
    case value(SettingsKey, yaml: String?, origin: SettingsOrigin?)
    /// A key that does not belong where its section stands: it has no value.
    case unused(SettingsKey)
    /// A section's keys in the order of their declaration.
    case section([(name: String, SettingsListing)])
    /// A list of sections; of an empty one, a section with its elements' keys, none of them used.
    case list([SettingsListing])

    /// The same with another text in place of the one that is written for a key.
    func replacing(_ path: String, by text: String?) -> SettingsListing {
        switch self {
        case .value(let key, .some, let origin?) where key.path == path:
            .value(key, yaml: text.map(SettingsForm.text("").write), origin: origin)
        case .section(let entries):
            .section(entries.map { ($0.0, $0.1.replacing(path, by: text)) })
        case .value, .unused, .list: self
        }
    }

    /// The text that was given for a key, and where; `nil` for one that was not given.
    package func value(at path: String) -> (text: String, origin: SettingsOrigin)? {
        switch self {
        case .value(let key, let yaml?, let origin?) where key.path == path: (yaml, origin)
        case .section(let entries): entries.lazy.compactMap { $0.1.value(at: path) }.first
        case .list(let elements): elements.lazy.compactMap { $0.value(at: path) }.first
        case .value, .unused: nil
        }
    }

    /// All declared keys, also those without a value.
    package var keys: [SettingsKey] {
        switch self {
        case .value(let key, _, _), .unused(let key): [key]
        case .section(let entries): entries.flatMap(\.1.keys)
        case .list(let elements): elements.flatMap(\.keys)
        }
    }

    /// Whether there is nothing in it: an element that only shows which keys elements would have.
    var isAbsent: Bool {
        switch self {
        case .value: false
        case .unused: true
        case .section(let entries): entries.allSatisfy(\.1.isAbsent)
        case .list(let elements): elements.allSatisfy(\.isAbsent)
        }
    }
}
