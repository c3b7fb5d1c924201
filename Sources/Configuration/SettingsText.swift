/// The configuration in force as YAML: one of a run's artefacts, and what its hash is taken of.
///
/// Every key that belongs is there, defaults included, in the order of declaration; `null` is a key
/// without a value. Read as a file in the same folder, it gives equal settings: relative paths stay as
/// they were written, and a secret is a mask, which stands for nothing. The same settings give the same
/// text.
package enum SettingsText {
    /// The text of a listing, with its final line end.
    static func text(of listing: SettingsListing) -> String {
        lines(of: listing).map { $0.text + "\n" }.joined()
    }

    /// The same with a comment behind each value that says where it was written.
    package static func annotated(_ listing: SettingsListing) -> String {
        let lines = lines(of: listing)
        let widths = lines.filter { $0.comment != nil }.map(\.text.count)
        // Long lines are not worth moving all comments to the right.
        let width = widths.filter { $0 <= 40 }.max() ?? 0
        return lines.map { line in
            guard let comment = line.comment else { return line.text + "\n" }
            let padding = String(repeating: " ", count: max(0, width - line.text.count))
            return "\(line.text)\(padding)  # \(comment)\n"
        }
        .joined()
    }

    fileprivate struct Line {
        var text: String
        var comment: String?
    }

    private static func lines(of listing: SettingsListing) -> [Line] {
        switch listing {
        case .section(let entries): lines(of: entries)
        case .value, .unused, .list: preconditionFailure("a configuration is a section")
        }
    }

    private static func lines(of entries: [(name: String, SettingsListing)]) -> [Line] {
        entries.flatMap { name, listing -> [Line] in
            switch listing {
            case .value(_, let yaml, let origin):
                return [
                    Line(
                        text: "\(name): \(yaml ?? "null")",
                        comment: origin?.description ?? "default")
                ]
            case .unused: return []
            case .section(let entries):
                let inner = lines(of: entries)
                return inner.isEmpty
                    ? [Line(text: "\(name): {}")] : [Line(text: "\(name):")] + inner.indented("  ")
            case .list where listing.isAbsent:
                return [Line(text: "\(name): []", comment: "default")]
            case .list(let elements):
                return [Line(text: "\(name):")] + elements.flatMap(lines(ofElement:))
            }
        }
    }

    private static func lines(ofElement element: SettingsListing) -> [Line] {
        guard case .section(let entries) = element else {
            preconditionFailure("an element of a list of sections is a section")
        }
        let lines = lines(of: entries)
        return Array(lines.prefix(1)).indented("  - ") + Array(lines.dropFirst()).indented("    ")
    }
}

extension [SettingsText.Line] {
    fileprivate func indented(_ margin: String) -> [Element] {
        map { SettingsText.Line(text: margin + $0.text, comment: $0.comment) }
    }
}
