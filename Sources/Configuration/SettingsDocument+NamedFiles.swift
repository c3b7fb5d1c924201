import Primitives

extension SettingsDocument {
    /// Takes in the files that the configuration names: that of secrets, and strategies' parameters.
    mutating func readNamedFiles() {
        readSecrets()
        for index in strategies.indices { readParameters(ofStrategy: index) }
    }

    // MARK: - Secrets

    /// Puts secrets where the environment says nothing. The file is refused unless it is its owner's
    /// alone, and nothing else may be in it: it is the one file that is never shown.
    private mutating func readSecrets() {
        guard let system = root?.entries["system"]?.value,
            let node = system.entries["secrets_file"]?.value, case .text(let given) = node.content
        else { return }
        let path = SettingsPath(given: given, folder: node.origin.folder).resolved
        do throws(SettingsProblem) {
            let file = try Self.file(path, namedBy: "system.secrets_file", at: node.origin)
            guard file.isPrivate else {
                throw SettingsProblem(
                    at: node.origin, "system.secrets_file",
                    found: "others can read or change \(path.printablePath)",
                    allowed: "a file of your own with mode 0600", advice: "Run chmod 600 on it.")
            }
            guard let secrets = try Self.section(of: file, .secretsFile(path)) else { return }
            problems += secrets.strangers(below: "")
            root = root?.filled(from: secrets)
        } catch {
            isWhole = false
            problems.append(error)
        }
    }

    // MARK: - Parameters

    /// Puts a file of parameters under those that the element itself has. The element then no longer
    /// names it: the resolved configuration stands alone.
    private mutating func readParameters(ofStrategy index: Int) {
        let strategy = strategies[index]
        guard let node = strategy.entries["parameters_file"]?.value,
            case .text(let given) = node.content
        else { return }
        let key = "strategies.\(index).parameters_file"
        let path = SettingsPath(given: given, folder: node.origin.folder).resolved
        do throws(SettingsProblem) {
            let file = try Self.file(path, namedBy: key, at: node.origin)
            let inline = strategy.entries["parameters"]?.value
            if let under = try Self.section(of: file, .file(path)) {
                replace("parameters", ofStrategy: index, by: inline?.over(under) ?? under)
            }
            replace(
                "parameters_file", ofStrategy: index,
                by: SettingsNode(origin: node.origin, content: .nothing))
        } catch {
            isWhole = false
            problems.append(error)
        }
    }

    private mutating func replace(_ key: String, ofStrategy index: Int, by node: SettingsNode) {
        guard let root, let list = root.entries["strategies"] else { return }
        var elements = strategies
        elements[index] = elements[index].replacing(key, by: node)
        self.root = root.replacing(
            "strategies",
            by: SettingsNode(origin: list.value.origin, content: .list(elements)))
    }

    // MARK: - Files

    private static func file(
        _ path: String, namedBy key: String, at origin: SettingsOrigin
    ) throws(SettingsProblem) -> SettingsFile {
        do throws(SettingsFile.Unreadable) {
            return try SettingsFile(path)
        } catch {
            throw SettingsProblem(
                at: origin, key, found: "\(path.printablePath) cannot be read: \(error.reason)")
        }
    }

    private static func section(
        of file: SettingsFile, _ source: SettingsOrigin.Source
    ) throws(SettingsProblem) -> SettingsNode? {
        let node: SettingsNode?
        do throws(SettingsProblem) {
            node = try SettingsParser.parse(bytes: file.bytes, from: source)
        } catch {
            guard !source.isShown else { throw error }
            throw SettingsProblem(
                at: error.origin, "", found: "not readable as YAML or JSON",
                advice: "Put secrets between single quotes.")
        }
        switch node?.content {
        case nil, .nothing: return nil
        case .section: return node
        case .text(_), .list(_):
            throw SettingsProblem(
                at: node?.origin, "", found: "no section", allowed: "keys with their values")
        }
    }
}

extension SettingsNode {
    /// What a section has; nothing for everything else.
    var entries: [String: Entry] {
        if case .section(let entries) = content { entries } else { [:] }
    }

    /// This section with another value for a key.
    fileprivate func replacing(_ key: String, by node: SettingsNode) -> SettingsNode {
        let entry = Entry(keyOrigin: entries[key]?.keyOrigin ?? node.origin, value: node)
        return SettingsNode(
            origin: origin, content: .section(entries.merging([key: entry]) { $1 }))
    }

    /// This node laid over `under`, which shows wherever this one says nothing.
    fileprivate func over(_ under: SettingsNode) -> SettingsNode {
        if case .nothing = content { under } else { under.overlaid(by: self) }
    }

    /// This node with what `secrets` says where it says nothing itself, or only in an ordinary file that
    /// there is a secret.
    fileprivate func filled(from secrets: SettingsNode) -> SettingsNode {
        switch content {
        case .section(let own):
            var united = own
            for (key, entry) in secrets.entries {
                let value = own[key]?.value.filled(from: entry.value) ?? entry.value
                united[key] = Entry(keyOrigin: own[key]?.keyOrigin ?? entry.keyOrigin, value: value)
            }
            return SettingsNode(origin: origin, content: .section(united))
        case .nothing, .text(Secret.mask): return origin.source.rank == 0 ? secrets : self
        case .text, .list: return self
        }
    }

    /// What is in a file of secrets without being one.
    fileprivate func strangers(below path: String) -> [SettingsProblem] {
        entries.sorted { $0.key < $1.key }.flatMap { key, entry -> [SettingsProblem] in
            let full = path.isEmpty ? key.printable : "\(path).\(key.printable)"
            switch entry.value.content {
            case .section: return entry.value.strangers(below: full)
            case .nothing: return []
            case .text(_) where SecretName.matches(key): return []
            case .text, .list:
                return [
                    SettingsProblem(
                        at: entry.keyOrigin, full, found: "no secret in the file of secrets",
                        advice: "Move it to the configuration.")
                ]
            }
        }
    }
}
