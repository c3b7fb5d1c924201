import Model
import Primitives
import Testing

@testable import Reporting

@Suite struct RunTablesTests {
    @Test func fillsAreOneLineEach() {
        var record = RunRecord.uneventful
        record.fills = [
            .sample(.buy, 100, atCents: 10_05, commission: Money(cents: 1_00), reason: 1),
            .sample(
                .sell, Quantity(units: 150_000_000), at: Price(units: 1_050_000_001), minute: 16,
                commission: Money(units: -20_000), instrument: 1, strategy: 1),
        ]
        #expect(
            String(ascii: RunTables.fills(of: record)) == """
                time,symbol,strategy,order,side,quantity,price,commission,currency,reason,execution
                2024-01-02T14:30:00Z,AAPL,crossover,1,BUY,100,10.05,1.00,USD,fast above slow,1.1
                2024-01-02T14:46:00Z,SPXW,momentum,17,SELL,1.5,10.50000001,-0.02,USD,,17.1

                """)
    }

    @Test func ordersShowWhatWasAskedAndWhatBecameOfIt() {
        var record = RunRecord.uneventful
        record.orders = [
            .sample(1, .limit(Price(cents: 9_99)), .cancelled(.expired), filled: 40),
            .sample(2, .stop(Price(cents: 8_00)), .working, filled: 0),
            .sample(3, .market, .filled, filled: 100),
        ]
        #expect(
            String(ascii: RunTables.orders(of: record)) == """
                submitted,symbol,strategy,order,purpose,side,type,quantity,limit_price,stop_price,\
                time_in_force,state,filled,average_price,commission,ended,reason
                2024-01-02T14:30:00Z,AAPL,crossover,1,EXIT,SELL,LIMIT,100,9.99,,DAY,\
                CANCELLED_EXPIRED,40,10.00,0.35,2024-01-02T14:31:00Z,stop
                2024-01-02T14:30:00Z,AAPL,crossover,2,EXIT,SELL,STOP,100,,8.00,DAY,\
                WORKING,0,,0.35,,stop
                2024-01-02T14:30:00Z,AAPL,crossover,3,EXIT,SELL,MARKET,100,,,DAY,FILLED,100,10.00,\
                0.35,2024-01-02T14:31:00Z,stop

                """)
    }

    @Test func tradesAreTheClosedRoundTrips() {
        var record = RunRecord.uneventful
        record.fills = [
            .sample(.buy, 100, atCents: 10_00, commission: Money(cents: 1_00), reason: 1),
            .sample(
                .sell, 100, atCents: 9_00, minute: 1, commission: Money(cents: 1_00), reason: 2),
            .sample(.sell, 5, atCents: 9_00, minute: 2),
        ]
        // -100 less 2, on 1000: -10.2 percent. Prices are known from the fills alone.
        #expect(
            String(ascii: RunTables.trades(of: record, trips: RoundTrips(of: record))) == """
                entry_time,exit_time,symbol,strategy,side,quantity,entry_price,exit_price,\
                gross_profit,commission,net_profit,return_pct,duration_seconds,fills,\
                entry_reason,exit_reason,mae,mfe,mae_pct,mfe_pct,slippage
                2024-01-02T14:30:00Z,2024-01-02T14:31:00Z,AAPL,crossover,LONG,100,10.00,9.00,\
                -100.00,2.00,-102.00,-10.200000,60,2,fast above slow,stop,\
                -100.00,0.00,-10.000000,0.000000,

                """)
    }

    @Test func equityShowsReturnsAndFalls() {
        var record = RunRecord.sessions(
            startingWith: 100_00, equityInCents: [80_00, 120_00, 90_00])
        record.equity[2] = EquityPoint(
            day: Day(number: 19_726), at: opening + .days(2), equity: Money(cents: 90_00),
            cash: Money(cents: -10_00), grossExposure: Money(cents: 100_00))
        // 80/100, 120/80, 90/120; a fifth below 100, at a high, a quarter below 120.
        #expect(
            String(ascii: RunTables.equity(of: record)) == """
                day,time,equity,cash,gross_exposure,return_pct,drawdown_pct
                2024-01-02,2024-01-02T14:30:00Z,80.00,80.00,0.00,-20.000000,20.000000
                2024-01-03,2024-01-03T14:30:00Z,120.00,120.00,0.00,50.000000,0.000000
                2024-01-04,2024-01-04T14:30:00Z,90.00,-10.00,100.00,-25.000000,25.000000

                """)
    }

    @Test func aReturnOnNothingIsAnEmptyCell() {
        let record = RunRecord.sessions(startingWith: 0, equityInCents: [0])
        let rows = CSVReader.rows(of: RunTables.equity(of: record))
        #expect(rows[1][5...] == ["", ""])
    }

    /// TH11: names and reasons come from users and venues.
    @Test func hostileTextsAreDefusedInEveryTable() {
        var record = RunRecord.uneventful
        record.instruments = [Instrument(id: InstrumentID(index: 0), symbol: "=HYPERLINK(\"x\")")]
        record.strategies = ["@evil,\"strategy\""]
        record.reasons = ["", "-1+1", "\tstop\r\n"]
        record.orders = [.sample(1, .market, .filled, filled: 100)]
        record.fills = [
            .sample(.buy, 1, atCents: -5_00, reason: 1),
            .sample(.sell, 1, atCents: -6_00, commission: Money(cents: -1), reason: 2),
        ]
        let trips = RoundTrips(of: record)
        let files: [(CSVDescription, [UInt8])] = [
            (.fills, RunTables.fills(of: record)), (.orders, RunTables.orders(of: record)),
            (.trades, RunTables.trades(of: record, trips: trips)),
        ]
        for (description, bytes) in files {
            for row in CSVReader.rows(of: bytes) {
                #expect(row.count == description.columns.count)
                for (cell, column) in zip(row, description.columns) where column.type == .text {
                    #expect(!CSVReader.isFormula(Array(cell.utf8)))
                }
            }
        }
        // Numbers stay numbers.
        let fills = CSVReader.rows(of: RunTables.fills(of: record))
        #expect(fills[2][6...7] == ["-6.00", "-0.01"])
        #expect(fills[2][1] == "'=HYPERLINK(\"x\")")
    }

    @Test func filesHaveTheHeaderOfTheirDescription() {
        let record = RunRecord.uneventful
        let files = [
            RunTables.fills(of: record), RunTables.orders(of: record),
            RunTables.trades(of: record, trips: RoundTrips(of: record)),
            RunTables.equity(of: record),
        ]
        for (description, bytes) in zip(CSVDescription.all, files) {
            #expect(CSVReader.rows(of: bytes) == [description.columns.map { $0.name }])
        }
        #expect(
            CSVDescription.all.map { $0.file }
                == ["fills.csv", "orders.csv", "trades.csv", "equity.csv"])
    }

    /// Property: whatever the values, however many blocks a file comes in, however long the texts,
    /// cells read like the values' descriptions.
    @Test(arguments: [1, 3_000])
    func longFilesSayTheSameAsTheirValues(nameLength: Int) {
        var random = SeededGenerator(seed: 7)
        var record = RunRecord.uneventful
        record.strategies[0] = String(repeating: "n", count: nameLength)
        record.fills = (0..<3_000 as Range<Int64>).map { minute in
            .sample(
                random.next() % 2 == 0 ? .buy : .sell, random.quantity, at: random.price,
                minute: minute, commission: random.money, instrument: Int(random.next() % 2),
                strategy: Int(random.next() % 2), reason: Int(random.next() % 3))
        }
        var blockCount = 0
        var bytes: [UInt8] = []
        RunTables.fills(of: record) {
            blockCount += 1
            bytes.append($0)
        }
        #expect(blockCount > 1)
        let rows = CSVReader.rows(of: bytes).dropFirst()
        #expect(rows.count == record.fills.count)
        for (row, fill) in zip(rows, record.fills) {
            let execution = fill.execution
            #expect(
                row == [
                    execution.time.description, record.symbol(of: execution.instrument),
                    record.name(of: fill.strategy), String(fill.order.number),
                    execution.side == .buy ? "BUY" : "SELL", execution.quantity.description,
                    execution.price.description, fill.commission.description, "USD",
                    record.reasons[Int(fill.reason.index)], "\(execution.id.base).1",
                ])
        }
    }

    @Test func whatTheTakerThrowsEndsTheFile() {
        struct Full: Error {}
        #expect(throws: Full.self) {
            try RunTables.orders(of: .uneventful) { _ throws(Full) in throw Full() }
        }
    }

    @Test func everyWordIsDocumented() {
        let written: [(String, [String])] = [
            ("purpose", [OrderPurpose.entry, .exit, .protection].map { $0.word.text }),
            ("side", [Side.buy, .sell].map { $0.word.text }),
            (
                "type",
                [
                    OrderType.market, .limit(.zero), .stop(.zero),
                    .stopLimit(stop: .zero, limit: .zero), .trailingStop(.amount(.zero)),
                    .marketOnOpen, .limitOnOpen(.zero), .marketOnClose, .limitOnClose(.zero),
                ].map { $0.word.text }
            ),
            (
                "time_in_force",
                [
                    TimeInForce.day, .goodTillCancelled, .goodTillDate(Timestamp(seconds: 0)),
                    .immediateOrCancel,
                ].map { $0.word.text }
            ),
            (
                "state",
                [
                    OrderOutcome.working, .filled, .cancelled(.requested), .cancelled(.expired),
                    .cancelled(.linked), .cancelled(.external), .rejected(.priceNotOnTick),
                    .rejected(.invalidTerms), .rejected(.noParent), .rejected(.notTradable),
                ].map { $0.word.text }
            ),
        ]
        for (name, words) in written {
            let column = CSVDescription.orders.columns.first { $0.name == name }
            #expect(column?.type == .word(words))
        }
        let side = CSVDescription.trades.columns.first { $0.name == "side" }
        #expect(side?.type == .word([Side.buy, .sell].map { $0.positionWord.text }))
    }
}

