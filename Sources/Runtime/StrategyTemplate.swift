import Foundation
import MarketState
import Primitives
import Reporting
import Signals

/// A package with one strategy, its test, data and a configuration, to begin a strategy of one's
/// own with: what `martlet strategy new` writes. It builds, tests and backtests as it stands.
package struct StrategyTemplate: Sendable {
    /// The name in its various spellings.
    let name: Name
    /// The line of a manifest that names this repository, and the name it goes by there.
    let dependency: Dependency

    /// A strategy's name: `BuyTheDip` as a type, `buy_the_dip` in configurations.
    struct Name: Sendable {
        let type: String
        let key: String
        /// `buy-the-dip`, the program's.
        var program: String { key.replacingOccurrences(of: "_", with: "-") }
    }

    /// Where the package finds this repository.
    struct Dependency: Sendable {
        let declaration: String
        let identity: String
    }

    /// A template.
    ///
    /// - Parameters:
    ///   - name: `BuyTheDip` or `buy_the_dip`.
    ///   - repository: this repository's folder or URL; `nil` for the working directory, if it is this
    ///     repository's.
    /// - Throws: when the name cannot be one, is taken, or the repository is not found.
    package init(name: String, repository: String?) throws(RunFailure) {
        self.name = try Self.name(from: name)
        dependency = try Self.dependency(on: repository)
    }

    /// Writes the package.
    ///
    /// - Parameter folder: where to; `nil` for one of the strategy's name in the working directory. It must
    ///   not exist, or be empty.
    /// - Returns: the folder.
    package func write(into folder: String?) throws(RunFailure) -> String {
        let root = folder ?? name.type
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard names.isEmpty else {
            throw .file("\(root): holds files already. Choose another folder with --output.")
        }
        do {
            for file in files {
                let url = URL(fileURLWithPath: root).appendingPathComponent(file.path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: url)
            }
        } catch {
            throw .file("cannot write \(root): \((error as NSError).localizedDescription)")
        }
        return root
    }

    /// What to do next, for the terminal.
    package func nextSteps(in folder: String) -> String {
        """
        Wrote \(folder): Sources/\(name.type)/\(name.type).swift is the strategy.

            cd \(folder)
            swift test
            swift run \(name.program) backtest --config backtest.yaml

        The first build takes some minutes.
        """
    }

    /// Where it was written, as one JSON object.
    package static func json(folder: String) -> String {
        var object = JSONObject()
        object.set("output", .text(folder))
        return object.compact()
    }

    // MARK: Names

    /// Modules a package that uses this one cannot have of its own.
    private static let modules: Set = [
        "Accounting", "ArgumentParser", "Catalog", "Foundation", "MarketState",
        "MartletProgram", "Model", "Orders", "Primitives", "Reporting", "Risk", "Run", "Runtime",
        "Signals", "Simulation", "Strategies", "Strategy", "Swift", "Testing", "TradingEngine",
        "Yams",
    ]

    private static func name(from text: String) throws(RunFailure) -> Name {
        let isKey = text.contains("_") || text.first?.isLowercase == true
        let type =
            isKey
            ? text.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            : text
        guard text.utf8.count <= 50, type.first?.isASCII == true, type.first?.isLetter == true,
            text.utf8.allSatisfy({ isLetterOrDigit($0) || (isKey && $0 == UInt8(ascii: "_")) })
        else {
            throw .usage(
                "'\(text.printable)' cannot be a strategy's name: give one such as BuyTheDip, of ASCII "
                    + "letters and digits, at most 50.")
        }
        let key = snakeCase(type)
        let taken = StrategyCatalog.declarations.map(\.name).contains(key)
        guard !taken, !modules.contains(type) else {
            throw .usage("the name \(type) is taken. Choose another.")
        }
        return Name(type: type, key: key)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return byte < 128 && (character.isLetter || character.isNumber)
    }

    /// `BuyTheDip` and `RSIDip2` as `buy_the_dip` and `rsi_dip2`: a word begins where a capital follows a
    /// small letter or digit, and where a capital before a small letter follows a capital.
    private static func snakeCase(_ type: String) -> String {
        let letters = Array(type)
        var key = ""
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase && index > 0 {
                let endsWord = !letters[index - 1].isUppercase
                let startsWord =
                    index + 1 < letters.count && letters[index + 1].isLowercase
                if endsWord || startsWord { key += "_" }
            }
            key += letter.lowercased()
        }
        return key
    }

    // MARK: The repository

    private static func dependency(on repository: String?) throws(RunFailure) -> Dependency {
        let index = repository ?? FileManager.default.currentDirectoryPath
        guard !index.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline }) else {
            throw .usage("'\(index.printable)' cannot stand in a manifest.")
        }
        if index.contains("://") || index.hasPrefix("git@") {
            let last = index.split(separator: "/").last.map(String.init) ?? index
            return Dependency(
                declaration: #".package(url: "\#(index)", branch: "main")"#,
                identity: last.hasSuffix(".git") ? String(last.dropLast(4)) : last)
        }
        let path = URL(fileURLWithPath: index).standardizedFileURL.path
        let manifest = (try? String(contentsOfFile: path + "/Package.swift", encoding: .utf8)) ?? ""
        guard manifest.contains(#"name: "martlet""#) else {
            throw .usage(
                "\(path) is not Martlet's repository. Name its folder or URL with --martlet.")
        }
        return Dependency(
            declaration: #".package(name: "martlet", path: "\#(path)")"#, identity: "martlet")
    }
}
