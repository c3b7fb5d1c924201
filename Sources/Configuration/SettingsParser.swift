import Primitives
import Yams

/// Turns YAML (and with it JSON) text into nodes that know their places.
///
/// Input is not trusted: size, depth and the number of nodes are bounded, and the parser never sees an
/// alias. It would expand one that stands in a key while it looks for duplicate keys, and ten lines of
/// aliases of aliases would keep it busy for ever. So every `*` is replaced by a character that no
/// configuration contains, and aliases are looked up here, where the number of nodes is counted.
struct SettingsParser {
    /// The layer, and in it the place of a text that is no file of its own.
    private let base: SettingsOrigin
    private var nodeCount = 0
    private var anchored: [String: Node] = [:]

    /// Larger documents are refused.
    static let byteCountMax = 1 << 20
    /// Documents with more nodes are refused, aliases expanded.
    private static let nodeCountMax = 50_000
    /// Stands for `*`; a character of the private use area.
    private static let star: Unicode.Scalar = "\u{E000}"

    /// The tree in a whole file; `nil` when it is empty.
    static func parse(
        bytes: [UInt8], from source: SettingsOrigin.Source
    ) throws(SettingsProblem) -> SettingsNode? {
        let origin = SettingsOrigin(source)
        guard bytes.count <= byteCountMax else {
            throw SettingsProblem(
                at: origin, "", found: "the document is too large",
                allowed: "at most \(byteCountMax) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsProblem(at: origin, "", found: "the document is not UTF-8 text")
        }
        return try parse(text, at: origin)
    }

    /// The value in the text of a flag or a variable. A flow sequence, a flow mapping or a quoted scalar
    /// is read as YAML; everything else stands for itself, so that no path needs quotes.
    static func parse(
        value text: String, at origin: SettingsOrigin
    ) throws(SettingsProblem) -> SettingsNode {
        let trimmed = text.trimmingSpaces
        switch trimmed.first {
        case nil: return SettingsNode(origin: origin, content: .nothing)
        case "[", "{", "\"", "'":
            return try parse(trimmed, at: origin)
                ?? SettingsNode(origin: origin, content: .nothing)
        default: return SettingsNode(origin: origin, content: content(ofPlain: trimmed))
        }
    }

    private static func parse(
        _ text: String, at base: SettingsOrigin
    ) throws(SettingsProblem) -> SettingsNode? {
        guard text.utf8.count <= byteCountMax, !text.unicodeScalars.contains(star) else {
            throw SettingsProblem(
                at: base, "", found: "the text is too long or contains U+E000")
        }
        do {
            var starless = String.UnicodeScalarView()
            starless.append(contentsOf: text.unicodeScalars.lazy.map { $0 == "*" ? star : $0 })
            let parser = try Parser(
                yaml: String(starless), resolver: .basic, encoding: .utf8)
            // Nodes refer to their anchors weakly; the parser owns them.
            return try withExtendedLifetime(parser) {
                guard let root = try parser.singleRoot() else { return nil }
                var converter = SettingsParser(base: base)
                return try converter.node(root, depth: 0)
            }
        } catch let problem as SettingsProblem {
            throw problem
        } catch let error as YamlError {
            throw SettingsProblem(error, in: text, at: base)
        } catch {
            throw SettingsProblem(at: base, "", found: "\(error)")
        }
    }

    private init(base: SettingsOrigin) { self.base = base }

    private mutating func node(_ node: Node, depth: Int) throws(SettingsProblem) -> SettingsNode {
        let origin = origin(of: node)
        nodeCount += 1
        guard depth <= SettingsNode.depthMax, nodeCount <= Self.nodeCountMax else {
            throw SettingsProblem(
                at: origin, "", found: "the document is nested too deeply or expands to too much",
                allowed: "\(SettingsNode.depthMax) levels and \(Self.nodeCountMax) nodes")
        }
        let content: SettingsNode.Content
        switch node {
        case .scalar(let scalar):
            if let name = Self.aliasName(scalar) {
                guard let target = anchored[name] else {
                    throw SettingsProblem(
                        at: origin, "",
                        found: "there is no anchor &\(name.printable) above this alias")
                }
                return try self.node(target, depth: depth)
            }
            let text = Self.withStars(scalar.string)
            content = scalar.style == .plain ? Self.content(ofPlain: text) : .text(text)
        case .sequence(let sequence):
            var elements: [SettingsNode] = []
            for element in sequence { elements.append(try self.node(element, depth: depth + 1)) }
            content = .list(elements)
        case .mapping(let mapping): content = .section(try entries(of: mapping, depth: depth + 1))
        case .alias: preconditionFailure("the parser never sees an alias")
        }
        if let anchor = node.anchor {
            // Nodes behind an alias come here again; a second anchor of the name is another object.
            let known = anchored.updateValue(node, forKey: anchor.rawValue)
            guard known == nil || known?.anchor === anchor else {
                throw SettingsProblem(
                    at: origin, "", found: "anchor &\(anchor.rawValue.printable) is given twice")
            }
        }
        return SettingsNode(origin: origin, content: content)
    }

    private mutating func entries(
        of mapping: Node.Mapping, depth: Int
    ) throws(SettingsProblem) -> [String: SettingsNode.Entry] {
        var entries: [String: SettingsNode.Entry] = [:]
        for (key, value) in mapping {
            guard let scalar = key.scalar, Self.aliasName(scalar) == nil else {
                throw SettingsProblem(
                    at: origin(of: key), "", found: "a key is a list, a mapping or an alias",
                    allowed: "text")
            }
            entries[Self.withStars(scalar.string)] = SettingsNode.Entry(
                keyOrigin: origin(of: key), value: try node(value, depth: depth))
        }
        return entries
    }

    private func origin(of node: Node) -> SettingsOrigin {
        switch base.source {
        case .file, .secretsFile:
            SettingsOrigin(
                base.source,
                at: node.mark.map { SettingsOrigin.Location(line: $0.line, column: $0.column) })
        case .environmentFile, .environment, .flag: base
        }
    }

    private static func aliasName(_ scalar: Node.Scalar) -> String? {
        guard scalar.style == .plain, scalar.string.unicodeScalars.first == star else { return nil }
        return String(scalar.string.unicodeScalars.dropFirst())
    }

    fileprivate static func withStars(_ text: String) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text.unicodeScalars.lazy.map { $0 == star ? "*" : $0 })
        return String(view)
    }

    private static func content(ofPlain text: String) -> SettingsNode.Content {
        ["", "~", "null", "Null", "NULL"].contains(text) ? .nothing : .text(text)
    }
}

