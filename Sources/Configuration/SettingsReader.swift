import Primitives

/// Reads a section of the configuration: every call declares a key and reads it.
///
/// Nothing is thrown. What is wrong is kept with its place, the call returns a stand-in, and reading
/// goes on, so that one check shows everything. A key nobody asked for is a problem too.
///
/// ```swift
/// let limit = section.optional(
///     "max_position_usd", .money(.above(0, to: 1_000)), "largest value of one position")
/// ```
struct SettingsReader {
    /// What is wrong so far, in this section and those read inside it.
    private(set) var problems: [SettingsProblem] = []
    /// The remarks about older names so far.
    private(set) var notices: [SettingsNotice] = []
    /// Keys that were given and that nothing reads, a sentence each.
    private(set) var unread: [String] = []
    private let path: String
    private let declaredPath: String
    private let origin: SettingsOrigin?
    private let given: [String: SettingsNode.Entry]
    private let variables: [String: SettingsVariable]
    private var declared: [String: SettingsKey] = [:]
    private var entries: [(name: String, SettingsListing)] = []
    private var names: [String] = []
    private var faulty: Set<String> = []
    /// Where the value of a key was written that an older name gave.
    private var olderOrigins: [String: SettingsOrigin] = [:]
    private var condition: Condition?
    /// True while keys are read that no command of this version reads.
    private var isReserved = false

    /// What must hold for the keys that are being read to belong here.
    private struct Condition {
        /// `nil` for keys of an element that is not there.
        let words: String?
        let outcome: Outcome

        enum Outcome {
            case holds
            case fails
            /// What it depends on is wrong itself.
            case unclear
        }
    }

    private enum Found<Value> {
        case value(Value)
        case nothing
        /// A wrong value, or one that does not belong.
        case unusable
    }

    /// Reads the whole configuration.
    ///
    /// - Parameter variables: among which keys find those of their older names.
    init(_ root: SettingsNode?, variables: [String: SettingsVariable] = [:]) {
        self.init(root, at: ("", ""), origin: root?.origin, variables)
    }

    private init(
        _ node: SettingsNode?, at path: (String, declared: String), origin: SettingsOrigin?,
        _ variables: [String: SettingsVariable]
    ) {
        self.path = path.0
        declaredPath = path.declared
        self.origin = origin
        self.variables = variables
        given = if case .section(let entries) = node?.content { entries } else { [:] }
    }

    /// A key that must be given.
    mutating func required<Value>(
        _ name: String, _ form: SettingsForm<Value>, _ summary: String
    ) -> Value {
        let key = declare(name, form.domain, form.unit, .required, words(summary, form.alias))
        switch find(name, key, form) {
        case .value(let value): return value
        case .unusable: return form.standIn
        case .nothing:
            add(name, at: origin, found: "missing", allowed: key.allowed)
            return form.standIn
        }
    }

    /// A key that may be left out.
    mutating func optional<Value>(
        _ name: String, _ form: SettingsForm<Value>, _ summary: String
    ) -> Value? {
        let key = declare(name, form.domain, form.unit, .none, words(summary, form.alias))
        switch find(name, key, form) {
        case .value(let value): return value
        case .nothing, .unusable: return nil
        }
    }

    /// A key with a default.
    mutating func value<Value>(
        _ name: String, _ form: SettingsForm<Value>, default fallback: Value, _ summary: String
    ) -> Value {
        value(name, form, declaredAs: .value(form.write(fallback)), fallback, summary)
    }

    /// A key whose default follows from others; `summary` says how.
    mutating func value<Value>(
        _ name: String, _ form: SettingsForm<Value>, derived fallback: Value, _ summary: String
    ) -> Value {
        value(name, form, declaredAs: .none, fallback, summary)
    }

    private mutating func value<Value>(
        _ name: String, _ form: SettingsForm<Value>, declaredAs declared: SettingsKey.Fallback,
        _ fallback: Value, _ summary: String
    ) -> Value {
        let key = declare(name, form.domain, form.unit, declared, words(summary, form.alias))
        switch find(name, key, form) {
        case .value(let value): return value
        case .nothing:
            record(key, form.write(fallback), from: nil)
            return fallback
        case .unusable: return fallback
        }
    }

