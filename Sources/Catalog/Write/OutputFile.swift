internal import CZlib
internal import Glibc
internal import Model

/// A new data file that is being written, packed when its name ends with `.gz`.
///
/// It appears under its name when it is finished; one that is left unfinished is removed. No file that is
/// there already is written over.
package struct OutputFile: ~Copyable {
    /// Where it will be.
    package let path: String

    private let unfinishedPath: String
    private let handle: gzFile
    private var buffer: [UInt8] = []
    private var isFinished = false

    private static let blockBytes = 1 << 16

    /// An empty file that is to be called `path`.
    package init(path: String) throws(DataError) {
        self.path = path
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let name = path.dropFirst(folder.count)
        unfinishedPath = "\(folder).\(name).unfinished"
        guard access(path, F_OK) != 0 else {
            throw DataError(
                file: path, finding: "is there already",
                remedy: "Remove it, or choose another folder with --output.")
        }
        // "T" writes without packing. Six is zlib's usual balance.
        guard let handle = gzopen(unfinishedPath, path.hasSuffix(".gz") ? "wb6" : "wbT") else {
            throw Self.failure(path)
        }
        self.handle = handle
        buffer.reserveCapacity(Self.blockBytes + 1_024)
    }

    deinit {
        guard !isFinished else { return }
        gzclose(handle)
        unlink(unfinishedPath)
    }

    /// Writes behind what is there.
    mutating func write(_ bytes: some Collection<UInt8>) throws(DataError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.blockBytes { try flush() }
    }

    /// Writes a text in UTF-8 behind what is there.
    package mutating func write(_ text: String) throws(DataError) { try write(text.utf8) }

    /// Gives the file its name.
    package consuming func finish() throws(DataError) {
        try flush()
        isFinished = true
        let code = gzclose(handle)
        guard code == Z_OK, rename(unfinishedPath, path) == 0 else {
            let failure = Self.failure(path)
            unlink(unfinishedPath)
            throw failure
        }
    }

    private mutating func flush() throws(DataError) {
        guard !buffer.isEmpty else { return }
        let count = buffer.withUnsafeBytes { gzwrite(handle, $0.baseAddress, UInt32($0.count)) }
        guard count == buffer.count else { throw Self.failure(path) }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func failure(_ path: String) -> DataError {
        DataError(
            file: path, finding: "could not be written: \(String(cString: strerror(errno)))",
            remedy: "Check the folder's permissions and the disk, or choose another with --output.")
    }
}

/// A folder for new data files.
package enum OutputFolder {
    /// Makes the folder, and those above it, if it is not there.
    package static func make(_ path: String) throws(DataError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part + "/"
            guard mkdir(made, 0o777) != 0, errno != EEXIST else { continue }
            throw DataError(
                file: path, finding: "could not be created: \(String(cString: strerror(errno)))",
                remedy: "Choose another folder with --output.")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw DataError(
                file: path, finding: "is no folder",
                remedy: "Choose another folder with --output.")
        }
    }

    /// The path of a file in a folder.
    package static func path(_ name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// Whether a symbol can be a file's name as it is.
    package static func isFileName(_ symbol: String) -> Bool {
        let signs = Array("._-".utf8)
        return !symbol.isEmpty && symbol.utf8.count <= SymbolName.lengthMax && symbol.first != "."
            && symbol.utf8.allSatisfy { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || signs.contains(byte)
            }
    }
}
