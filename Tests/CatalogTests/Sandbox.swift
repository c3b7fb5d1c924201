import CZlib
import Foundation
import MarketState
import Primitives
import Testing

@testable import Catalog

/// A temporary folder of bar files, removed with its last reference.
final class Sandbox {
    let path = NSTemporaryDirectory() + "catalog-tests-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    /// `bytes` as gzip.
    static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        let path = NSTemporaryDirectory() + "catalog-tests-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try #require(gzopen(path, "w"))
        gzwrite(file, bytes, UInt32(bytes.count))
        gzclose(file)
        return try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The folder as a source of bars of `calendar: always` unless told otherwise.
    func source(_ configure: (inout DataSource) -> Void = { _ in }) -> DataSource {
        var source = DataSource(path: path, calendar: .always)
        configure(&source)
        return source
    }
}

/// What one file of that text gives.
func series(
    _ text: String, bufferBytesMax: Int = 1 << 18, _ configure: (inout DataSource) -> Void = { _ in }
) throws -> BarSeries {
    try series(Array(text.utf8), bufferBytesMax: bufferBytesMax, configure)
}

/// What one file of those bytes gives.
func series(
    _ bytes: [UInt8], name: String = "T.csv", bufferBytesMax: Int = 1 << 18,
    _ configure: (inout DataSource) -> Void = { _ in }
) throws -> BarSeries {
    let sandbox = try Sandbox()
    try sandbox.write(bytes, to: name)
    let data = try DataLoader.load(sandbox.source(configure), bufferBytesMax: bufferBytesMax)
    return try #require(data.series.first)
}

/// What is wrong with a file of that text, without the folder's name.
func fault(
    _ text: String, _ configure: (inout DataSource) -> Void = { _ in }
) throws -> String? {
    do {
        _ = try series(text, configure)
        return nil
    } catch let error as DataError {
        let description = error.description
        let name = try #require(description.range(of: "T.csv"))
        return String(description[name.lowerBound...])
    }
}

/// A row, with values in units of 1.
func row(
    _ start: String, _ open: String, _ high: String, _ low: String, _ close: String,
    _ volume: String = "0"
) throws -> BarRow {
    BarRow(
        start: try instant(start), open: try Price(open), high: try Price(high), low: try Price(low),
        close: try Price(close), volume: try Quantity(volume))
}

/// The instant of a text such as `2019-02-11T14:30:00Z`, read by Foundation.
func instant(_ text: String) throws -> Timestamp {
    let date = try Date(text, strategy: .iso8601)
    return Timestamp(seconds: Int64(date.timeIntervalSince1970))
}