    /// A list of different texts; empty when it is left out and there is no default.
    mutating func texts(
        _ name: String, of form: SettingsForm<String>, default fallback: [String] = [],
        _ summary: String
    ) -> [String] {
        func yaml(_ texts: [String]) -> String {
            "[\(texts.map(form.write).joined(separator: ", "))]"
        }
        precondition(condition == nil, "only single values depend on a choice")
        let key = declare(
            name, .texts(form.domain.allowed), nil, .value(yaml(fallback)), words(summary, nil))
        guard let node = present(name) else {
            record(key, yaml(fallback), from: nil)
            return fallback
        }
        guard case .list(let elements) = node.content else {
            add(name, at: node.origin, found: "found \(node.content.summary)", allowed: key.allowed)
            return fallback
        }
        var texts: [String] = []
        var seen: Set<String> = []
        for (index, element) in elements.enumerated() {
            guard
                case .value(let text) = read(element, "\(name).\(index)", form, form.domain.allowed)
            else { continue }
            if !seen.insert(text).inserted {
                add(
                    "\(name).\(index)", at: element.origin,
                    found: "'\(text.printable)' is there twice")
            }
            texts.append(text)
        }
        record(key, yaml(texts), from: node.origin)
        return texts
    }

    /// A section inside this one; all its keys hold their defaults when it is left out.
    mutating func section<Section>(
        _ name: String, _ read: (inout SettingsReader) -> Section
    ) -> Section {
        precondition(condition == nil, "only single values depend on a choice")
        names.append(name)
        let node = present(name)
        let (section, listing) = inner(node, name, declaredAs: name, read)
        entries.append((name, listing))
        return section
    }

    /// Refuses a section that does not belong here, if it is given.
    mutating func exclude(_ name: String, because reason: String, advice: String) {
        names.append(name)
        guard let node = present(name) else { return }
        add(name, at: node.origin, found: reason, advice: advice)
    }

    /// A list of at least one section.
    mutating func sections<Section>(
        _ name: String, _ read: (inout SettingsReader) -> Section
    ) -> [Section] {
        precondition(condition == nil, "only single values depend on a choice")
        names.append(name)
        var sections: [Section] = []
        var listings: [SettingsListing] = []
        let node = present(name)
        switch node?.content {
        case .list(let elements) where !elements.isEmpty:
            (sections, listings) = inner(elements, name, read)
        case .list, .nothing, nil:
            add(
                name, at: node?.origin ?? origin, found: "missing", allowed: "a list of one or more"
            )
        case .text(_), .section:
            add(
                name, at: node?.origin, found: "found \(node?.content.summary ?? "")",
                allowed: "a list of one or more")
        }
        entries.append((name, .list(listings)))
        return sections
    }

    /// A list of sections that may be empty or left out.
    mutating func optionalSections<Section>(
        _ name: String, _ read: (inout SettingsReader) -> Section
    ) -> [Section] {
        precondition(condition == nil, "only single values depend on a choice")
        names.append(name)
        let node = present(name)
        switch node?.content {
        case .list(let elements) where !elements.isEmpty:
            let (sections, listings) = inner(elements, name, read)
            entries.append((name, .list(listings)))
            return sections
        case .list, .nothing, nil: break
        case .text(_), .section:
            add(
                name, at: node?.origin, found: "found \(node?.content.summary ?? "")",
                allowed: "a list, which may be empty")
        }
        // Its keys exist, though no element has them.
        var absent = SettingsReader(
            nil, at: ("", declared: Self.join(declaredPath, "\(name).*")), origin: nil, [:])
        absent.condition = Condition(words: nil, outcome: .fails)
        _ = read(&absent)
        entries.append((name, .list([absent.listing])))
        return []
    }

    /// Reads keys that belong here only while the choice `name` has one of `choices`. Otherwise they
    /// are declared, refused if they are given, and their stand-ins returned.
    mutating func when<Choice: RawRepresentable<String> & Equatable, Value>(
        _ name: String, _ choice: Choice, is choices: Choice...,
        read: (inout SettingsReader) -> Value
    ) -> Value {
        precondition(condition == nil, "conditions are not nested")
        let words = "\(name): \(choices.map(\.rawValue).joined(separator: " or "))"
        let outcome: Condition.Outcome =
            if faulty.contains(name) { .unclear } else {
                choices.contains(choice) ? .holds : .fails
            }
        condition = Condition(words: words, outcome: outcome)
        defer { condition = nil }
        return read(&self)
    }

