import Catalog
import Configuration
import Model

extension Settings {
    /// Reads the bars, or the quotes and trades, that the settings name.
    ///
    /// - Parameters:
    ///   - symbols: whose; those that strategies trade if not given.
    ///   - progress: receives how many bytes are done, and of how many.
    func loadData(
        symbols: [String]? = nil, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
    ) throws(RunFailure) -> RunData {
        guard let data = backtest.data else {
            throw .settings(
                SettingsProblems([
                    SettingsProblem(
                        at: nil, "backtest.data.path", found: "missing",
                        allowed: "the path of a file or folder",
                        advice: "A backtest needs it, and backtest.data.basis; a session does not.")
                ]))
        }
        var source = DataSource(path: data.path.resolved, calendar: backtest.calendar)
        source.symbols = symbols ?? tradedSymbols
        source.basis = data.basis
        source.stamp = data.stamp
        source.zone = data.zone
        source.barSize = data.barSize
        do throws(DataError) {
            let kind: DataKind
            if let given = data.kind {
                kind = given
            } else {
                kind = try DataLoader.kind(of: source)
            }
            switch kind {
            case .bars: return .bars(try DataLoader.load(source, progress: progress))
            case .ticks: return .ticks(try DataLoader.loadTicks(source, progress: progress))
            }
        } catch {
            throw .data(error)
        }
    }

    /// The symbols any strategy trades; none means all there are.
    private var tradedSymbols: [String] {
        let lists = active.map(\.symbols)
        guard !lists.contains([]) else { return trading.symbols }
        return Set(lists.flatMap(\.self)).sorted()
    }
}
