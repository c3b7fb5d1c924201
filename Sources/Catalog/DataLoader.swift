internal import Dispatch
package import Model
internal import Primitives
internal import Synchronization

/// Reads historical bars, or quotes and trades, from disk.
package enum DataLoader {
    /// Reads and checks every bar that `source` means, as many files at a time as there are
    /// processors.
    ///
    /// - Parameter progress: receives how many bytes of the files are done, and of how many; from
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
        if let barSize = source.barSize, !BarFile.lengths.contains(barSize) {
            throw DataError(
                file: source.path, finding: "cannot have bars of \(barSize)",
                remedy: "Set backtest.data.bar_size to more than nothing and at most a year.")
        }
        let series = try all(source, progress) { (file, progress) throws(DataError) in
            try BarFile.read(
                file, source: source, bufferBytesMax: bufferBytesMax, progress: progress)
        }
        return DataSet(
            series: series, basis: source.basis, stamp: source.stamp, calendar: source.calendar)
    }

    /// Reads and checks all quotes and trades that `source` means, likewise.
    package static func loadTicks(
        _ source: DataSource, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
    ) throws(DataError) -> TickSet {
        try loadTicks(source, bufferBytesMax: 1 << 18, progress: progress)
    }

    /// As above, reading `bufferBytesMax` at once.
    static func loadTicks(
        _ source: DataSource, bufferBytesMax: Int,
        progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
    ) throws(DataError) -> TickSet {
        let series = try all(source, progress) { (file, progress) throws(DataError) in
            try TickFile.read(
                file, source: source, bufferBytesMax: bufferBytesMax, progress: progress)
        }
        return TickSet(series: series, basis: source.basis, calendar: source.calendar)
    }

    /// What the files of `source` hold, by the header of the first in symbol order. Files of the other
    /// kind beside it are refused when they are read.
    package static func kind(of source: DataSource) throws(DataError) -> DataKind {
        guard let first = try DataFolder.files(of: source).first else { return .bars }
        return try TickFile.kind(of: first)
    }

    /// What `read` makes of each file, in symbol order.
    private static func all<Series: Sendable>(
        _ source: DataSource, _ progress: (@Sendable (_ done: Int, _ of: Int) -> Void)?,
        _ read: @Sendable (DataFolder.File, (Int) -> Void) throws(DataError) -> Series
    ) throws(DataError) -> [Series] {
        let files = try DataFolder.files(of: source)
        let bytes = files.reduce(0) { $0 + $1.bytes }
        let results = Mutex(Results<Series>(count: files.count))
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            guard results.withLock({ index < $0.failedIndex }) else { return }
            let result = Result { () throws(DataError) in
                try read(files[index]) { count in
                    results.withLock { results in
                        results.doneBytes += count
                        progress?(results.doneBytes, bytes)
                    }
                }
            }
            results.withLock { $0.record(result, at: index) }
        }
        return try results.withLock({ $0 }).series()
    }

    /// What came of the files so far.
    private struct Results<Series: Sendable> {
        var doneBytes = 0
        /// The first file known to be faulty; those behind it need not be read any more.
        var failedIndex = Int.max
        private var results: [Result<Series, DataError>?]

        init(count: Int) { results = Array(repeating: nil, count: count) }

        mutating func record(_ result: Result<Series, DataError>, at index: Int) {
            results[index] = result
            if case .failure = result { failedIndex = min(failedIndex, index) }
        }

        /// All series, or the first error.
        func series() throws(DataError) -> [Series] {
            var series: [Series] = []
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
