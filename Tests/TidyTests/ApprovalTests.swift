import Foundation
import Testing

/// What must not compile: an order without the gate's approval. Runs the compiler on a few lines against the
/// modules these tests were built with.
@Suite struct ApprovalTests {
    private static let lawful = """
        import Model
        import Orders
        import Risk

        func send(
            _ request: OrderRequest, _ facts: RiskFacts, _ gate: borrowing RiskGate,
            _ orders: inout OrderLedger
        ) -> Command? {
            guard case .approved(let approved) = gate.review(request, given: facts) else { return nil }
            return orders.submit(approved, at: .distantPast)
        }

        """

    @Test func approvedOrderCompiles() throws {
        let result = try Compiler.check(Self.lawful)
        #expect(result.isAccepted, "\(result.messages)")
    }

    @Test func approvalCannotBeMadeElsewhere() throws {
        let forged =
            Self.lawful + "func forge(_ request: OrderRequest) -> Approved { Approved(request) }\n"
        let result = try Compiler.check(forged)
        #expect(!result.isAccepted)
        #expect(result.messages.contains("inaccessible due to 'internal' protection level"))
    }

    @Test func requestCannotBeSubmittedWithoutApproval() throws {
        let direct =
            Self.lawful
            + "func force(_ request: OrderRequest, _ orders: inout OrderLedger) -> Command { orders.submit(request, at: .distantPast) }\n"
        let result = try Compiler.check(direct)
        #expect(!result.isAccepted)
        #expect(
            result.messages.contains(
                "cannot convert value of type 'OrderRequest' to expected argument type 'Approved'"))
    }
}

/// The Swift compiler, for a question of yes or no.
private enum Compiler {
    struct Result {
        let isAccepted: Bool
        let messages: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Type-checks `text` as a file of our package.
    static func check(_ text: String) throws -> Result {
        let modules = try modules()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Snippet.swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let name = try packageName(modules)
        return try run([
            "swiftc", "-typecheck", "-swift-version", "6", "-package-name", name,
            "-I", modules.path, "-module-cache-path", folder.path, file.path,
        ])
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
