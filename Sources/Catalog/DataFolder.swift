internal import Glibc
import Model

/// Finds the bar files a `DataSource` means.
package enum DataFolder {
    /// A bar file and whose bars it holds.
    package struct File: Equatable, Sendable {
        /// The ticker, upper case.
        package let symbol: String
        /// Where it is.
        package let path: String
        /// Its size.
        package let bytes: Int
    }

    /// The files `source` asks for, one a symbol, sorted by symbol; at least one.
    ///
    /// - Parameter areSymbols: whether files are named by symbols, as bar files are.
    package static func files(
        of source: DataSource, areSymbols: Bool = true
    ) throws(DataError) -> [File] {
        let files = try selected(by: source)
        if areSymbols, let odd = files.first(where: { !SymbolName.isAllowed($0.symbol) }) {
            throw DataError(
                file: odd.path, finding: "has a name that is no symbol",
                remedy: "Rename it by \(SymbolName.rule), or take it out of the folder.")
        }
        return files
    }

    private static func selected(by source: DataSource) throws(DataError) -> [File] {
        let path = source.path
        guard let status = status(of: path) else {
            throw DataError(
                file: path, finding: "could not be found: \(String(cString: strerror(errno)))",
                remedy:
                    "Set backtest.data.path to a folder of SYMBOL.csv files or to one such file.")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            guard let file = file(path: path, name: name) else {
                throw DataError(
                    file: path, finding: "is no bar file",
                    remedy:
                        "Set backtest.data.path to a folder or to a SYMBOL.csv or SYMBOL.csv.gz.")
            }
            return try select(source.symbols, from: [file], in: path)
        }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        let files = try names(in: path).compactMap { file(path: prefix + $0, name: $0) }
        guard !files.isEmpty else {
            throw DataError(
                file: path, finding: "holds no SYMBOL.csv or SYMBOL.csv.gz file",
                remedy: "Set backtest.data.path to the folder that does.")
        }
        return try select(source.symbols, from: files, in: path)
    }

    /// The symbols nearest to `symbol` in spelling, nearest first.
    static func nearest(to symbol: String, among symbols: [String], count: Int) -> [String] {
        let ranked = symbols.map { (distance(symbol, $0), $0) }.sorted { $0 < $1 }
        return ranked.prefix(count).map(\.1)
    }

    private static func select(
        _ symbols: [String], from files: [File], in path: String
    ) throws(DataError) -> [File] {
        let found = Dictionary(grouping: files, by: \.symbol)
        let requested = symbols.isEmpty ? Array(found.keys) : symbols.map { $0.uppercased() }
        var selected: [File] = []
        for symbol in Set(requested).sorted() {
            guard let matches = found[symbol], let file = matches.first else {
                let nearest = nearest(to: symbol, among: found.keys.sorted(), count: 3)
                throw DataError(
                    file: path, finding: "holds no file for \(DataError.quoted(symbol))",
                    remedy: "The nearest of its \(found.count) symbols: "
                        + nearest.joined(separator: ", ") + ".")
            }
            guard matches.count == 1 else {
                let paths = matches.map(\.path).sorted().joined(separator: " and ")
                throw DataError(
                    file: path, finding: "holds \(symbol) more than once: \(paths)",
                    remedy: "Keep one of them.")
            }
            selected.append(file)
        }
        return selected
    }

    /// The file at `path` if its name and kind are those of a bar file.
    private static func file(path: String, name: String) -> File? {
        let name = name.uppercased()
        guard !name.hasPrefix("."),
            let ending = [".CSV", ".CSV.GZ", ".MBARS"].first(where: name.hasSuffix),
            let status = status(of: path), status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return File(
            symbol: String(name.dropLast(ending.count)), path: path, bytes: Int(status.st_size))
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func names(in path: String) throws(DataError) -> [String] {
        guard let folder = opendir(path) else {
            throw DataError(
                file: path, finding: "could not be opened: \(String(cString: strerror(errno)))",
                remedy: "Check its permissions.")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    /// How many letters must be put in, left out or replaced to get from one word to the other.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (taken, letter) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = taken + 1
            for index in right.indices {
                let replaced = diagonal + (letter == right[index] ? 0 : 1)
                diagonal = row[index + 1]
                row[index + 1] = min(replaced, row[index] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