    /// Reads keys that no command of this version reads. They are checked all the same, and reported as unread.
    mutating func reserved<Value>(read: (inout SettingsReader) -> Value) -> Value {
        isReserved = true
        defer { isReserved = false }
        return read(&self)
    }

    /// Refuses the value of a key that was read, for a reason of its section.
    mutating func refuse(
        _ name: String, found: String, allowed: String? = nil, advice: String? = nil
    ) {
        add(
            name, at: olderOrigins[name] ?? given[name]?.value.origin ?? origin, found: found,
            allowed: allowed, advice: advice)
    }

    /// What a key may hold, in words.
    func allowed(_ name: String) -> String? { declared[name]?.allowed }

    /// Where relative paths in the value of a key start.
    func folder(of name: String) -> String { given[name]?.value.origin.folder ?? "" }

    /// Takes every remaining key as known; for sections whose keys cannot be known.
    mutating func ignoreRest() { names += given.keys }

    /// All keys that were read, with their values.
    var listing: SettingsListing { .section(entries) }

    /// Reports unknown keys; the last call.
    mutating func finish() {
        for name in given.keys.sorted() where !names.contains(name) {
            add(
                name.printable, at: given[name]?.keyOrigin, found: "unknown key",
                advice: SettingsSuggestion.sentence(for: name, among: names)
                    + (SecretName.matches(name) ? " \(SecretName.remedy)" : ""))
        }
    }

    // MARK: - Steps

    private mutating func declare(
        _ name: String, _ domain: SettingsDomain, _ unit: String?, _ fallback: SettingsKey.Fallback,
        _ summary: String
    ) -> SettingsKey {
        let key = SettingsKey(
            path: Self.join(declaredPath, name), domain: domain, unit: unit, fallback: fallback,
            condition: condition?.words, summary: summary)
        names.append(name)
        declared[name] = key
        switch condition?.outcome {
        case .fails, .unclear: entries.append((name, .unused(key)))
        case .holds, nil: entries.append((name, .value(key, yaml: nil, origin: nil)))
        }
        return key
    }

    /// Notes the value of the key that was declared last.
    private mutating func record(_ key: SettingsKey, _ yaml: String, from origin: SettingsOrigin?) {
        entries[entries.count - 1].1 = .value(key, yaml: yaml, origin: origin)
    }

    private func words(_ summary: String, _ alias: SettingsAlias?) -> String {
        let older = alias.map { "; older variable: `\($0.variable)`" } ?? ""
        return summary + older + (isReserved ? "; no command of this version reads it" : "")
    }

    /// What was written for a key, unless it was taken back or does not belong.
    private func present(_ name: String) -> SettingsNode? {
        guard let node = given[name]?.value else { return nil }
        switch node.content {
        case .nothing: return nil
        case .text, .list, .section: return node
        }
    }

    /// What the variable of an older name says, unless the key itself is written as high or higher.
    private func older(_ name: String, _ alias: SettingsAlias?) -> SettingsNode? {
        guard let alias, let variable = variables[alias.variable], !variable.text.isEmpty,
            variable.origin.source.rank > given[name]?.value.origin.source.rank ?? -1
        else { return nil }
        return SettingsNode(
            origin: variable.origin, content: .text(alias.convert(variable.text.trimmingSpaces)))
    }

    private mutating func find<Value>(
        _ name: String, _ key: SettingsKey, _ form: SettingsForm<Value>
    ) -> Found<Value> {
        let older = older(name, form.alias)
        if let older, let alias = form.alias { notice(alias.variable, as: name, older.content) }
        if isReserved, (older ?? present(name)) != nil {
            unread.append("\(key.path) is set, and no command of this version reads it")
        }
        olderOrigins[name] = older?.origin
        let node = older ?? present(name)
        switch condition?.outcome {
        case .fails:
            if let node = present(name), let words = condition?.words {
                add(
                    name, at: node.origin, found: "does not belong here",
                    allowed: "only with \(words)",
                    advice: "Remove it or set it to null.")
            }
            return .unusable
        case .unclear where node == nil: return .unusable
        case .unclear, .holds, nil: break
        }
        guard let node else { return .nothing }
        if key.isSecret, !node.origin.source.mayHoldSecrets { return refuseSecret(name, node) }
        let found = read(node, name, form, key.allowed)
        if case .value(let value) = found {
            record(key, form.write(value), from: node.origin)
        }
        return found
    }

