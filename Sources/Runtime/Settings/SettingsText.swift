/// The configuration in force as YAML: one of a run's artefacts, and what its hash is taken of.
///
/// Every key that belongs is there, defaults included, in the order of declaration; `null` is a key
/// without a value. Read as a file in the same folder, it gives equal settings: relative paths stay as
/// they were written. The same settings give the same text.
enum SettingsText {
    /// The text of a listing, with its final line end.
    static func text(of listing: SettingsListing) -> String {
        switch listing {
        case .section(let entries): lines(of: entries).map { $0 + "\n" }.joined()
        case .value, .unused, .list: preconditionFailure("a configuration is a section")
        }
    }

    private static func lines(of entries: [(name: String, SettingsListing)]) -> [String] {
        entries.flatMap { name, listing -> [String] in
            switch listing {
            case .value(_, let yaml, _): return ["\(name): \(yaml ?? "null")"]
            case .unused: return []
            case .section(let entries):
                let inner = lines(of: entries)
                return inner.isEmpty ? ["\(name): {}"] : ["\(name):"] + inner.map { "  " + $0 }
            case .list(let elements): return ["\(name):"] + elements.flatMap(lines(ofElement:))
            }
        }
    }

    private static func lines(ofElement element: SettingsListing) -> [String] {
        guard case .section(let entries) = element else {
            preconditionFailure("an element of a list of sections is a section")
        }
        return lines(of: entries).enumerated().map {
            ($0.offset == 0 ? "  - " : "    ") + $0.element
        }
    }
}
