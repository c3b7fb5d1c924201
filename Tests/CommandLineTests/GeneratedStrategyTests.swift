import Foundation
import Testing

/// What `martlet strategy new` writes is compiled against the modules as they were built with these tests, and
/// run: a change that breaks it shows here, and not in the first minute of a newcomer.
@Suite struct GeneratedStrategyTests {
    private let package: GeneratedPackage

    init() throws { package = try GeneratedPackage("BuyTheDip") }

    @Test func theTemplateCompilesAndItsTestPasses() throws {
        try package.compileStrategy()
        try package.write(
            """
            import Testing

            @main struct Runner {
                static func main() async { await Testing.__swiftPMEntryPoint() as Never }
            }
            """, to: "Runner.swift")
        try package.compile(
            ["-parse-as-library", "Tests/BuyTheDipTests/BuyTheDipTests.swift", "Runner.swift"],
            with: try package.objects(of: ["Primitives", "Model", "MarketState", "Signals"]),
            as: "tests")
        let run = try package.run("./tests")
        #expect(run.status == 0, "\(run.errors)")
        #expect((run.output + run.errors).contains("1 test in 1 suite passed"))
    }

    @Test func theTemplatesConfigurationRunsItsStrategy() throws {
        try package.compileStrategy()
        try package.compile(
            ["Sources/Run/main.swift"], with: try package.objectsOfTheProgram(), as: "program")
        let shown = try package.run("./program", "strategy", "show", "buy_the_dip")
        #expect(shown.output.contains("threshold_pct"), "\(shown.errors)")
        #expect(shown.output.contains("state: saved between sessions"))
        let run = try package.run(
            "./program", "backtest", "--config", "backtest.yaml", "--json", "-o", "out")
        #expect(run.status == 0, "\(run.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(object?["strategies"] as? [String] == ["buy_the_dip"])
        #expect((object?["round_trips"] as? Int ?? 0) > 10)
    }
}

/// A package that the built program has just written.
private struct GeneratedPackage {
    private let folder: URL
    /// The folder of what was built with these tests.
    private let build: URL
    private let name: String

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Run {
        let status: Int32
        let output: String
        let errors: String
    }

    private static let repository = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    init(_ name: String) throws {
        self.name = name
        build = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let program = try BuiltProgram()
        folder = program.folder.appending(path: name)
        let run = try program.run("strategy", "new", name, "--martlet", Self.repository.path)
        guard run.status == 0 else { throw Failure(description: run.errors) }
    }

    func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: file))
    }

    /// Compiles the strategy to a module and an object file of its own.
    func compileStrategy() throws {
        try swiftc([
            "-parse-as-library", "-wmo", "-module-name", name, "-emit-module",
            "-emit-module-path", "\(name).swiftmodule", "-emit-object", "-o", "\(name).o",
            "Sources/\(name)/\(name).swift",
        ])
    }

    /// Compiles sources that import the strategy, and links them to a program.
    func compile(_ sources: [String], with objects: [String], as program: String) throws {
        try swiftc(
            try includes() + ["-I", ".", "-o", program] + sources + ["\(name).o"] + objects
                + ["-lm", "-lz", "-lstdc++"])
    }

    /// The object files of some modules.
    func objects(of modules: [String]) throws -> [String] {
        try modules.flatMap { module in
            let folder = build.appending(path: module + ".build").path
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".o") }.sorted().map { "\(folder)/\($0)" }
        }
    }

    /// The object files of the whole program, without its own first lines.
    func objectsOfTheProgram() throws -> [String] {
        let list = build.appending(path: "martlet.product/Objects.LinkFileList")
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\""))
        }.filter { !$0.contains("/martlet.build/") }
    }

    /// Where the C modules are described that the modules and their packages use.
    private func includes() throws -> [String] {
        let packages = build.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "checkouts")
        let names =
            FileManager.default.enumerator(atPath: packages.path)?
            .compactMap { $0 as? String } ?? []
        let maps = names.filter { $0.contains("/Sources/") && $0.hasSuffix("/module.modulemap") }
        guard !maps.isEmpty else {
            throw Failure(description: "no module maps below \(packages.path)")
        }
        let ours = ["CCrypto", "CLinux", "CZlib"].map {
            Self.repository.appending(path: "Sources/\($0)").path
        }
        let theirs = maps.sorted().map {
            packages.appending(path: $0).deletingLastPathComponent().path
        }
        // The package manager describes C modules itself that bring no map along.
        let made = try FileManager.default.contentsOfDirectory(atPath: build.path)
            .filter { $0.hasSuffix(".build") }.sorted().map { build.appending(path: $0).path }
            .filter { FileManager.default.fileExists(atPath: $0 + "/module.modulemap") }
        return (ours + theirs + made).flatMap { ["-I", $0] }
    }

    private func swiftc(_ arguments: [String]) throws {
        let modules = build.appending(path: "Modules").path
        let run = try run(
            "/usr/bin/env", ["swiftc", "-swift-version", "6", "-I", modules] + arguments)
        guard run.status == 0 else { throw Failure(description: run.output + run.errors) }
    }

    func run(_ program: String, _ arguments: String...) throws -> Run {
        try run(folder.appending(path: program).path, arguments)
    }

    private func run(_ program: String, _ arguments: [String]) throws -> Run {
        // Files, not pipes: nobody has to read while it runs.
        let output = folder.appending(path: "output.txt")
        let errors = folder.appending(path: "errors.txt")
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }
}
