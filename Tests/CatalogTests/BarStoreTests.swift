import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// Bars in binary form.
@Suite struct BarStoreTests {
    private static let file = SourceFile(path: "T.mbars", bytes: 0, modified: 0, inode: 0)

    private static func series(_ rows: [BarRow], barSize: Duration = .minutes(1)) -> BarSeries {
        BarSeries(symbol: "T", barSize: barSize, rows: rows, file: file)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func rowsAndActionsComeBackAsTheyWere(seed: UInt64) throws {
        var random = RandomBars(seed: seed)
        var series = Self.series(random.rows(50, step: .minutes(1)))
        for row in [3, 17] {
            series.actions.append(
                RowAction(row: row, line: row + 2, kind: .split(ratio: Quantity(shares: 4))))
            series.actions.append(
                RowAction(row: row, line: row + 2, kind: .dividend(Price(cents: 82))))
        }
        let bytes = BarStore.bytes(series, dated: nil)
        let read = try BarStore.series("T", of: Self.file, bytes: bytes, calendar: .always)
        #expect(read.rows == series.rows)
        #expect(read.actions == series.actions)
        #expect(read.barSize == series.barSize)
    }

    @Test func datesStandForTheSessionsOfTheCalendarTheyAreReadWith() throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            "date,open,high,low,close,volume\n2024-03-08,10,11,9,10.5,7\n2024-03-11,10,11,9,10.5,8\n",
            to: "T.csv")
        try sandbox.makeFolder("packed")
        var source = DataSource(path: sandbox.path, calendar: .newYork)
        let file = try #require(try DataFolder.files(of: source).first)
        let packed = try DataPack.write(file, source: source, to: sandbox.path + "/packed")
        for calendar in [SessionCalendar.newYork, .always] {
            source.calendar = calendar
            source.path = file.path
            let text = try DataLoader.load(source).series[0]
            source.path = packed.path
            let binary = try DataLoader.load(source).series[0]
            #expect(binary.rows == text.rows)
            #expect(binary.barSize == text.barSize)
            #expect(binary.symbol == "T")
        }
    }

    @Test func realFilesLoadTheSameFromBothForms() throws {
        for symbol in ["AAPL", "CMCSA", "GILD", "SPY"] {
            let sandbox = try Sandbox()
            var source = DataSource(path: fixture(symbol + ".csv"), calendar: .newYork)
            let text = try DataLoader.load(source).series[0]
            let file = try #require(try DataFolder.files(of: source).first)
            source.path = try DataPack.write(file, source: source, to: sandbox.path).path
            let binary = try DataLoader.load(source).series[0]
            #expect(binary.rows == text.rows)
            #expect(binary.actions == text.actions)
            #expect(binary.barSize == text.barSize)
            #expect(try DataFolder.files(of: source).map(\.symbol) == [symbol])
            // The same is found in both, but for what only text can have.
            let kinds = try sandbox.check().findings.kept.map(\.kind)
            #expect(try kinds == checkedFixture(symbol).findings.kept.map(\.kind))
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func damagedBytesAreRefused(seed: UInt64) throws {
        var random = RandomBars(seed: seed)
        var bytes = BarStore.bytes(Self.series(random.rows(10, step: .minutes(1))), dated: nil)
        let index = Int(random.int(0...Int64(bytes.count - 1)))
        switch random.int(0...2) {
        case 0: bytes[index] ^= UInt8(random.int(1...255))
        case 1: bytes.removeSubrange(index...)
        default: bytes.insert(UInt8(random.int(0...255)), at: index)
        }
        #expect(throws: DataError.self) {
            try BarStore.series("T", of: Self.file, bytes: bytes, calendar: .newYork)
        }
    }

    /// With a checksum that fits, nonsense is refused or read as sound bars.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func nonsenseWithItsChecksumDoesNoHarm(seed: UInt64) throws {
        var random = RandomBars(seed: seed)
        var bytes = BarStore.bytes(Self.series(random.rows(10, step: .minutes(1))), dated: nil)
        bytes.removeLast(8)
        for _ in 0..<random.int(1...4) {
            bytes[Int(random.int(8...Int64(bytes.count - 1)))] = UInt8(random.int(0...255))
        }
        bytes += Self.checksum(bytes)
        do {
            let read = try BarStore.series("T", of: Self.file, bytes: bytes, calendar: .newYork)
            for row in read.rows {
                #expect(row.low > .zero && row.low <= min(row.open, row.close))
                #expect(row.high >= max(row.open, row.close) && row.high <= .magnitudeMax)
            }
            #expect(zip(read.rows, read.rows.dropFirst()).allSatisfy { $0.0.start < $0.1.start })
        } catch {
            #expect(error.file == "T.mbars")
        }
    }

    /// CRC-32 bit by bit (RFC 1952, section 8), as eight bytes.
    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var check = UInt32.max
        for byte in bytes {
            check ^= UInt32(byte)
            for _ in 0..<8 { check = check >> 1 ^ (check & 1) * 0xEDB8_8320 }
        }
        return (0..<8).map { UInt8(truncatingIfNeeded: UInt64(~check) >> (8 * UInt64($0))) }
    }
}
