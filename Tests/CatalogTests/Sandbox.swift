import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// A temporary folder of bar files, removed with its last reference.
final class Sandbox {
    let path = NSTemporaryDirectory() + "catalog-tests-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    /// At most 65,535 bytes as gzip, in a single block that is stored, not compressed (RFC 1951,
    /// 1952).
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        func little(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
        }
        var check = UInt32.max
        for byte in bytes {
            check ^= UInt32(byte)
            for _ in 0..<8 { check = check >> 1 ^ (check & 1) * 0xEDB8_8320 }
        }
        let size = UInt32(bytes.count)
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1]
        return header + little(size, 2) + little(~size, 2) + bytes + little(~check, 4)
            + little(size, 4)
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
    _ text: String, bufferBytesMax: Int = 1 << 18,
    _ configure: (inout DataSource) -> Void = { _ in }
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
        start: try timestamp(start), open: try Price(open), high: try Price(high),
        low: try Price(low),
        close: try Price(close), volume: try Quantity(volume))
}

/// The timestamp of a text such as `2019-02-11T14:30:00Z`, read by Foundation.
func timestamp(_ text: String) throws -> Timestamp {
    let date = try Date(text, strategy: .iso8601)
    return Timestamp(seconds: Int64(date.timeIntervalSince1970))
}
