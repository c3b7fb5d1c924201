import Configuration
import Primitives
import Reporting
package import Signals
import Strategies
import Synchronization

/// What `martlet strategy` prints about the strategies there are.
package enum StrategyCatalog {
    /// Added to before anything reads it, and never again: a run sees one catalog.
    private static let known = Mutex<[any Strategy.Type]>(BundledStrategies.all)

    /// Strategies of the present task alone, behind the others: tests bring their own.
    @TaskLocal package static var local: [any Strategy.Type] = []

    /// Every strategy a configuration may use: the bundled ones, then those that were added.
    package static var types: [any Strategy.Type] { known.withLock { $0 } + local }

    /// How they present themselves.
    package static var declarations: [StrategyDeclaration] { types.map { $0.declaration } }

    /// Adds strategies at the program's start. Throws when a name is there already.
    package static func add(_ strategies: [any Strategy.Type]) throws(RunFailure) {
        for type in strategies {
            let name = type.declaration.name
            guard !declarations.contains(where: { $0.name == name }) else {
                throw .usage("there are two strategies named '\(name.printable)'")
            }
            known.withLock { $0.append(type) }
        }
    }

    /// The strategy of that name.
    package static func type(named name: String) throws(RunFailure) -> any Strategy.Type {
        if let found = types.first(where: { $0.declaration.name == name }) { return found }
        let names = declarations.map(\.name)
        throw .usage(
            "there is no strategy '\(name.printable)'. "
                + SettingsSuggestion.sentence(for: name, among: names))
    }

    /// A line a strategy.
    package static var listText: String {
        let width = declarations.map(\.name.count).max() ?? 0
        let lines = declarations.map { declaration in
            declaration.name + String(repeating: " ", count: width - declaration.name.count + 2)
                + declaration.summary
        }
        return lines.joined(separator: "\n")
    }

    /// The same as a JSON array.
    package static var listJSON: String {
        var list = JSONObject()
        list.set("strategies", .array(types.map { .object(Self.object(of: $0)) }))
        return list.compact()
    }

    /// A strategy's purpose and parameters, and whether its state is saved.
    package static func text(of type: any Strategy.Type) -> String {
        let declaration = type.declaration
        var lines = ["\(declaration.name): \(declaration.summary)"]
        for parameter in declaration.parameters {
            let unit = parameter.unit.map { " \($0)" } ?? ""
            lines += [
                "", "  \(parameter.name): \(parameter.summary)",
                "    \(parameter.allowed)\(unit), default \(parameter.defaultValue)",
            ]
        }
        lines.append("")
        switch StrategyState.saving(of: type) {
        case .saved: lines.append("state: saved between sessions")
        case .notCodable: lines.append("state: not saved, warms up again")
        case .refused(let error): lines.append("state: not saved, warms up again: \(error)")
        }
        return lines.joined(separator: "\n")
    }

    /// The same in JSON.
    package static func json(of type: any Strategy.Type) -> String { object(of: type).compact() }

    private static func object(of type: any Strategy.Type) -> JSONObject {
        let declaration = type.declaration
        var object = JSONObject()
        object.set("name", .text(declaration.name))
        object.set("summary", .text(declaration.summary))
        object.set(
            "parameters", .array(declaration.parameters.map { .object(Self.object(of: $0)) }))
        let saving = StrategyState.saving(of: type)
        object.set("state_saved", .bool(saving == .saved))
        if case .refused(let error) = saving { object.set("state_refused", .text("\(error)")) }
        return object
    }

    private static func object(of parameter: ParameterDeclaration) -> JSONObject {
        var object = JSONObject()
        object.set("name", .text(parameter.name))
        object.set("summary", .text(parameter.summary))
        object.set("unit", parameter.unit.map { .text($0) })
        object.set("allowed", .text(parameter.allowed))
        let value: JSONValue? =
            switch parameter.defaultValue {
            case .integer(let number): .integer(number)
            case .number(let number): .number(number)
            case .choice(let word): .text(word)
            }
        object.set("default", value)
        return object
    }
}
