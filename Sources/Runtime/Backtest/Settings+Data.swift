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
        var source = DataSource(path: backtest.data.path.resolved, calendar: backtest.calendar)
        source.symbols = symbols ?? tradedSymbols
        source.basis = backtest.data.basis
        source.stamp = backtest.data.stamp
        source.zone = backtest.data.zone
        source.barSize = backtest.data.barSize
        do throws(DataError) {
            let kind: DataKind
            if let given = backtest.data.kind {
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
