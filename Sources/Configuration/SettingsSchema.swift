import Primitives
package import Signals

/// What a configuration file may contain, as a JSON Schema (draft 2020-12) for editors and other programs.
///
/// Made from the declarations of the keys. It knows each key's type, range, words and default; which keys
/// belong only beside others is in their descriptions, and `martlet config check` decides. No key is
/// required: what one file leaves out another may have.
package enum SettingsSchema {
    /// The schema for a configuration with these strategies.
    package static func text(strategies: [StrategyDeclaration]) -> String {
        // One element for each strategy: what differs between them depends on `use`.
        var document = SettingsDocument()
        for (index, strategy) in strategies.enumerated() {
            document.set("strategies.\(index).use", to: strategy.name, flag: "")
        }
        let listing = Settings.inspect(document, strategies: strategies).listing
        var schema = JSONObject()
        schema.set("$schema", .text("https://json-schema.org/draft/2020-12/schema"))
        schema.set("title", .text("Configuration of martlet"))
        guard case .section(let entries) = listing else {
            preconditionFailure("a configuration is a section")
        }
        describe(entries, in: &schema)
        return schema.pretty()
    }

    /// The key by which the elements of a list differ.
    private static let discriminator = "use"

    private static func object(of listing: SettingsListing) -> JSONObject {
        switch listing {
        case .value(let key, _, _), .unused(let key): property(key)
        case .section(let entries): section(entries)
        case .list(let elements): list(elements, mayBeEmpty: listing.isAbsent)
        }
    }

    private static func section(_ entries: [(name: String, SettingsListing)]) -> JSONObject {
        var object = JSONObject()
        describe(entries, in: &object)
        return object
    }

    private static func describe(
        _ entries: [(name: String, SettingsListing)], in object: inout JSONObject
    ) {
        var properties = JSONObject()
        for (name, listing) in entries { properties.set(name, .object(Self.object(of: listing))) }
        object.set("type", .texts(["object", "null"]))
        object.set("additionalProperties", .bool(false))
        object.set("properties", .object(properties))
    }

    private static func list(_ elements: [SettingsListing], mayBeEmpty: Bool) -> JSONObject {
        let sections = elements.map { element -> [(name: String, SettingsListing)] in
            if case .section(let entries) = element { entries } else { [] }
        }
        var properties = JSONObject()
        var differing: [String] = []
        for (name, listing) in sections.first ?? [] {
            let schemas = Set(sections.compactMap { schema(of: name, in: $0) })
            let isCommon = name == discriminator || schemas.count == 1
            // Anything, as far as it goes: the choices below say more.
            properties.set(name, .object(isCommon ? object(of: listing) : JSONObject()))
            if !isCommon { differing.append(name) }
        }
        var items = JSONObject()
        items.set("type", .text("object"))
        items.set("additionalProperties", .bool(false))
        items.set("properties", .object(properties))
        if !differing.isEmpty {
            items.set("allOf", .array(sections.map { .object(choice(of: $0, differing)) }))
        }
        var object = JSONObject()
        object.set("type", .texts(["array", "null"]))
        if !mayBeEmpty { object.set("minItems", .integer(1)) }
        object.set("items", .object(items))
        return object
    }

    /// What holds for an element with the discriminator of this one.
    private static func choice(
        of section: [(name: String, SettingsListing)], _ differing: [String]
    ) -> JSONObject {
        var word = JSONObject()
        for (name, listing) in section where name == discriminator {
            guard case .value(let key, let yaml?, _) = listing else { continue }
            word.set("const", SettingsJSON.value(yaml, of: key.domain))
        }
        var condition = JSONObject()
        condition.set("properties", .members([discriminator: .object(word)]))
        condition.set("required", .texts([discriminator]))
        var properties = JSONObject()
        for name in differing {
            properties.set(name, schema(of: name, in: section).map { .object($0) })
        }
        var object = JSONObject()
        object.set("if", .object(condition))
        object.set("then", .members(["properties": .object(properties)]))
        return object
    }

    private static func schema(
        of name: String, in section: [(name: String, SettingsListing)]
    ) -> JSONObject? {
        section.first { $0.name == name }.map { object(of: $0.1) }
    }

    // MARK: - Keys

    private static func property(_ key: SettingsKey) -> JSONObject {
        var object = JSONObject()
        let unit = key.unit.map { " (\($0))" } ?? ""
        let condition = key.condition.map { "; only with \($0)" } ?? ""
        object.set("description", .text(key.summary + unit + condition))
        limit(key.domain, in: &object)
        object.set("x-unit", key.unit.map { .text($0) })
        switch key.fallback {
        case .required, .none: break
        case .value(let yaml): object.set("default", SettingsJSON.value(yaml, of: key.domain))
        }
        return object
    }

    /// Every key may be `null`, which takes back what an earlier file says.
    private static func limit(_ domain: SettingsDomain, in object: inout JSONObject) {
        switch domain {
        case .text: object.set("type", .texts(["string", "null"]))
        case .texts:
            object.set("type", .texts(["array", "null"]))
            object.set("items", .members(["type": .text("string")]))
            object.set("uniqueItems", .bool(true))
        case .choice(let words):
            // Some tools write YAML's `on` as `true`.
            let isSwitch = words == OnOff.allCases.map(\.rawValue)
            let others: [JSONValue] = isSwitch ? [.bool(true), .bool(false), .null] : [.null]
            object.set("enum", .array(words.map { .text($0) } + others))
        case .flag: object.set("type", .texts(["boolean", "null"]))
        case .integer(let range):
            object.set("type", .texts(["integer", "null"]))
            object.set("minimum", .integer(range.lowerBound))
            object.set("maximum", .integer(range.upperBound))
        case .number(let range):
            object.set("type", .texts(["number", "null"]))
            object.set("minimum", .number(range.lowerBound))
            object.set("maximum", .number(range.upperBound))
        case .decimal(let bounds, let decimals):
            object.set("type", .texts([decimals == 0 ? "integer" : "number", "null"]))
            object.set(
                bounds.excludesLowest ? "exclusiveMinimum" : "minimum", .integer(bounds.lowest))
            object.set("maximum", .integer(bounds.highest))
        case .day:
            object.set("type", .texts(["string", "null"]))
            object.set("format", .text("date"))
        case .duration:
            object.set("type", .texts(["string", "null"]))
            object.set("pattern", .text("^[0-9]+(ms|s|m|h|d)$"))
        case .secret: object.set("enum", .array([.text(Secret.mask), .null]))
        }
    }
}
