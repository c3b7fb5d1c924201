internal import Dispatch
internal import Primitives
internal import Synchronization

/// Reads historical bars from disk.
package enum DataLoader {
    /// Reads and checks every bar that `source` means, as many files at a time as there are
    /// processors.
    ///
    /// - Parameter progress: told how many bytes of the files are done, and of how many; from
    ///   several threads, but never from two at once, and never with fewer than before.
    /// - Throws: what is wrong with the first faulty file in symbol order.
    package static func load(
        _ source: DataSource, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
    ) throws(DataError) -> DataSet {
        try load(source, bufferBytesMax: 1 << 18, progress: progress)
    }

    /// As above, reading `bufferBytesMax` at once.
    static func load(
        _ source: DataSource, bufferBytesMax: Int,
        progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
    ) throws(DataError) -> DataSet {
        if let length = source.barLength, !BarFile.lengths.contains(length) {
            throw DataError(
                file: source.path, finding: "cannot have bars of \(length)",
                remedy: "Set backtest.data.bar_length to more than nothing and at most a year.")
        }
        let files = try DataFolder.files(of: source)
        let bytes = files.reduce(0) { $0 + $1.bytes }
        let results = Mutex(Results(count: files.count))
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            guard results.withLock({ index < $0.failedIndex }) else { return }
            let result = Result { () throws(DataError) in
                try BarFile.read(files[index], source: source, bufferBytesMax: bufferBytesMax) {
                    count in
                    results.withLock { results in
                        results.doneBytes += count
                        progress?(results.doneBytes, bytes)
                    }
                }
            }
            results.withLock { $0.record(result, at: index) }
        }
        return DataSet(
            series: try results.withLock({ $0 }).series(), basis: source.basis,
            stamp: source.stamp, calendar: source.calendar)
    }

    /// What came of the files so far.
    private struct Results {
        var doneBytes = 0
        /// The first file known to be faulty; those behind it need not be read any more.
        var failedIndex = Int.max
        private var results: [Result<BarSeries, DataError>?]

        init(count: Int) { results = Array(repeating: nil, count: count) }

        mutating func record(_ result: Result<BarSeries, DataError>, at index: Int) {
            results[index] = result
            if case .failure = result { failedIndex = min(failedIndex, index) }
        }

        /// All series, or the first error.
        func series() throws(DataError) -> [BarSeries] {
            var series: [BarSeries] = []
            for result in results {
                guard let result else {
                    preconditionFailure("each file before a faulty one was read")
                }
                series.append(try result.get())
            }
            return series
        }
    }
}
