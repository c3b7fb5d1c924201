import Accounting
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
                time,symbol,strategy,order,side,quantity,price,commission,currency,reason,\
                execution,broker_fee,clearing_fee,sec_fee,taf_fee
                2024-01-02T14:30:00Z,AAPL,crossover,1,BUY,100,10.05,1.00,USD,fast above slow,1.1,,,,
                2024-01-02T14:46:00Z,SPXW,momentum,17,SELL,1.5,10.50000001,-0.02,USD,,17.1,,,,

                """)
    }

    @Test func feesStandInTheirParts() {
        var record = RunRecord.uneventful
        record.fills = [.sample(.sell, 100, atCents: 10_05, commission: Money(cents: 1_26))]
        let fees = FillFees(
            broker: Money(cents: 1_00), clearing: Money(cents: 2), sec: Money(cents: 23),
            taf: Money(cents: 1))
        var bytes: [UInt8] = []
        RunTables.fills(of: record, fees: [fees]) { bytes.append($0) }
        #expect(CSVReader.rows(of: bytes)[1].suffix(4) == ["1.00", "0.02", "0.23", "0.01"])
    }

    @Test func ordersShowWhatWasAskedAndWhatBecameOfIt() {
        var record = RunRecord.uneventful
        record.orders = [
            .sample(1, .limit(Price(cents: 9_99)), .cancelled(.expired), filled: 40),
            .sample(2, .stop(Price(cents: 8_00)), .working, filled: 0),
            .sample(3, .market, .filled, filled: 100),
        ]
        record.orders[1].revisionCount = 2
        #expect(
            String(ascii: RunTables.orders(of: record)) == """
                submitted,symbol,strategy,order,purpose,side,type,quantity,limit_price,stop_price,\
                time_in_force,state,filled,average_price,commission,finished,reason,\
                revisions
                2024-01-02T14:30:00Z,AAPL,crossover,1,EXIT,SELL,LIMIT,100,9.99,,DAY,\
                CANCELLED_EXPIRED,40,10.00,0.35,2024-01-02T14:31:00Z,stop,0
                2024-01-02T14:30:00Z,AAPL,crossover,2,EXIT,SELL,STOP,100,,8.00,DAY,\
                WORKING,0,,0.35,,stop,2
                2024-01-02T14:30:00Z,AAPL,crossover,3,EXIT,SELL,MARKET,100,,,DAY,FILLED,100,10.00,\
                0.35,2024-01-02T14:31:00Z,stop,0

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
            String(ascii: RunTables.trades(of: record, closedTrades: RoundTrips(of: record))) == """
                entry_time,exit_time,symbol,strategy,side,quantity,entry_price,exit_price,\
                gross_profit,commission,net_profit,return_pct,duration_seconds,fills,\
                entry_reason,exit_reason,mae,mfe,mae_pct,mfe_pct,slippage
                2024-01-02T14:30:00Z,2024-01-02T14:31:00Z,AAPL,crossover,LONG,100,10.00,9.00,\
                -100.00,2.00,-102.00,-10.200000,60,2,fast above slow,stop,\
                -100.00,0.00,-10.000000,0.000000,

                """)
    }

    @Test func equityShowsReturnsAndDrawdowns() {
        var record = RunRecord.sessions(
            startingWith: 100_00, equityInCents: [80_00, 120_00, 90_00])
        record.equity[2] = EquityPoint(
            day: Day(number: 19_726), at: opening + .days(2), equity: Money(cents: 90_00),
            cash: Money(cents: -10_00), grossExposure: Money(cents: 100_00))
        // 80/100, 120/80, 90/120; a fifth below 100, at a high, a quarter below 120.
        #expect(
            String(ascii: RunTables.equity(of: record)) == """
                day,time,equity,cash,gross_exposure,return_pct,drawdown_pct,cash_flow
                2024-01-02,2024-01-02T14:30:00Z,80.00,80.00,0.00,-20.000000,20.000000,0.00
                2024-01-03,2024-01-03T14:30:00Z,120.00,120.00,0.00,50.000000,0.000000,0.00
                2024-01-04,2024-01-04T14:30:00Z,90.00,-10.00,100.00,-25.000000,25.000000,0.00

                """)
    }

    /// 100 fall to 80. 50 come in, so the high is 150 and 130 work; they become 117, a tenth less.
    /// Then 17 go, and 100 of a high of 133 become 110.
    @Test func equityShowsPaymentsApartFromReturns() {
        var record = RunRecord.sessions(
            startingWith: 100_00, equityInCents: [80_00, 117_00, 110_00])
        record.cashFlows = [
            .sample(session: 1, cents: 50_00, before: 80_00),
            .sample(session: 2, cents: -17_00, before: 117_00),
        ]
        let rows = CSVReader.rows(of: RunTables.equity(of: record)).dropFirst()
        #expect(
            rows.map { Array($0[5...]) } == [
                ["-20.000000", "20.000000", "0.00"], ["-10.000000", "22.000000", "50.00"],
                ["10.000000", "17.293233", "-17.00"],
            ])
    }

    /// 100 at 10.00 for 1.00, of which 40 are sold at 12.50 for 0.80, and 60 held.
    @Test func lotsShowWhatWasClosedThenWhatIsOpen() {
        var record = RunRecord.uneventful
        record.fills = [
            .sample(.buy, 100, atCents: 10_00, commission: Money(cents: 1_00)),
            .sample(
                .sell, 40, atCents: 12_50, minute: 2 * 24 * 60, commission: Money(cents: 80)),
            .sample(.sell, 1, atCents: 3_00, instrument: 1, strategy: 1),
        ]
        var bytes: [UInt8] = []
        RunTables.lots(of: record, TaxLots(of: record, .firstInFirstOut)) { bytes.append($0) }
        #expect(
            String(ascii: bytes) == """
                opened,closed,symbol,strategy,side,quantity,cost,proceeds,gross_profit,commission,\
                net_profit,days,term
                2024-01-02T14:30:00Z,2024-01-04T14:30:00Z,AAPL,crossover,LONG,40,400.00,500.00,\
                100.00,1.20,98.80,2,SHORT_TERM
                2024-01-02T14:30:00Z,,AAPL,crossover,LONG,60,600.00,,,0.60,,,
                2024-01-02T14:30:00Z,,SPXW,momentum,SHORT,1,,300.00,,0.00,,,

                """)
    }

    @Test func rollingFiguresAreEmptyUntilThereAreEnough() {
        // Mean 0.02, sample deviation √0.0002; 2 sessions. Third: mean 0.03, the same deviation.
        let returns = [0.01, 0.03, 0.03, 0.05].enumerated().map {
            DailyReturn(day: day($0), value: $1)
        }
        let rolling = RollingStatistics(of: returns, RollingStatistics.Windows(short: 2, long: 4))
        var bytes: [UInt8] = []
        RunTables.rolling(of: .uneventful, rolling) { bytes.append($0) }
        // √(0.0002 · 252) = 0.2244994; 0.02 · 252 / 0.2244994 = 22.449944. Equal returns have no Sharpe
        // ratio. Of all four: mean 0.03, deviation √(0.0008 / 3), 0.2592296, 29.163331.
        #expect(
            String(ascii: bytes) == """
                day,volatility_short_pct,sharpe_short,volatility_long_pct,sharpe_long
                2024-01-02,,,,
                2024-01-03,22.449944,22.449944,,
                2024-01-04,0.000000,,,
                2024-01-05,22.449944,44.899889,25.922963,29.163333

                """)
    }

    @Test func scoresAreOneLineEach() {
        var record = RunRecord.uneventful
        record.scores = [
            ScoreRecord(
                at: opening, strategy: StrategyID(index: 1), instrument: InstrumentID(index: 0),
                score: 0.0525, rank: 2, held: Quantity(shares: -5)),
            ScoreRecord(
                at: opening, strategy: StrategyID(index: 0), instrument: InstrumentID(index: 1),
                score: .nan, rank: nil, held: .zero),
        ]
        #expect(
            String(ascii: RunTables.scores(of: record)) == """
                time,strategy,symbol,score,rank,held
                2024-01-02T14:30:00Z,momentum,AAPL,0.052500,2,-5
                2024-01-02T14:30:00Z,crossover,SPXW,,,0

                """)
    }

    /// Rows behind those of a file are the same, without a header.
    @Test func moreScoresHaveNoHeader() {
        var record = RunRecord.uneventful
        record.scores = [
            ScoreRecord(
                at: opening, strategy: StrategyID(index: 1), instrument: InstrumentID(index: 0),
                score: 0.0525, rank: 2, held: Quantity(shares: -5))
        ]
        var bytes: [UInt8] = []
        RunTables.moreScores(
            record.scores, (record.instruments.map(\.symbol), record.strategies)
        ) { bytes.append($0) }
        let header = CSVDescription.scores.header + "\n"
        #expect(String(ascii: RunTables.scores(of: record)) == header + String(ascii: bytes))
        #expect(!bytes.isEmpty)
    }

    @Test func aReturnOnNothingIsAnEmptyCell() {
        let record = RunRecord.sessions(startingWith: 0, equityInCents: [0])
        let rows = CSVReader.rows(of: RunTables.equity(of: record))
        #expect(rows[1][5...] == ["", "", "0.00"])
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
        let trades = RoundTrips(of: record)
        let files: [(CSVDescription, [UInt8])] = [
            (.fills, RunTables.fills(of: record)), (.orders, RunTables.orders(of: record)),
            (.trades, RunTables.trades(of: record, closedTrades: trades)),
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
            RunTables.trades(of: record, closedTrades: RoundTrips(of: record)),
            RunTables.lots(of: record), RunTables.equity(of: record),
            RunTables.rolling(of: record), RunTables.scores(of: record),
            RunTables.decisions(of: record),
        ]
        for (description, bytes) in zip(CSVDescription.all, files) {
            #expect(CSVReader.rows(of: bytes) == [description.columns.map { $0.name }])
        }
        #expect(
            CSVDescription.all.map { $0.file }
                == [
                    "fills.csv", "orders.csv", "trades.csv", "lots.csv", "equity.csv",
                    "rolling.csv",
                    "scores.csv", "decisions.csv",
                ])
    }

    /// Property: whatever the values, however many blocks a file comes in, however long the texts,
    /// cells read like the values' descriptions.
    @Test(arguments: [1, 3_000])
    func longFilesStateTheSameAsTheirValues(nameLength: Int) {
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
        RunTables.fills(of: record, fees: []) {
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
                    record.reasons[Int(fill.reason.index)], "\(execution.id.base).1", "", "", "",
                    "",
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
        let term = CSVDescription.lots.columns.first { $0.name == "term" }
        #expect(term?.type == .word([TaxLot.Term.short, .long].map { $0.word.text }))
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
            finishedAt: state == .working ? nil : opening + .minutes(1))
    }
}

