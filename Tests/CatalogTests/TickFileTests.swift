import Foundation
import Model
import Primitives
import Testing

@testable import Catalog

/// The rows of a tick file of that text.
func ticks(
    _ text: String, name: String = "T.csv", bufferBytesMax: Int = 1 << 18,
    _ configure: (inout DataSource) -> Void = { _ in }
) throws -> [TickRow] {
    let sandbox = try Sandbox()
    try sandbox.write(text, to: name)
    let data = try DataLoader.loadTicks(
        sandbox.source(configure), bufferBytesMax: bufferBytesMax)
    return try #require(data.series.first).rows
}

/// Quotes and trades in units of 1; `nil` is absent.
extension TickRow {
    static func quote(
        _ at: Timestamp, _ bid: String?, _ bidSize: String?, _ ask: String?, _ askSize: String?
    ) throws -> TickRow {
        TickRow(
            Quote(
                instrument: InstrumentID(index: 0), at: at, bid: try bid.map { try Price($0) },
                ask: try ask.map { try Price($0) }, bidSize: try bidSize.map { try Quantity($0) },
                askSize: try askSize.map { try Quantity($0) }))
    }

    static func trade(_ at: Timestamp, _ price: String, _ size: String) throws -> TickRow {
        TickRow(
            Trade(
                instrument: InstrumentID(index: 0), at: at, price: try Price(price),
                size: try Quantity(size)))
    }
}

@Suite struct TickFileTests {
    /// 2024-01-02 14:30 UTC, and so many nanoseconds.
    private func at(_ nanoseconds: Int64) -> Timestamp {
        Timestamp(seconds: 1_704_205_800) + Duration(nanoseconds: nanoseconds)
    }

    private func fault(
        _ text: String, _ configure: (inout DataSource) -> Void = { _ in }
    ) throws -> String {
        let error = #expect(throws: DataError.self) { try ticks(text, configure) }
        let description = try #require(error?.description)
        let name = try #require(description.range(of: "T.csv"))
        return String(description[name.lowerBound...])
    }

    private static let header = "timestamp,bid,bid_size,ask,ask_size,price,size\n"