    /// Where a secret must not be, only its mask is no problem: a resolved configuration contains it.
    private mutating func refuseSecret<Value>(_ name: String, _ node: SettingsNode) -> Found<Value>
    {
        precondition(SecretName.matches(name), "the name of a secret's key says that it is one")
        if case .text(Secret.mask) = node.content { return .nothing }
        let variable = SettingsDocument.variable(for: Self.join(path, name))
        add(
            name, at: node.origin, found: "a secret where others can read it",
            allowed: "only in the environment (\(variable)) or in the file that "
                + "system.secrets_file names",
            advice: "Move it, and change it if others may have seen it.")
        return .unusable
    }

    private mutating func notice(
        _ variable: String, as name: String, _ content: SettingsNode.Content
    ) {
        let full = Self.join(path, name)
        let outcome =
            switch condition?.outcome {
            case .fails: "ignored, because \(full) belongs only with \(condition?.words ?? "")"
            case .holds, .unclear, nil: "read as \(full): \(content.summary)"
            }
        notices.append(
            SettingsNotice(
                variable: variable,
                text: "\(variable) is an older name, \(outcome). "
                    + "Today's name is \(SettingsDocument.variable(for: full))."))
    }

    private mutating func read<Value>(
        _ node: SettingsNode, _ name: String, _ form: SettingsForm<Value>, _ allowed: String
    ) -> Found<Value> {
        var advice: String?
        if case .text(let text) = node.content {
            if let value = form.read(text) { return .value(value) }
            advice = form.advice(text)
        }
        let isShown = !form.domain.isSecret && node.origin.source.isShown
        add(
            name, at: node.origin,
            found: isShown ? "found \(node.content.summary)" : "found something else",
            allowed: allowed, advice: isShown ? advice : nil)
        return .unusable
    }

    private mutating func inner<Section>(
        _ elements: [SettingsNode], _ name: String, _ read: (inout SettingsReader) -> Section
    ) -> ([Section], [SettingsListing]) {
        var sections: [Section] = []
        var listings: [SettingsListing] = []
        for (index, element) in elements.enumerated() {
            let (section, listing) = inner(
                element, "\(name).\(index)", declaredAs: "\(name).*", read)
            sections.append(section)
            listings.append(listing)
        }
        return (sections, listings)
    }

    private mutating func inner<Section>(
        _ node: SettingsNode?, _ name: String, declaredAs declaredName: String,
        _ read: (inout SettingsReader) -> Section
    ) -> (Section, SettingsListing) {
        var reader = SettingsReader(
            node, at: (Self.join(path, name), declared: Self.join(declaredPath, declaredName)),
            origin: node?.origin ?? origin, variables)
        let section = read(&reader)
        reader.finish()
        notices += reader.notices
        unread += reader.unread
        switch node?.content {
        case .section, nil: problems += reader.problems
        case .nothing, .text, .list:
            // What is missing from something that is no section at all need not be reported.
            let isShown = node?.origin.source.isShown ?? true
            add(
                name, at: node?.origin,
                found: "found \(isShown ? node?.content.summary ?? "nothing" : "something else")",
                allowed: "a section with \(reader.names.map(\.printable).joined(separator: ", "))")
        }
        return (section, reader.listing)
    }

    private mutating func add(
        _ name: String, at origin: SettingsOrigin?, found: String, allowed: String? = nil,
        advice: String? = nil
    ) {
        faulty.insert(name)
        problems.append(
            SettingsProblem(
                at: origin, Self.join(path, name), found: found, allowed: allowed, advice: advice))
    }

    private static func join(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }
}

extension SettingsNode.Content {
    /// What it is, in words: `250`, `'abc'`, `a list`.
    var summary: String {
        switch self {
        case .nothing: "nothing"
        case .text(let text):
            text.looksNumeric ? text.printable : "'\(text.printable)'"
        case .list: "a list"
        case .section: "a section"
        }
    }
}