/// Whole files, as most tests want them.
extension RunTables {
    static func fills(of record: RunRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        fills(of: record, fees: []) { bytes.append($0) }
        return bytes
    }

    static func orders(of record: RunRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        orders(of: record) { bytes.append($0) }
        return bytes
    }

    static func trades(of record: RunRecord, closedTrades: RoundTrips) -> [UInt8] {
        var bytes: [UInt8] = []
        let paths = TradePaths(of: record, in: NoPrices())
        trades(of: record, closedTrades: closedTrades, paths: paths) { bytes.append($0) }
        return bytes
    }

    private struct NoPrices: PriceHistory {
        func range(
            of instrument: InstrumentID, from start: Timestamp, to end: Timestamp
        ) -> PriceRange? { nil }

        func open(of instrument: InstrumentID, at start: Timestamp) -> Price? { nil }
    }

    static func lots(of record: RunRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        lots(of: record, TaxLots(of: record, .firstInFirstOut)) { bytes.append($0) }
        return bytes
    }

    static func rolling(of record: RunRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        rolling(of: record, RollingStatistics(of: [], .usual)) { bytes.append($0) }
        return bytes
    }

    static func scores(of record: RunRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        scores(of: record) { bytes.append($0) }
        return bytes
    }

    static func decisions(of record: RunRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        decisions(of: record) { bytes.append($0) }
        return bytes
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
