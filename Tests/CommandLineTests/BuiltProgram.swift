import Foundation

/// The program as it was built with these tests, and a folder of its own in which it runs.
///
/// In the folder are 28 daily bars of `data/AAA.csv` and a `config.yaml` that trades them.
struct BuiltProgram {
    /// Where it runs.
    let folder: URL

    /// What a run left behind.
    struct Run {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The folder of the project's samples.
    static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Samples").path

    static let configuration = """
        account: {type: margin, starting_capital: 10000}
        strategies:
          - use: ma_crossover
            parameters: {fast: 2, slow: 5}
        backtest:
          calendar: always
          data: {path: data, basis: raw}
        """

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("data"), withIntermediateDirectories: true)
        var rows = "date,open,high,low,close,volume\n"
        for day in 1...28 {
            let price = 100 + (day * 7) % 11
            rows +=
                "2019-02-\(day < 10 ? "0" : "")\(day),\(price),\(price + 2),\(price - 2),"
                + "\(price + 1),100000\n"
        }
        try write(rows, to: "data/AAA.csv")
        try write(Self.configuration, to: "config.yaml")
    }

    /// What a run under the thread sanitizer hands on, so that the program's reports are found.
    private static let sanitizer = ProcessInfo.processInfo.environment.filter {
        ["LD_PRELOAD", "TSAN_OPTIONS"].contains($0.key)
    }

    func run(_ arguments: String...) throws -> Run { try run(arguments) }

    /// - Parameters:
    ///   - directory: the working directory; the program's folder if not said.
    ///   - variables: the environment beside what every run has.
    func run(
        _ arguments: [String], in directory: URL? = nil, with variables: [String: String] = [:]
    ) throws -> Run {
        let process = process(arguments, with: variables)
        if let directory { process.currentDirectoryURL = directory }
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let outputBytes = output.fileHandleForReading.readDataToEndOfFile()
        let errorBytes = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus, output: String(decoding: outputBytes, as: UTF8.self),
            errors: String(decoding: errorBytes, as: UTF8.self))
    }

    /// A process of the program that was not started, without input.
    func process(_ arguments: [String], with variables: [String: String] = [:]) -> Process {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let process = Process()
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("martlet")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = [
            "HOME": folder.appendingPathComponent("data").path, "PATH": "/usr/bin:/bin",
        ].merging(Self.sanitizer) { _, new in new }.merging(variables) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    func write(_ content: String, to name: String) throws {
        try Data(content.utf8).write(to: folder.appendingPathComponent(name))
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
}
