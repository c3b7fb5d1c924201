import Foundation

/// The configuration as it was written in all its places, later ones over earlier ones: files in the
/// order they are given, then the environment, then flags. Defaults are not in it.
///
/// Nothing here knows which keys exist. What cannot be taken in at all is kept as a problem;
/// `Settings.read` reports it together with what it finds itself.
package struct SettingsDocument: Sendable {
    /// What was written; `nil` when nothing was.
    private(set) var root: SettingsNode?
    /// What could not be taken in.
    private(set) var problems: [SettingsProblem] = []
    /// Whether every file could be read; if not, what is missing from it must not be reported.
    private(set) var isWhole = true

    /// Environment variables with this prefix are keys: `MARTLET__RISK__MAX_LEVERAGE`.
    package static let environmentPrefix = "MARTLET__"

    /// A document in which nothing is written.
    package init() {}

    /// Lays a file over it; `-` is standard input.
    package mutating func merge(file path: String) {
        do {
            merge(try Self.bytes(ofFile: path), from: path)
        } catch {
            isWhole = false
            problems.append(
                SettingsProblem(
                    at: SettingsOrigin(.file(path)), "",
                    found: "cannot be read: \(Self.reason(whyUnreadable: path))"))
        }
    }

    /// Lays the content of a file over it; its relative paths start at the folder of `path`.
    package mutating func merge(_ bytes: [UInt8], from path: String) {
        let source = SettingsOrigin.Source.file(path)
        do throws(SettingsProblem) {
            let parsed = try SettingsParser.parse(bytes: bytes, from: source)
            let layer = parsed ?? SettingsNode(origin: SettingsOrigin(source), content: .nothing)
            switch layer.content {
            case .section: root = root?.overlaid(by: layer) ?? layer
            case .nothing: root = root ?? layer
            case .text, .list:
                throw SettingsProblem(
                    at: layer.origin, "", found: "found \(layer.content.summary)",
                    allowed: "sections with keys")
            }
        } catch {
            isWhole = false
            problems.append(error)
        }
    }

    /// Lays the variables that begin with `MARTLET__` over it: `MARTLET__SECTION__KEY`, lower-cased,
    /// with list elements by number.
    package mutating func merge(environment variables: [String: String]) {
        let names = variables.keys.filter { $0.hasPrefix(Self.environmentPrefix) }.sorted()
        for name in names {
            let path = name.dropFirst(Self.environmentPrefix.count).lowercased()
            place(
                variables[name] ?? "",
                at: SettingsStep.steps(of: path, separator: "__"), from: .environment(name))
        }
    }

    /// Lays `path.to.key=value` over it; list elements by number: `strategies.0.parameters.fast=5`.
    package mutating func merge(assignment: String, flag: String = "--set") {
        let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts[0]).trimmingSpaces
        guard parts.count == 2 else {
            problems.append(
                SettingsProblem(
                    at: SettingsOrigin(.flag(flag)), "", found: "found '\(path.printable)'",
                    allowed: "path.to.key=value"))
            return
        }
        place(
            String(parts[1]), at: SettingsStep.steps(of: path, separator: "."),
            from: .flag("\(flag) \(path)"))
    }

    /// Lays one value over it just as it is, for flags with a key of their own such as `--data`.
    package mutating func set(_ path: String, to text: String, flag: String) {
        let value = SettingsNode(origin: SettingsOrigin(.flag(flag)), content: .text(text))
        place(value, at: SettingsStep.steps(of: path, separator: "."))
    }

    /// Keeps the strategies called `name`, by their own name or by that of what they use. Where there
    /// are none, the one strategy is `use: name` with its defaults.
    package mutating func keepStrategies(named name: String, flag: String) {
        let kept = strategies.filter { element in
            ["name", "use"].contains { element.text(at: $0) == name }
        }
        let origin = SettingsOrigin(.flag(flag))
        let use = SettingsNode(origin: origin, content: .text(name))
        let alone = SettingsNode(
            origin: origin,
            content: .section(["use": SettingsNode.Entry(keyOrigin: origin, value: use)]))
        let list = SettingsNode(origin: origin, content: .list(kept.isEmpty ? [alone] : kept))
        place(list, at: [.key("strategies")])
    }

    /// Where the strategy at `index` of the list was written, or rather its parameters if it has any.
    package func origin(ofStrategy index: Int) -> SettingsOrigin? {
        guard strategies.indices.contains(index) else { return nil }
        let strategy = strategies[index]
        guard case .section(let entries) = strategy.content else { return strategy.origin }
        return entries["parameters"]?.value.origin ?? strategy.origin
    }

    private var strategies: [SettingsNode] {
        guard case .section(let entries) = root?.content,
            case .list(let elements) = entries["strategies"]?.value.content
        else { return [] }
        return elements
    }

    private mutating func place(
        _ text: String, at steps: [SettingsStep]?, from source: SettingsOrigin.Source
    ) {
        do throws(SettingsProblem) {
            place(try SettingsParser.parse(value: text, from: source), at: steps)
        } catch {
            problems.append(error)
        }
    }

    private mutating func place(_ value: SettingsNode, at steps: [SettingsStep]?) {
        guard let steps else {
            problems.append(
                SettingsProblem(
                    at: value.origin, "", found: "not the path of a key",
                    allowed: "words between single dots (in variables: double underscores)"))
            return
        }
        do throws(SettingsStepFault) {
            root = try SettingsNode.placing(value, at: steps[...], in: root)
        } catch {
            problems.append(SettingsProblem(at: value.origin, "", found: error.description))
        }
    }

    /// Foundation's own words are often no more than a number.
    private static func reason(whyUnreadable path: String) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return "there is no such file"
        }
        return isFolder.boolValue ? "it is a folder" : "permission denied, or the disk failed"
    }

    /// At most one byte more than a document may have, so that an endless file ends.
    private static func bytes(ofFile path: String) throws -> [UInt8] {
        let file =
            path == "-"
            ? FileHandle.standardInput
            : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        var bytes: [UInt8] = []
        while bytes.count <= SettingsParser.byteCountMax,
            let part = try file.read(upToCount: SettingsParser.byteCountMax + 1 - bytes.count),
            !part.isEmpty
        { bytes += part }
        return bytes
    }
}

extension SettingsNode {
    /// The text of a scalar below this section.
    fileprivate func text(at key: String) -> String? {
        guard case .section(let entries) = content,
            case .text(let text) = entries[key]?.value.content
        else { return nil }
        return text
    }
}
