import Catalog

extension Settings {
    /// Reads the bars the settings name.
    ///
    /// - Parameter progress: told how many bytes are done, and of how many.
    func loadData(
        progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
    ) throws(RunFailure) -> DataSet {
        var source = DataSource(path: backtest.data.path.resolved, calendar: backtest.calendar)
        source.symbols = symbols
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
    private var symbols: [String] {
        let lists = strategies.map(\.symbols)
        guard !lists.contains([]) else { return trading.symbols }
        return Set(lists.flatMap(\.self)).sorted()
    }
}