    @Test func quotesAndTradesAreDistinguishedByWhatTheirRowsHave() throws {
        let rows = try ticks(
            Self.header
                + "2024-01-02T14:30:00Z,99.98,300,100.02,1200,,\n"
                + "2024-01-02T14:30:00.5Z,,,,,100.015,0.25\n"
                + "2024-01-02T14:30:00.500000001Z,99.99,,,,,\n"
                + "2024-01-02T14:30:00.500000001Z,,,100.00000001,7,,\r\n"
                + "2024-01-02 09:30:01-05:00,1,2,3,4,5,6")
        #expect(
            try rows == [
                .quote(at(0), "99.98", "300", "100.02", "1200"),
                .trade(at(500_000_000), "100.015", "0.25"),
                .quote(at(500_000_001), "99.99", nil, nil, nil),
                .quote(at(500_000_001), nil, nil, "100.00000001", "7"),
                // A row with both is the quote, then the trade.
                .quote(at(1_000_000_000), "1", "2", "3", "4"),
                .trade(at(1_000_000_000), "5", "6"),
            ])
        let quote = rows[2].quote(of: InstrumentID(index: 3))
        #expect(quote.instrument == InstrumentID(index: 3))
        #expect(quote.bid == Price(cents: 99_99) && quote.ask == nil)
        #expect(quote.bidSize == nil && quote.askSize == nil && quote.at == at(500_000_001))
    }

    @Test func oneColumnMayServeQuotesAndTrades() throws {
        let rows = try ticks(
            "timestamp,type,p1,s1,p2,s2\n"
                + "2024-01-02T14:30:00.000000001Z,Q,100.00,19,100.01,14\n"
                + "2024-01-02T14:30:00.025310671Z,T,100.00,3,,\n"
                + "2024-01-02T14:30:00.025310672Z,quote,100.01,2,,\n"
                + "2024-01-02T14:30:00.025310673Z,Trade,99.5,,,\n")
        #expect(
            try rows == [
                .quote(at(1), "100", "19", "100.01", "14"), .trade(at(25_310_671), "100", "3"),
                .quote(at(25_310_672), "100.01", "2", nil, nil),
                .trade(at(25_310_673), "99.5", "0"),
            ])
    }

    @Test func aTypeStatesWhichColumnsCount() throws {
        let rows = try ticks(
            "type,time,exchange,price,bid,ask\n"
                + "T,2024-01-02T14:30:00Z,X,1,2,3\nQ,2024-01-02T14:30:00Z,Y,1,2,3\n"
                + "T,2024-01-02T14:30:00Z,,4,2,3\nQ,2024-01-02T14:30:00Z,\"a,b\",,,\n")
        #expect(
            try rows == [
                .trade(at(0), "1", "0"), .quote(at(0), "2", nil, "3", nil),
                .trade(at(0), "4", "0"),
                // Nobody bids, nobody offers.
                .quote(at(0), nil, nil, nil, nil),
            ])
    }

    @Test func clocksWithoutAZoneAndCountsSinceTheEpochAreRead() throws {
        let local = "time,price\n2024-01-02 09:30:00.25,1\n2024-07-02 09:30:00.125,2\n"
        #expect(
            try ticks(local) { $0.zone = .newYork }.map(\.at)
                == [at(250_000_000), try timestamp("2024-07-02T13:30:00Z") + .milliseconds(125)])
        #expect(try fault(local).contains("T.csv:2:1 (time): found '2024-01-02 09:30:00.25'"))
        for unit: Int64 in [1, 1_000, 1_000_000] {
            let count = at(7_000_000_000).nanoseconds / unit
            #expect(
                try ticks("time,price\n\(count),1\n\(count + 1),2\n").map(\.at)
                    == [at(7_000_000_000), at(7_000_000_000 + unit)])
        }
    }

    @Test(arguments: [
        ("2024-01-02T14:30:00Z,0,1,2,3,,", "3:2 (bid): found '0', which is not a positive price"),
        ("2024-01-02T14:30:00Z,-1,1,2,3,,", "3:2 (bid): found '-1', which is not a positive"),
        ("2024-01-02T14:30:00Z,1,-1,2,3,,", "3:3 (bid_size): found '-1', which is negative"),
        ("2024-01-02T14:30:00Z,1,1,2,3,x,1", "3:6 (price): found 'x', which is not a decimal"),
        (
            "2024-01-02T14:30:00Z,,,,,1.123456789,1",
            "3:6 (price): found '1.123456789', which has more than 8 decimals"
        ),
        ("2024-01-02T14:30:00Z,,,,,200000000,1", "3:6 (price): found '200000000', which is beyond"),
        ("2024-01-02T14:30:00Z,,,,,,", "3: found neither a quote nor a trade"),
        ("2024-01-02T14:30:00Z,,5,,6,,7", "3: found neither a quote nor a trade"),
        ("2024-01-02T14:30:00Z,1,1", "3: found 3 fields where the header has 7"),
        ("2024-01-02T14:29:59.999Z,1,1,2,3,,", "3:1 (timestamp): found 2024-01-02T14:29:59.999Z"),
        ("2024-01-02,1,1,2,3,,", "3:1 (timestamp): found '2024-01-02' in a file"),
        ("later,1,1,2,3,,", "3:1 (timestamp): found 'later', which is no time"),
    ])
    func faultyRowsAreNamedWithTheirLocation(row: String, message: String) throws {
        let first = "2024-01-02T14:30:00Z,99.98,300,100.02,1200,,\n"
        let found = try fault(Self.header + first + row + "\n")
        #expect(found.hasPrefix("T.csv:" + message), "\(found)")
        // The same row behind many that go the quick way.
        let many = String(repeating: first, count: 20)
        let behind = try fault(Self.header + many + row + "\n")
        #expect(behind.hasPrefix("T.csv:22" + message.dropFirst()), "\(behind)")
    }

    @Test func faultyFilesAreRefused() throws {
        #expect(try fault("").contains("found an empty file"))
        #expect(try fault(Self.header).contains("found no rows under the header"))
        #expect(try fault("bid,ask\n1,2\n").contains("found no column for a time"))
        #expect(
            try fault("time,p1,s1\n2024-01-02T14:30:00Z,1,2\n")
                .contains("the type of a row with p1 and p2"))
        #expect(
            try fault("time,bid,ask,bid_price\n2024-01-02T14:30:00Z,1,2,1\n")
                .contains("columns 2 (bid) and 4 (bid_price) for the same value"))
        #expect(
            try fault("time,price\n2024-01-02,1\n").contains("found a date alone"))
        #expect(
            try fault("time,type,price\n2024-01-02T14:30:00Z,B,1\n")
                .contains("T.csv:2:2 (type): found 'B', which is no quote (Q) and no trade (T)"))
        #expect(
            try fault("time,type,price\n2024-01-02T14:30:00Z,T,\n")
                .contains("T.csv:2: found a trade without a price"))
    }

    @Test func theFirstLineReportsBarsFromTicks() throws {
        let sandbox = try Sandbox()
        for (names, kind) in [
            ("date,open,high,low,close,volume", DataKind.bars), ("time,bid,ask", .ticks),
            ("time,price,size", .ticks), ("timestamp,type,p1,s1,p2,s2", .ticks),
            ("time,open,high,low,close,bid,ask", .bars), ("a,b,c", .bars), ("", .bars),
        ] {
            try sandbox.write(names + "\n", to: "T.csv")
            #expect(try DataLoader.kind(of: sandbox.source()) == kind, "\(names)")
        }
    }

    @Test func barsAndTicksAreNotTakenForEachOther() throws {
        let sandbox = try Sandbox()
        try sandbox.write("time,price\n2024-01-02T14:30:00Z,1\n", to: "T.csv")
        let error = #expect(throws: DataError.self) { try DataLoader.load(sandbox.source()) }
        #expect(
            error?.finding == "found the columns of quotes and trades, where bars were expected")
        try sandbox.write("date,open,high,low,close\n2024-01-02,1,1,1,1\n", to: "T.csv")
        let other = #expect(throws: DataError.self) { try DataLoader.loadTicks(sandbox.source()) }
        #expect(other?.finding.contains("found no column for bid, ask or price") == true)
    }
}