extension OrderRecord {
    /// An exit of 100 AAPL, sent at the opening, that ended a minute later unless it works.
    fileprivate static func sample(
        _ number: Int64, _ type: OrderType, _ state: OrderOutcome, filled: Int64
    ) -> OrderRecord {
        OrderRecord(
            ticket: OrderTicket(
                id: OrderID(number: number),
                request: OrderRequest(
                    strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: .sell,
                    quantity: Quantity(shares: 100), type: type, timeInForce: .day, purpose: .exit,
                    reason: TextID(index: 2))),
            submitted: opening, state: state, filled: Quantity(shares: filled),
            averagePrice: filled > 0 ? Price(cents: 10_00) : nil, commission: Money(cents: 35),
            ended: state == .working ? nil : opening + .minutes(1))
    }
}

/// Whole files, as most tests want them.
extension RunTables {
    static func fills(of record: RunRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        fills(of: record) { bytes.append($0) }
        return bytes
    }

    static func orders(of record: RunRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        orders(of: record) { bytes.append($0) }
        return bytes
    }

    static func trades(of record: RunRecord, trips: RoundTrips) -> [UInt8] {
        var bytes: [UInt8] = []
        let paths = TripPaths(of: record, in: NoPrices())
        trades(of: record, trips: trips, paths: paths) { bytes.append($0) }
        return bytes
    }

    private struct NoPrices: PriceHistory {
        func range(
            of instrument: InstrumentID, from start: Timestamp, to end: Timestamp
        ) -> PriceRange? { nil }

        func open(of instrument: InstrumentID, at start: Timestamp) -> Price? { nil }
    }

    static func equity(of record: RunRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        equity(of: record) { bytes.append($0) }
        return bytes
    }
}

extension [UInt8] {
    /// Appends a block.
    mutating func append(_ block: RawSpan) {
        block.withUnsafeBytes { append(contentsOf: $0) }
    }
}

extension SeededGenerator {
    /// Of all magnitudes.
    fileprivate var units: Int64 {
        mutating get { Int64(bitPattern: next()) >> Int64(next() % 64) }
    }

    fileprivate var price: Price { mutating get { Price(units: units) } }
    fileprivate var quantity: Quantity { mutating get { Quantity(units: units) } }
    fileprivate var money: Money { mutating get { Money(units: units) } }
}
