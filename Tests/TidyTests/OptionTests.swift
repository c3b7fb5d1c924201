import Foundation
import Testing

/// What a command can be told is on its page.
@Suite struct OptionTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    /// The options that a command's source declares, as they are typed: `--max-server-version`.
    private func options(in source: String) -> [String] {
        source.components(separatedBy: "@Option(").dropFirst().compactMap { remainder in
            guard let start = remainder.firstRange(of: "var ") else { return nil }
            let name = remainder[start.upperBound...].prefix { $0.isLetter || $0.isNumber }
            return name.reduce("--") { $0 + ($1.isUppercase ? "-" : "") + $1.lowercased() }
        }
    }

    @Test func everyOptionOfTheSimulatedGatewayIsOnItsPage() throws {
        let page = try text("docs/gateway-simulator.md")
        let options = options(
            in: try text("Sources/MartletProgram/Gateway/GatewayRunCommand.swift"))
        #expect(options.count >= 17)
        for option in options { #expect(page.contains("| `\(option)` |"), "\(option)") }
    }

    /// Every option of `ctl`, and every request of its socket, is on the operator's page.
    @Test func everyOptionOfCtlIsOnItsPage() throws {
        let page = try text("docs/operate.md")
        var found: [String] = []
        for file in ["CtlCommand", "CtlCommand+Orders", "CtlCommand+Account", "CtlOptions"] {
            found += options(in: try text("Sources/MartletProgram/Ctl/\(file).swift"))
        }
        #expect(found.count >= 12)
        for option in Set(found) { #expect(page.contains(option), "\(option)") }
        let source = try text("Sources/MartletProgram/Ctl/CtlCommand.swift")
        let commands = source.components(separatedBy: "commandName: \"").dropFirst(2).map {
            String($0.prefix { $0 != "\"" })
        }
        #expect(commands.count >= 8)
        for command in commands { #expect(page.contains("`\(command)"), "\(command)") }
    }

    @Test func optionsAreReadAsTheyAreTyped() {
        let source = """
            @Option(help: "One.")
            var maxServerVersion: Int?
            @Option(name: .long) var port = 1
            """
        #expect(options(in: source) == ["--max-server-version", "--port"])
    }
}
