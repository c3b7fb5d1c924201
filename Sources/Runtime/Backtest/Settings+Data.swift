import Catalog

extension Settings {
    /// Reads the bars the settings name.
    ///
    /// - Parameters:
    ///   - symbols: whose; of those that strategies trade if not said.
    ///   - progress: told how many bytes are done, and of how many.
    func loadData(
        symbols: [String]? = nil, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
    ) throws(RunFailure) -> DataSet {
        var source = DataSource(path: backtest.data.path.resolved, calendar: backtest.calendar)
        source.symbols = symbols ?? tradedSymbols
        source.basis = backtest.data.basis
        source.stamp = backtest.data.stamp
        source.zone = backtest.data.zone
        source.barLength = backtest.data.barLength
        do throws(DataError) {
            return try DataLoader.load(source, progress: progress)
        } catch {
            throw .data(error)
        }
    }

    /// The symbols any strategy trades; none means all there are.
    private var tradedSymbols: [String] {
        let lists = strategies.map(\.symbols)
        guard !lists.contains([]) else { return trading.symbols }
        return Set(lists.flatMap(\.self)).sorted()
    }
}