extension SettingsProblem {
    /// What the YAML parser says, with its place in our terms.
    fileprivate init(_ error: YamlError, in text: String, at base: SettingsOrigin) {
        var words = "not readable as YAML or JSON"
        var location: SettingsOrigin.Location?
        switch error {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            words =
                problem.hasPrefix("Maximum nesting level")
                ? "nested too deeply"
                : [context?.text, problem].compactMap(\.self).joined(separator: ": ")
            location = SettingsOrigin.Location(line: mark.line, column: mark.column)
        case .duplicatedKeysInMapping(let keys, let context):
            let names = keys.map { SettingsParser.withStars($0).printable }.joined(separator: ", ")
            words = "given more than once in one section: \(names)"
            location = SettingsOrigin.Location(line: context.mark.line, column: context.mark.column)
        case .reader(let problem, let offset, _, _):
            words = problem
            location = offset.map { Self.location(afterCharacters: $0, of: text) }
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded: break
        }
        switch base.source {
        case .file, .secretsFile: break
        case .environmentFile, .environment, .flag: location = nil
        }
        let line = location.flatMap { location in
            text.split(
                maxSplits: location.line, omittingEmptySubsequences: false,
                whereSeparator: \.isNewline
            ).dropFirst(location.line - 1).first
        }
        let indentsByTab = line?.prefix { $0 == " " || $0 == "\t" }.contains("\t") ?? false
        self.init(
            at: location.map { SettingsOrigin(base.source, at: $0) } ?? base, "", found: words,
            advice: indentsByTab ? "Indent with spaces, not with tabs." : nil)
    }

    private static func location(afterCharacters count: Int, of text: String)
        -> SettingsOrigin.Location
    {
        let before = text.prefix(count)
        let lines = before.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return SettingsOrigin.Location(
            line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1)
    }
}

extension String {
    /// This text without spaces, tabs and line ends around it.
    var trimmingSpaces: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        let front = drop(while: isSpace)
        return String(front.reversed().drop(while: isSpace).reversed())
    }
}