/// The quick way of reading against the careful one.
@Suite struct TickFilePropertyTests {
    /// Random rows as text and as they should be read.
    private static func sample(
        seed: UInt64, count: Int
    ) throws -> (text: String, quoted: String, rows: [TickRow]) {
        var chance = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Int64>) -> Int64 {
            Int64.random(in: range, using: &chance)
        }
        func decimal(_ max: Int64) -> String {
            let whole = number(1...10) == 1 ? number(1...max) : number(1...min(999, max))
            let digits = Int(number(0...8))
            return digits == 0
                ? "\(whole)"
                : "\(whole)."
                    + String(
                        (0..<digits).map { _ in "0123456789".randomElement(using: &chance) ?? "0" })
        }
        let isZoned = number(0...1) == 1
        var at = try timestamp("2024-06-03T13:30:00Z")
        var lines = ["time,note,bid,bid_size,ask,ask_size,price,size"]
        var rows: [TickRow] = []
        for _ in 0..<count {
            // Now and then across midnight.
            let step =
                number(1...50) == 1 ? number(0...80_000_000_000_000) : number(0...3_000_000_000)
            at = at + Duration(nanoseconds: step)
            let bid = number(1...3) > 1 ? decimal(99_999_999) : nil
            let ask = number(1...3) > 1 ? decimal(99_999_999) : nil
            let price = bid == nil && ask == nil || number(1...4) == 1 ? decimal(99_999_999) : nil
            let sizes = (0..<3).map { _ in number(1...3) > 1 ? decimal(999_999_999) : nil }
            if bid != nil || ask != nil {
                rows.append(
                    try .quote(
                        at, bid, bid == nil ? nil : sizes[0], ask, ask == nil ? nil : sizes[1]))
            }
            if let price { rows.append(try .trade(at, price, sizes[2] ?? "0")) }
            let fields = [
                stamp(at, isZoned: isZoned), "", bid, sizes[0], ask, sizes[1], price, sizes[2],
            ]
            lines.append(fields.map { $0 ?? "" }.joined(separator: ","))
        }
        let text = lines.joined(separator: "\n") + "\n"
        let quoted = lines.enumerated().map { number, line in
            number == 0
                ? line
                : line.split(separator: ",", omittingEmptySubsequences: false)
                    .map { "\"\($0)\"" }.joined(separator: ",")
        }.joined(separator: "\n")
        return (text, quoted, rows)
    }

    /// The timestamp in ISO 8601 with as many digits of a second as it needs, in UTC or four hours behind.
    private static func stamp(_ timestamp: Timestamp, isZoned: Bool) -> String {
        guard isZoned else { return timestamp.description }
        return (timestamp - .hours(4)).description.dropLast() + "-04:00"
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func bothWaysReadTheSame(seed: UInt64) throws {
        let sample = try Self.sample(seed: seed, count: 300)
        #expect(try ticks(sample.text) == sample.rows)
        #expect(try ticks(sample.quoted) == sample.rows)
        for bufferBytes in [200, 333, 1_000] {
            #expect(try ticks(sample.text, bufferBytesMax: bufferBytes) == sample.rows)
        }
    }

    /// A changed letter is either refused with its line or read alike both ways.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func aChangedLetterIsReadAlikeBothWays(seed: UInt64) throws {
        let sample = try Self.sample(seed: seed, count: 12)
        var chance = SeededGenerator(seed: seed)
        var lines = sample.text.split(separator: "\n").map(String.init)
        let line = Int.random(in: 3..<lines.count, using: &chance)
        let letters = Array(lines[line])
        let position = Int.random(in: 0..<letters.count, using: &chance)
        var changed = letters
        changed[position] = "0123456789.,-:TZQ x".randomElement(using: &chance) ?? "x"
        lines[line] = String(changed)
        func result(_ lines: [String]) -> Result<[TickRow], DataError> {
            Result { () throws(DataError) in
                do { return try ticks(lines.joined(separator: "\n")) } catch let error as DataError
                {
                    var error = error
                    error.file = ""
                    throw error
                } catch { throw DataError(file: "", finding: "\(error)", remedy: "") }
            }
        }
        // A quotation mark in a column nobody reads sends the line the careful way.
        var careful = lines
        for index in 1..<careful.count {
            careful[index] = careful[index].replacing(",,", with: ",\"\",", maxReplacements: 1)
        }
        #expect(result(lines) == result(careful))
    }
}
