import Primitives

/// The configuration as it was written in all its places, later ones over earlier ones: files in the
/// order they are given, then the `.env` file, then the environment, then flags. Defaults are not in it.
///
/// Nothing here knows which keys exist, but for those that name files and the list of strategies. What cannot be taken in at all is kept as a problem;
/// `Settings.read` reports it together with what it finds itself.
package struct SettingsDocument: Sendable {
    /// What was written; `nil` when nothing was.
    var root: SettingsNode?
    /// What could not be taken in.
    var problems: [SettingsProblem] = []
    /// Whether every file could be read; if not, what is missing from it must not be reported.
    var isWhole = true
    /// All variables, those of the `.env` file under those of the environment: keys find there what
    /// their older names say.
    private(set) var variables: [String: SettingsVariable] = [:]

    /// Environment variables with this prefix are keys: `MARTLET__RISK__MAX_LEVERAGE`.
    package static let environmentPrefix = "MARTLET__"

    /// A document in which nothing is written.
    package init() {}

    /// Lays a file over it; `-` is standard input.
    package mutating func merge(file path: String) {
        do throws(SettingsFile.Unreadable) {
            merge(try SettingsFile(path).bytes, from: path)
        } catch {
            isWhole = false
            problems.append(
                SettingsProblem(
                    at: SettingsOrigin(.file(path)), "", found: "cannot be read: \(error.reason)"))
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

    /// Lays the `.env` file that belongs to the configuration files at `paths` over it: the one beside
    /// the last of them, or else the one in `workingFolder`. There may be none.
    package mutating func mergeEnvironmentFile(
        beside paths: [String], orIn workingFolder: String = ""
    ) {
        let folders = [paths.last.map(SettingsOrigin.folder(ofFile:)), workingFolder]
        let files = folders.compactMap { $0.map { $0 + ".env" } }
        guard let path = files.first(where: SettingsFile.exists) else { return }
        do throws(SettingsFile.Unreadable) {
            let file = try SettingsFile(path)
            merge(EnvironmentFile(file.bytes, path: path), isPrivate: file.isPrivate)
        } catch {
            isWhole = false
            problems.append(
                SettingsProblem(
                    at: SettingsOrigin(.environmentFile(path)), "",
                    found: "cannot be read: \(error.reason)"))
        }
    }

    private mutating func merge(_ file: EnvironmentFile, isPrivate: Bool) {
        if !file.problems.isEmpty { isWhole = false }
        problems += file.problems
        for variable in file.variables.sorted(by: { $0.name < $1.name }) {
            if !isPrivate, variable.name.hasPrefix(Self.environmentPrefix),
                SecretName.matches(variable.name)
            {
                problems.append(
                    SettingsProblem(
                        at: variable.origin, "",
                        found:
                            "\(variable.name.printable) is a secret in a file that others can read",
                        allowed: "a file of your own with mode 0600",
                        advice: "Run chmod 600 on it."))
            }
            merge(variable.name, SettingsVariable(text: variable.text, origin: variable.origin))
        }
    }

    /// Lays the variables that begin with `MARTLET__` over it: `MARTLET__SECTION__KEY`, lower-cased,
    /// with list elements by number. Others are kept for keys that have an older name.
    package mutating func merge(environment variables: [String: String]) {
        for (name, text) in variables.sorted(by: { $0.key < $1.key }) {
            merge(
                name, SettingsVariable(text: text, origin: SettingsOrigin(.environment(name))))
        }
    }

    private mutating func merge(_ name: String, _ variable: SettingsVariable) {
        guard name.hasPrefix(Self.environmentPrefix) else {
            variables[name] = variable
            return
        }
        let path = name.dropFirst(Self.environmentPrefix.count).lowercased()
        place(
            variable.text, at: SettingsStep.steps(of: path, separator: "__"), from: variable.origin)
    }

    /// The variable that sets the key at `path`.
    static func variable(for path: String) -> String {
        environmentPrefix + path.uppercased().replacing(".", with: "__")
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
            from: SettingsOrigin(.flag("\(flag) \(path)")))
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
        let keys = ["parameters", "parameters_file"]
        return keys.lazy.compactMap { entries[$0]?.value.origin }.first ?? strategy.origin
    }

    /// The elements of the list of strategies.
    var strategies: [SettingsNode] {
        guard case .section(let entries) = root?.content,
            case .list(let elements) = entries["strategies"]?.value.content
        else { return [] }
        return elements
    }

    private mutating func place(
        _ text: String, at steps: [SettingsStep]?, from origin: SettingsOrigin
    ) {
        if case .key(let name) = steps?.last, SecretName.matches(name) {
            // Not YAML: a secret may begin with a quote or a bracket.
            let content: SettingsNode.Content = text.isEmpty ? .nothing : .text(text)
            place(SettingsNode(origin: origin, content: content), at: steps)
            return
        }
        do throws(SettingsProblem) {
            place(try SettingsParser.parse(value: text, at: origin), at: steps)
        } catch {
            problems.append(error)
        }
    }

    /// Lays `value` over what is at `steps`.
    mutating func place(_ value: SettingsNode, at steps: [SettingsStep]?) {
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
}

extension SettingsNode {
    /// The text of a scalar below this section.
    func text(at key: String) -> String? {
        guard case .section(let entries) = content,
            case .text(let text) = entries[key]?.value.content
        else { return nil }
        return text
    }
}
