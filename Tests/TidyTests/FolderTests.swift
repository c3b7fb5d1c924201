import Foundation
import Testing

/// Arrows between the folders of the simulated gateway point one way.
@Suite struct FolderTests {
    /// The folders; each names only what it and those before it declare.
    private static let order = [
        "Settings", "Session", "Contracts", "Wire", "Account", "Orders", "Data", "Reference",
        "Gateway", "Requests", "Faults", "Server",
    ]

    @Test func foldersNameOnlyThoseBeforeThem() throws {
        let files = try Repository.sources().filter { $0.module == "GatewaySimulator" }
        #expect(Set(files.map(Self.folder)) == Set(Self.order))
        for finding in try Self.arrowsBack(in: files) { Issue.record("\(finding)") }
    }

    @Test func arrowBackIsFound() throws {
        let fault = SourceFile(
            path: "Sources/GatewaySimulator/Faults/Drop.swift", text: "struct Drop {\n}\n")
        let wire = SourceFile(
            path: "Sources/GatewaySimulator/Wire/Wire.swift",
            text: "/// Not a Drop.\nlet kind = Kind.Drop\nlet drop = Drop()\n")
        #expect(try Self.arrowsBack(in: [fault, wire]).map(\.line) == [3])
        #expect(try Self.arrowsBack(in: [wire]).isEmpty)
    }

    private static func folder(_ file: SourceFile) -> String {
        let parts = file.path.split(separator: "/")
        return parts.count > 3 ? String(parts[2]) : ""
    }

    private static func rank(_ file: SourceFile) -> Int {
        order.firstIndex(of: folder(file)) ?? order.count
    }

    /// Lines with the name of a type that a later folder declares.
    private static func arrowsBack(in files: [SourceFile]) throws -> [Finding] {
        let declaration = try Regex(
            #"^(?:package |public |final |indirect )*(?:struct|enum|class|protocol|typealias) (\w+)"#,
            as: (Substring, Substring).self)
        var ranks: [Substring: Int] = [:]
        for file in files {
            for line in file.code {
                guard let name = line.prefixMatch(of: declaration)?.output.1 else { continue }
                ranks[name] = rank(file)
            }
        }
        let name = /(?:^|[^.\w])([A-Z]\w*)/
        return files.flatMap { file in
            file.linesOfCode.compactMap { index in
                let later = file.code[index].matches(of: name).first {
                    ranks[$0.output.1, default: 0] > rank(file)
                }
                return later.map {
                    file.finding(
                        index, "\($0.output.1) belongs to a folder that builds on this one")
                }
            }
        }
    }
}
