import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

extension Sandbox {
    /// The report on the folder's only file.
    func check(
        calendar: SessionCalendar = .newYork, _ configure: (inout DataSource) -> Void = { _ in }
    ) throws -> FileReport {
        var source = DataSource(path: path, calendar: calendar)
        configure(&source)
        let file = try #require(try DataFolder.files(of: source).first)
        return DataCheck.check(file, source: source)
    }
}

/// The report on a file of that text.
func checked(
    _ text: String, calendar: SessionCalendar = .newYork,
    _ configure: (inout DataSource) -> Void = { _ in }
) throws -> FileReport {
    let sandbox = try Sandbox()
    try sandbox.write(text, to: "T.csv")
    return try sandbox.check(calendar: calendar, configure)
}

/// Where a fixture is.
func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/\(name)").path
}

/// The report on a fixture.
func checkedFixture(_ symbol: String) throws -> FileReport {
    let source = DataSource(path: fixture(symbol + ".csv"), calendar: .newYork)
    let file = try #require(try DataFolder.files(of: source).first)
    return DataCheck.check(file, source: source)
}

extension FindingList {
    /// The first finding of `kind`.
    func first(_ kind: DataFinding.Kind) -> DataFinding? { kept.first { $0.kind == kind } }
}
