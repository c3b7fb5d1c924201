import Catalog

extension DataError {
    /// The same for a command that reads no configuration.
    ///
    /// - Parameters:
    ///   - remedy: what to do there.
    ///   - settings: the settings of `backtest.data` in whose place that is; errors whose remedy names none of
    ///     them stay as they are.
    func remedied(_ remedy: String, insteadOf settings: [String]) -> DataError {
        guard settings.contains(where: { self.remedy.contains("backtest.data.\($0)") }) else {
            return self
        }
        var error = self
        error.remedy = remedy
        return error
    }
}
