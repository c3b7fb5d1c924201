import Configuration
import Signals

/// The settings of a grid's combinations.
///
/// Where every axis is a parameter of a strategy, each value is read once, however many combinations have
/// it: what one parameter may be does not hang on another, and whether a strategy accepts all of them
/// together is asked for each combination. Of any other grid, every combination is read as a configuration
/// of its own.
struct GridSettings: Sendable {
    private let document: SettingsDocument
    private let grid: ParameterGrid
    /// Of the combination with each axis's first value, whether or not its strategies accept it.
    private let start: Settings
    /// By axis, what its values set; `nil` where combinations are read whole.
    private let changes: [[Change]]?

    /// What a value of an axis sets.
    private struct Change: Sendable {
        let strategy: Int
        let parameter: String
        let value: ParameterValue
    }

    /// What a combination stands for.
    enum Combination: Sendable {
        /// A run with these settings, in which these strategies trade.
        case run(Settings, [StrategySettings])
        /// None, as a strategy refuses its parameters together; why.
        case refused(SettingsProblem)
    }

    /// Throws when a value is no valid setting.
    init(_ document: SettingsDocument, over grid: ParameterGrid) throws(RunFailure) {
        self.document = document
        self.grid = grid
        let check = SettingsCheck(Self.document(document, with: grid.indices(of: 0), of: grid))
        guard let start = check.readable else {
            throw .settings(SettingsProblems(check.problems))
        }
        self.start = start
        changes = try Self.changes(document, grid)
    }

    /// The settings of the first combination that strategies accept, as a configuration says them. Throws
    /// when they refuse all.
    func first() throws(RunFailure) -> Settings {
        var accepted: Int?
        for number in 0..<grid.count where accepted == nil {
            if case .run = try combination(number) { accepted = number }
        }
        // Without one, the first says why it is refused.
        let indices = grid.indices(of: accepted ?? 0)
        return try SettingsCheck(Self.document(document, with: indices, of: grid)).get()
    }

    /// Throws when a combination that is read whole is no valid configuration.
    ///
    /// - Parameter number: from 0, below the grid's count.
    func combination(_ number: Int) throws(RunFailure) -> Combination {
        let indices = grid.indices(of: number)
        guard let changes else { return try readCombination(indices) }
        var strategies = start.strategies
        do throws(ParameterError) {
            for (values, slot) in zip(changes, indices) {
                let change = values[slot]
                try strategies[change.strategy].set(change.parameter, to: change.value)
            }
        } catch {
            throw .defect("a parameter was read and then refused: \(error)")
        }
        for (index, strategy) in strategies.enumerated() {
            guard let problem = SettingsCheck.conflict(strategy, at: index, in: document) else {
                continue
            }
            return .refused(problem)
        }
        return .run(start, strategies)
    }

    private func readCombination(_ indices: [Int]) throws(RunFailure) -> Combination {
        let check = SettingsCheck(Self.document(document, with: indices, of: grid))
        if let settings = check.settings { return .run(settings, settings.strategies) }
        guard check.readable != nil, let problem = check.problems.first else {
            throw .settings(SettingsProblems(check.problems))
        }
        return .refused(problem)
    }

    /// Reads each value with the first ones of the other axes.
    private static func changes(
        _ document: SettingsDocument, _ grid: ParameterGrid
    ) throws(RunFailure) -> [[Change]]? {
        var changes: [[Change]] = []
        for (index, axis) in grid.axes.enumerated() {
            guard let (strategy, parameter) = StrategySettings.parameter(at: axis.path) else {
                return nil
            }
            var values: [Change] = []
            for slot in axis.values.indices {
                var indices = grid.indices(of: 0)
                indices[index] = slot
                let check = SettingsCheck(self.document(document, with: indices, of: grid))
                guard let settings = check.readable else {
                    throw .settings(SettingsProblems(check.problems))
                }
                let read = settings.strategies[strategy].parameters.all
                guard let value = read.first(where: { $0.declaration.name == parameter })?.value
                else { return nil }
                values.append(Change(strategy: strategy, parameter: parameter, value: value))
            }
            changes.append(values)
        }
        return changes
    }

    private static func document(
        _ document: SettingsDocument, with indices: [Int], of grid: ParameterGrid
    ) -> SettingsDocument {
        var document = document
        for (axis, index) in zip(grid.axes, indices) {
            document.merge(assignment: "\(axis.path)=\(axis.values[index])", flag: "--grid")
        }
        return document
    }
}
