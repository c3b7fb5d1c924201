package import Primitives

/// The configuration in force as JSON, for programs.
package enum SettingsJSON {
    /// `settings` nested as in a file, and `origins`: where each key was written, by its path.
    package static func object(of listing: SettingsListing) -> JSONObject {
        var origins = JSONObject()
        collect(listing, at: "", into: &origins)
        var object = JSONObject()
        object.set("settings", value(of: listing))
        object.set("origins", .object(origins))
        return object
    }

    /// A value as JSON, from the YAML that a listing or a declaration has of it.
    static func value(_ yaml: String, of domain: SettingsDomain) -> JSONValue {
        switch domain {
        case .integer, .number, .decimal, .flag: .number(yaml)
        case .text, .texts, .choice, .day, .duration, .secret: text(yaml)
        }
    }

    private static func value(of listing: SettingsListing) -> JSONValue? {
        switch listing {
        case .value(let key, let yaml, _): yaml.map { value($0, of: key.domain) } ?? .null
        case .unused: nil
        case .list(let elements):
            .array(listing.isAbsent ? [] : elements.compactMap(value(of:)))
        case .section(let entries):
            .object(
                entries.reduce(into: JSONObject()) { object, entry in
                    object.set(entry.name, value(of: entry.1))
                })
        }
    }

    private static func collect(
        _ listing: SettingsListing, at path: String, into origins: inout JSONObject
    ) {
        func inner(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        switch listing {
        case .value(_, _, let origin): origins.set(path, .text(origin?.description ?? "default"))
        case .unused: break
        case .list(let elements):
            for (index, element) in elements.enumerated() {
                collect(element, at: inner("\(index)"), into: &origins)
            }
        case .section(let entries):
            for (name, listing) in entries { collect(listing, at: inner(name), into: &origins) }
        }
    }

    private static func text(_ yaml: String) -> JSONValue {
        do throws(SettingsProblem) {
            return json(try SettingsParser.parse(value: yaml, at: SettingsOrigin(.flag(""))))
        } catch {
            preconditionFailure("a value we wrote can be read")
        }
    }

    private static func json(_ node: SettingsNode) -> JSONValue {
        switch node.content {
        case .nothing: .null
        case .text(let text): .text(text)
        case .list(let elements): .array(elements.map(json))
        case .section: preconditionFailure("no single value is a section")
        }
    }
}
