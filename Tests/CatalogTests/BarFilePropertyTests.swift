import Foundation
import Model
import Primitives
import Testing

@testable import Catalog

/// What must hold for any file.
@Suite struct BarFilePropertyTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func rowsSurviveWritingAndReading(seed: UInt64) throws {
        var random = RandomBars(seed: seed)
        let step = random.element([Duration.minutes(1), .seconds(1), .hours(1), .days(1)])
        let rows = random.rows(60, step: step)
        let text = random.text(rows)
        let read = try series(text)
        #expect(read.rows == rows)
        #expect(read.barSize == step)
    }

    /// A space before a line keeps it from the fast path and means nothing to the other.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func bothPathsReadTheSame(seed: UInt64) throws {
        var random = RandomBars(seed: seed)
        let rows = random.rows(60, step: .minutes(1))
        let text = random.text(rows)
        #expect(try series(Self.indented(text.utf8)).rows == rows)
    }

    /// Any file gives rows or an error, and the same on both paths.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func damagedFilesGiveTheSameErrorOnBothPaths(seed: UInt64) throws {
        var random = RandomBars(seed: seed)
        let rows = random.rows(20, step: .minutes(1))
        var bytes = Array(random.text(rows).utf8)
        let headerEnd = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        for _ in 0..<random.int(1...3) { Self.damage(&bytes, behind: headerEnd, &random) }
        let usual = Outcome { try series(bytes) }
        let careful = Outcome { try series(Self.indented(bytes)) }
        #expect(usual == careful, "\(String(decoding: bytes, as: UTF8.self))")
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func randomBytesGiveAnError(seed: UInt64) throws {
        var random = RandomBars(seed: seed)
        let header = random.bool() ? Array("date,open,high,low,close\n".utf8) : []
        let noise = (0..<random.int(0...3_000)).map { _ in UInt8(random.int(0...255)) }
        for name in ["T.csv", "T.csv.gz"] {
            #expect(throws: DataError.self) { try series(header + noise, name: name) }
        }
    }

    @Test(arguments: [64, 65, 80, 100, 127, 256, 1_000, 4_096])
    func bufferSizeChangesNothing(bufferBytes: Int) throws {
        var random = RandomBars(seed: 5)
        let rows = random.rows(200, step: .minutes(1))
        var text = "timestamp,open,high,low,close,volume\n"
        for row in rows {
            text += "\(row.start),\(row.low),\(row.high),\(row.low),\(row.high),1\n"
        }
        let expected = try series(text)
        for bytes in [Array(text.utf8), Array(text.utf8.dropLast())] {
            let plain = try series(bytes, bufferBytesMax: bufferBytes + 40)
            #expect(plain.rows == expected.rows)
            let packed = try series(
                Sandbox.packed(bytes), name: "T.csv.gz", bufferBytesMax: bufferBytes + 40)
            #expect(packed.rows == expected.rows)
        }
        let faulty = text + "x,1,1,1,1,1\n"
        let error = #expect(throws: DataError.self) {
            try series(Array(faulty.utf8), bufferBytesMax: bufferBytes + 40)
        }
        #expect(error?.line == 202)
    }

    /// Made by `gzip -9n`.
    @Test func compressedFileIsRead() throws {
        let packed = try #require(
            Data(
                base64Encoded:
                    "H4sIAAAAAAACA0tJLEnVyS9IzdPJyEzP0MnJL9dJzskvTuUyMjAy0TUw1DUw0jE00DE0"
                    + "0rHUMTREiBoDeTqGxhA5hLAJSKWhCUSSCwDPUBJxXQAAAA=="))
        let bars = try series(Array(packed), name: "T.csv.gz")
        #expect(
            try bars.rows == [
                row("2024-01-02T00:00:00Z", "10", "12", "9", "11"),
                row("2024-01-03T00:00:00Z", "11", "13", "10", "12"),
                row("2024-01-04T00:00:00Z", "12", "14", "11", "13"),
            ])
    }

    @Test func packedFilesOfSeveralMembersAreRead() throws {
        var random = RandomBars(seed: 6)
        let text = Array(random.text(random.rows(50, step: .minutes(1))).utf8)
        let halves = Sandbox.packed(Array(text[..<400])) + Sandbox.packed(Array(text[400...]))
        #expect(try series(halves, name: "T.csv.gz").rows == series(text).rows)
    }

    @Test func truncatedPackedFileIsRefusedWhereverItEnds() throws {
        var random = RandomBars(seed: 7)
        let packed = Sandbox.packed(Array(random.text(random.rows(5, step: .minutes(1))).utf8))
        for count in 0..<packed.count {
            #expect(throws: DataError.self) {
                try series(Array(packed[..<count]), name: "T.csv.gz")
            }
        }
        let error = #expect(throws: DataError.self) {
            try series(Array(packed.dropLast(9)), name: "T.csv.gz")
        }
        #expect(error?.remedy == "The file is damaged or incomplete; fetch or compress it again.")
    }

    @Test func damagedPackedFileIsRefused() throws {
        var random = RandomBars(seed: 8)
        let packed = Sandbox.packed(Array(random.text(random.rows(5, step: .minutes(1))).utf8))
        for position in stride(from: 12, to: packed.count, by: 3) {
            var damaged = packed
            damaged[position] ^= 0x55
            #expect(throws: DataError.self) { try series(damaged, name: "T.csv.gz") }
        }
    }

    /// As gzip itself does: what follows the packed text is not part of it.
    @Test func garbageBehindAPackedFileIsIgnored() throws {
        var random = RandomBars(seed: 9)
        let text = Array(random.text(random.rows(20, step: .minutes(1))).utf8)
        let packed = Sandbox.packed(text) + Array("garbage".utf8)
        #expect(try series(packed, name: "T.csv.gz").rows == series(text).rows)
    }

    /// Rows, or the error without the path of its temporary file.
    private enum Outcome: Equatable {
        case rows([BarRow], [RowAction])
        case fault(DataError)
        case other(String)

        init(_ read: () throws -> BarSeries) {
            do {
                let series = try read()
                self = .rows(series.rows, series.actions)
            } catch var fault as DataError {
                fault.file = ""
                self = .fault(fault)
            } catch {
                self = .other("\(error)")
            }
        }
    }

    /// The text with a space at the front of each line but the first.
    private static func indented(_ text: some Sequence<UInt8>) -> [UInt8] {
        let feed = UInt8(ascii: "\n")
        return text.flatMap { $0 == feed ? [feed, UInt8(ascii: " ")] : [$0] }
    }

    /// Changes, removes or inserts a byte, or cuts the end off.
    private static func damage(
        _ bytes: inout [UInt8], behind headerEnd: Int, _ random: inout RandomBars
    ) {
        guard bytes.count > headerEnd + 2 else { return }
        let position = Int(random.int(Int64(headerEnd + 1)...Int64(bytes.count - 1)))
        let usual = Array("0123456789.,-:+TZ \"\r\n\u{0}e".utf8)
        let byte = random.bool() ? random.element(usual) : UInt8(random.int(0...255))
        switch random.int(0...9) {
        case 0...4: bytes[position] = byte
        case 5, 6: bytes.remove(at: position)
        case 7, 8: bytes.insert(byte, at: position)
        default: bytes.removeSubrange(position...)
        }
    }
}
