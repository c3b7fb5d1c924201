package import Configuration
import Primitives
import Reporting
import Signals
import Strategies

/// A configuration from its documents to settings that a run can use, or everything that is wrong.
package struct SettingsCheck: Sendable {
    /// The settings, if nothing is wrong.
    package let settings: Settings?
    /// What is wrong.
    package let problems: [SettingsProblem]
    /// The settings, if each key by itself is right, whether or not strategies accept their parameters
    /// together.
    let readable: Settings?
    /// The remarks about older names, in one line for each name.
    package let notices: [String]
    /// Keys that were given and that nothing reads, a sentence each.
    package let unread: [String]
    /// What trading is for, by a configuration that may be wrong elsewhere.
    package let mode: TradingMode
    private let listing: SettingsListing
    private let ibkr: GatewaySettings

    /// Reads a document, and asks every strategy whether it accepts its parameters together.
    package init(_ document: SettingsDocument) {
        let inspection = Settings.inspect(document, strategies: StrategyCatalog.declarations)
        let read = inspection.settings
        var problems = inspection.problems
        let isReadable = problems.isEmpty
        if isReadable {
            problems = read.strategies.indices.compactMap { index in
                Self.conflict(read.strategies[index], at: index, in: document)
            }
        }
        settings = problems.isEmpty ? read : nil
        self.problems = problems
        readable = isReadable ? read : nil
        notices = inspection.notices
        unread = inspection.unread
        listing = inspection.listing
        ibkr = read.ibkr
        mode = read.trading.mode
    }

    /// What section `ibkr` says, for commands that only look at a gateway: strategies may be missing.
    package func gateway() throws(RunFailure) -> GatewaySettings {
        let sections = ["ibkr", "trading"]
        let wrong = problems.filter { problem in
            problem.path.isEmpty
                || sections.contains { problem.path == $0 || problem.path.hasPrefix($0 + ".") }
        }
        guard wrong.isEmpty else { throw .settings(SettingsProblems(wrong)) }
        return ibkr
    }

    /// The mode, if a file of the configuration says it: no variable and no option.
    package var fileMode: TradingMode? {
        guard let (text, origin) = listing.value(at: "trading.mode"), case .file = origin.source
        else { return nil }
        return TradingMode(rawValue: text)
    }

    /// The settings of a valid configuration.
    package func get() throws(RunFailure) -> Settings {
        guard let settings else { throw .settings(SettingsProblems(problems)) }
        return settings
    }

    /// A sentence for a valid configuration.
    package var text: String {
        guard let settings else { return "" }
        let strategies = settings.strategies.map { "\($0.name) (\($0.use))" }
        return "The configuration is valid: \(strategies.joined(separator: ", "))."
    }

    /// Whether it is valid, and the problems, as one JSON object.
    package var json: String {
        var object = JSONObject()
        object.set("valid", .bool(problems.isEmpty))
        object.set(
            "problems",
            .array(
                SettingsProblems(problems).all.map { problem in
                    var entry = JSONObject()
                    entry.set("origin", problem.origin.map { .text("\($0)") })
                    entry.set("path", .text(problem.path))
                    entry.set("found", .text(problem.found))
                    entry.set("allowed", problem.allowed.map { .text($0) })
                    entry.set("advice", problem.advice.map { .text($0) })
                    return .object(entry)
                }))
        object.set("unread", .array(unread.map { .text($0) }))
        return object.compact()
    }

    /// The configuration in force as YAML, with the origin of each value behind it.
    package var listingText: String { SettingsText.annotated(listing) }

    /// The same as one JSON object: `settings`, and `origins` by path.
    package var listingJSON: String { SettingsJSON.object(of: listing).compact() }

    /// What a strategy refuses in its parameters together; `nil` when it accepts them.
    ///
    /// - Parameter index: its place in the document's list.
    static func conflict(
        _ chosen: StrategySettings, at index: Int, in document: SettingsDocument
    ) -> SettingsProblem? {
        guard let type = StrategyCatalog.types.first(where: { $0.declaration.name == chosen.use })
        else { return nil }
        do throws(ParameterError) {
            _ = try type.init(StrategySetup(instruments: [], parameters: chosen.parameters))
            return nil
        } catch {
            return SettingsProblem(
                at: document.origin(ofStrategy: index), "strategies.\(index).parameters",
                found: "\(error)")
        }
    }
}
