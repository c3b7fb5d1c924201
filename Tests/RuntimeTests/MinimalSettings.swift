import Configuration
import Model
import Runtime

/// A configuration of what must be given, and nothing else.
enum MinimalSettings {
    static func document(_ assignments: [String] = []) -> SettingsDocument {
        var document = SettingsDocument()
        let given = [
            "account.type=margin", "strategies.0.use=ma_crossover", "backtest.data.path=bars",
            "backtest.data.basis=raw",
        ]
        for assignment in given + assignments { document.merge(assignment: assignment) }
        return document
    }

    static func settings(_ assignments: [String]) throws -> Settings {
        try SettingsCheck(document(assignments)).get()
    }
}
