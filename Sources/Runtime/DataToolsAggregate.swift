import Catalog
import Model
import Primitives
import Reporting

/// `martlet data aggregate`.
package struct DataAggregateJob: Sendable {
    private let selection: DataSelection
    private let barSize: Duration
    private let ending: String

    /// A job that makes bars of `barSize`, such as `5m`, of the selected files.
    package init(_ selection: DataSelection, barSize: String, compress: Bool) throws(RunFailure) {
        self.selection = selection
        self.barSize = try BarSizeText.read(barSize)
        ending = compress ? ".csv.gz" : ".csv"
    }

    /// What was written.
    package struct Outcome: Sendable {
        fileprivate let files: [LongerBarFiles.File]
    }

    /// Writes a file a symbol to `folder`.
    ///
    /// - Parameter progress: receives how many bytes are done, and of how many.
    package func run(
        into folder: String, progress: ((Int, Int) -> Void)?
    ) throws(RunFailure) -> Outcome {
        let files = try selection.files()
        let total = files.reduce(0) { $0 + $1.bytes }
        return try DataTools.attempt { () throws(DataError) in
            try OutputFolder.make(folder)
            var done = 0
            var written: [LongerBarFiles.File] = []
            for file in files {
                written.append(
                    try LongerBarFiles.write(
                        file, source: selection.source, barSize: barSize, to: folder, ending: ending
                    )
                )
                done += file.bytes
                progress?(done, total)
            }
            return Outcome(files: written)
        }
    }
}

extension DataAggregateJob.Outcome {
    /// A line a file.
    package var text: String {
        files.map { file in
            let left =
                file.dropped == 0
                ? "" : "; \(DataTools.counted(file.dropped, "part")) outside regular hours left out"
            return "\(file.path): \(DataTools.counted(file.barCount, "bar")) of "
                + DataTools.counted(file.partCount, "part") + left
        }.joined(separator: "\n")
    }

    /// The same as one JSON document.
    package var json: String {
        var object = JSONObject()
        let list = files.map { file -> JSONValue in
            var item = JSONObject()
            item.set("path", .text(file.path))
            item.set("rows", .integer(file.barCount))
            item.set("parts", .integer(file.partCount))
            item.set("dropped", .integer(file.dropped))
            return .object(item)
        }
        object.set("files", .array(list))
        return object.compact()
    }
}
