import Catalog
import Primitives
import Reporting

/// `martlet data pack`.
package struct DataPackJob: Sendable {
    private let selection: DataSelection

    /// Binary forms of files.
    package init(_ selection: DataSelection) { self.selection = selection }

    /// What was written.
    package struct Outcome: Sendable {
        fileprivate let files: [(path: String, barCount: Int, bytes: Int)]
    }

    /// Writes `SYMBOL.mbars` for each file to `folder`.
    ///
    /// - Parameter progress: receives how many files are done, and of how many.
    package func run(
        into folder: String, progress: ((Int, Int) -> Void)?
    ) throws(RunFailure) -> Outcome {
        let files = try selection.files()
        try DataTools.attempt { () throws(DataError) in try OutputFolder.make(folder) }
        var written: [(path: String, barCount: Int, bytes: Int)] = []
        for file in files {
            progress?(written.count, files.count)
            written.append(try selection.pack(file, into: folder))
        }
        return Outcome(files: written)
    }
}

extension DataPackJob.Outcome {
    /// A line a file.
    package var text: String {
        files.map { "\($0.path): \(DataTools.counted($0.barCount, "bar")), \($0.bytes) bytes" }
            .joined(separator: "\n")
    }

    /// The same as one JSON document.
    package var json: String {
        var object = JSONObject()
        let list = files.map { file -> JSONValue in
            var item = JSONObject()
            item.set("path", .text(file.path))
            item.set("rows", .integer(file.barCount))
            item.set("bytes", .integer(file.bytes))
            return .object(item)
        }
        object.set("files", .array(list))
        return object.compact()
    }
}
