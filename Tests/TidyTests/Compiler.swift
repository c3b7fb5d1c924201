import Foundation

/// The Swift compiler, for a question of yes or no.
enum Compiler {
    struct Result {
        let isAccepted: Bool
        let messages: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Who writes a text: what is open to whom differs.
    enum Author {
        /// A file of our package.
        case ourselves
        /// A file of somebody else's package: what is not public is closed to it.
        case somebodyElse
    }

    /// Type-checks `text` as a file of that author's.
    static func check(_ text: String, by author: Author = .ourselves) throws -> Result {
        let modules = try modules()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Snippet.swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let package =
            switch author {
            case .ourselves: ["-package-name", try packageName(modules)]
            case .somebodyElse: [String]()
            }
        return try run(
            ["swiftc", "-typecheck", "-swift-version", "6"] + package
                + ["-I", modules.path, "-module-cache-path", folder.path, file.path])
    }

    /// The folder of compiled modules beside the running tests.
    private static func modules() throws -> URL {
        var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for _ in 0..<6 {
            folder = folder.deletingLastPathComponent()
            let modules = folder.appending(path: "Modules")
            let module = modules.appending(path: "Orders.swiftmodule")
            if FileManager.default.fileExists(atPath: module.path) { return modules }
        }
        throw Failure(
            description: "no Modules folder with Orders above \(CommandLine.arguments[0])")
    }

    /// What SwiftPM calls our package for the compiler: the name of its folder, in small letters. Read from
    /// the build's own description, because the folder may be anywhere.
    private static func packageName(_ modules: URL) throws -> String {
        let build = modules.deletingLastPathComponent()
        let scratch = build.deletingLastPathComponent().deletingLastPathComponent()
        let description = scratch.appending(path: build.lastPathComponent + ".yaml")
        let text = try String(contentsOf: description, encoding: .utf8)
        let expression = try Regex(
            #""-module-name","Orders".*?"-package-name","(\w+)""#, as: (Substring, Substring).self)
        guard let match = text.firstMatch(of: expression) else {
            throw Failure(description: "\(description.path) does not say how Orders is compiled")
        }
        return String(match.output.1)
    }

    private static func run(_ arguments: [String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            isAccepted: process.terminationStatus == 0,
            messages: String(decoding: output, as: UTF8.self))
    }
}
