import Accounting
import Catalog
import Foundation
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import Testing
import TradingEngine

@testable import Runtime

/// Buys at the open of the second bar, and keeps it.
private struct Holder: Strategy {
    static let declaration = StrategyDeclaration(name: "holder", summary: "buys and holds")
    private var isIn = false

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        if !isIn { context.enter(.buy, bar.instrument, because: "the first bar") }
        isIn = true
    }
}

/// What a company did to its shares, as this test reads it from the columns.
private struct Deed {
    let row: Int
    /// New shares for an old one: a split, or what a spin-off took from the price.
    var ratio = 1.0
    var isSplit = false
    var dividend = 0.0
}

/// One symbol as traded, and what this test makes of it without the program.
private struct Traded {
    let series: BarSeries
    let deeds: [Deed]

    init(_ series: BarSeries) {
        self.series = series
        var deeds: [Int: Deed] = [:]
        // What takes effect before the purchase, at the open of the second bar, bears on nothing.
        for action in series.actions where action.row > 1 {
            switch action.kind {
            case .dividend(let amount):
                deeds[action.row, default: Deed(row: action.row)].dividend = Self.value(amount)
            case .split(let ratio):
                let number = Double(ratio.units) / 1e8
                let isSplit = number < 1 || Self.oldShares(number) != nil
                deeds[action.row, default: Deed(row: action.row)].ratio =
                    isSplit ? Self.exact(number) : number
                deeds[action.row]?.isSplit = isSplit
            }
        }
        self.deeds = deeds.values.sorted { $0.row < $1.row }
    }

    static func value(_ price: Price) -> Double { Double(price.units) / 1e8 }

    /// How many old shares a ratio of small whole numbers is for.
    static func oldShares(_ ratio: Double) -> Int? {
        (1...50).first { abs(ratio * Double($0) - (ratio * Double($0)).rounded()) < 2e-6 * ratio }
    }

    /// 1/6 for 0.166667.
    private static func exact(_ ratio: Double) -> Double {
        if ratio < 1 { return 1 / (1 / ratio).rounded() }
        let old = Double(oldShares(ratio) ?? 1)
        return (ratio * old).rounded() / old
    }

    /// What a row's prices are multiplied by: for all that comes behind it.
    func factors(dividends: Bool) -> [Double] {
        var factors = Array(repeating: 1.0, count: series.rows.count)
        var factor = 1.0
        var left = deeds[...]
        for row in series.rows.indices.reversed() {
            factors[row] = factor
            guard row > 0, let deed = left.last, deed.row == row else { continue }
            left.removeLast()
            if deed.isSplit || dividends { factor /= deed.ratio }
            if dividends {
                let before = Self.value(series.rows[row - 1].close) / deed.ratio
                factor *= 1 - deed.dividend / before
            }
        }
        return factors
    }

    /// The series with each price multiplied by its row's factor, and no actions.
    func adjusted(dividends: Bool) -> BarSeries {
        let factors = factors(dividends: dividends)
        var adjusted = series
        adjusted.actions = []
        for index in adjusted.rows.indices where factors[index] != 1 {
            func scaled(_ price: Price) -> Price {
                Price(units: Int64((Double(price.units) * factors[index]).rounded()))
            }
            adjusted.rows[index].open = scaled(adjusted.rows[index].open)
            adjusted.rows[index].high = scaled(adjusted.rows[index].high)
            adjusted.rows[index].low = scaled(adjusted.rows[index].low)
            adjusted.rows[index].close = scaled(adjusted.rows[index].close)
        }
        return adjusted
    }

    /// The series with its splits alone.
    var withSplitsOnly: BarSeries {
        var copy = series
        let rows = Set(deeds.filter(\.isSplit).map(\.row))
        copy.actions = series.actions.filter { action in
            guard case .split = action.kind else { return false }
            return rows.contains(action.row)
        }
        return copy
    }

    /// What one share becomes by all splits.
    var sharesAtEnd: Double { deeds.filter(\.isSplit).reduce(1) { $0 * $1.ratio } }
}

/// What a symbol's runs came to.
private struct Reconciled {
    let symbol: String
    let splits: Int
    let dividends: Int
    /// Profit on raw prices with splits less that on split-adjusted prices, and what rounding to whole shares
    /// can make of it.
    let splitDifference: Double
    let splitBound: Double
    /// Profit on raw prices, dividends and all, less that of this test's ledger, in dollars.
    let ledgerDifference: Double
    /// How far growth on total-adjusted prices is from raw prices with every dividend reinvested.
    let totalDifference: Double
}

/// Buy and hold, costs off, on prices as traded and as adjusted: the account's splits, spin-offs and dividends held to
/// the arithmetic of adjusted prices.
@Suite struct AdjustmentTests {
    private static let shares = 101.0

    private static func profit(
        _ series: BarSeries, shares: Double, basis: PriceBasis
    ) throws -> (profit: Double, record: RunRecord) {
        var trial = Trial([series], Holder())
        trial.venue = VenueRules(calendar: .newYork)
        trial.account = { $0.calendar = .newYork }
        trial.sizing = .fixedShares(Quantity(shares: Int64(shares)))
        trial.capital = Money(cents: 100_000_000_000)
        if basis == .raw {
            trial.actions = try TimedAction.all(
                in: DataSet(series: [series], basis: .raw, stamp: .start, calendar: .newYork))
        }
        let record = try trial.run()
        #expect(record.fills.count == 1, "\(series.symbol)")
        return (Double(record.finalEquity.units - trial.capital.units) / 1e6, record)
    }

    /// Raw with splits against split-adjusted: as many shares of the end, in the shares of each run's start.
    private static func splitDifference(_ traded: Traded) throws -> (Double, bound: Double) {
        let adjusted = traded.adjusted(dividends: false)
        let raw = try profit(traded.withSplitsOnly, shares: shares, basis: .raw).profit
        let atEnd = (shares * traded.sharesAtEnd).rounded()
        let other = try profit(adjusted, shares: atEnd, basis: .split).profit
        // Of each split a share at most is paid in cash, and then misses what becomes of it; the purchase on adjusted
        // prices is off by a share at most. Prices are rounded to 10^-8.
        let high = adjusted.rows.map { Traded.value($0.high) }.max() ?? 0
        var ratioBehind = 1.0
        var bound = high + atEnd * 2e-8
        for deed in traded.deeds.reversed() where deed.isSplit {
            bound += high * ratioBehind
            ratioBehind *= deed.ratio
        }
        let hasWhole = traded.deeds.allSatisfy { !$0.isSplit || $0.ratio == $0.ratio.rounded() }
        return (raw - other, hasWhole ? atEnd * 2e-8 + 0.01 : bound)
    }

    /// This test's own ledger of the purchase: shares, what fractions brought, and dividends.
    private static func ledgerProfit(_ traded: Traded) -> Double {
        let rows = traded.series.rows
        var held = shares
        var cash = -shares * Traded.value(rows[1].open)
        for deed in traded.deeds {
            let before = Traded.value(rows[deed.row - 1].close)
            if deed.isSplit {
                let exact = held * deed.ratio
                held = (exact + 1e-9).rounded(.down)
                cash += (exact - held) * before / deed.ratio
            } else if deed.ratio != 1 {
                cash += held * before * (1 - 1 / deed.ratio)
            }
            cash += held * deed.dividend
        }
        return cash + held * Traded.value(rows[rows.count - 1].close)
    }

    /// Growth of the purchase with every dividend that the run booked reinvested at the close before, as adjusted prices
    /// do.
    private static func reinvestedGrowth(_ traded: Traded, _ record: RunRecord) -> Double {
        let rows = traded.series.rows
        let calendar = SessionCalendar.newYork
        var slot: [Day: Int] = [:]
        for (index, row) in rows.enumerated() { slot[calendar.day(of: row.start)] = index }
        var ratios: [Day: Double] = [:]
        var units = 1.0
        for booked in record.actions {
            guard let row = slot[booked.action.exDay], row > 1 else { continue }
            switch booked.action.kind {
            case .split(let ratio):
                let number = Double(ratio.new) / Double(ratio.old)
                units *= number
                ratios[booked.action.exDay] = number
            case .dividend(let perShare):
                let before =
                    Traded.value(rows[row - 1].close) / (ratios[booked.action.exDay] ?? 1)
                units /= 1 - Traded.value(perShare) / before
                // A dividend behind a spin-off is told at the price behind it.
                ratios[booked.action.exDay, default: 1] /= 1 - Traded.value(perShare) / before
            }
        }
        return units * Traded.value(rows[rows.count - 1].close) / Traded.value(rows[1].open)
    }

    private static func reconciled(_ series: BarSeries) throws -> Reconciled {
        let traded = Traded(series)
        let (split, bound) = try splitDifference(traded)
        let (raw, record) = try profit(series, shares: shares, basis: .raw)
        let total = traded.adjusted(dividends: true)
        let paid = shares * Traded.value(total.rows[1].open)
        let growth = try 1 + profit(total, shares: shares, basis: .total).profit / paid
        return Reconciled(
            symbol: series.symbol, splits: traded.deeds.count { $0.isSplit },
            dividends: traded.deeds.count { $0.dividend > 0 || !$0.isSplit },
            splitDifference: split, splitBound: bound,
            ledgerDifference: raw - ledgerProfit(traded),
            totalDifference: growth / reinvestedGrowth(traded, record) - 1)
    }

    /// The bundled samples, the rows around actions beside this test, and the folder that
    /// `Scripts/reconcile-adjustments.sh` names.
    private static var folders: [String] {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = here.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let given = root.appendingPathComponent(".build/reconcile").path
        let bundled = [
            root.appendingPathComponent("Samples/data/daily").path,
            root.appendingPathComponent("Tests/RuntimeTests/Fixtures/actions").path,
        ]
        return bundled + (FileManager.default.fileExists(atPath: given) ? [given + "/"] : [])
    }

    @Test(arguments: folders)
    func buyAndHoldIsTheSameOnRawAndAdjustedPrices(folder: String) throws {
        let source = DataSource(path: folder, calendar: .newYork)
        let series = try DataLoader.load(source).series.filter { !$0.actions.isEmpty }
        #expect(!series.isEmpty)
        var all: [Reconciled] = []
        for one in series {
            let result = try Self.reconciled(one)
            all.append(result)
            // Fractions of raw shares are not in the adjusted ones.
            #expect(
                abs(result.splitDifference) <= result.splitBound,
                "\(result.symbol): splits \(result.splitDifference), bound \(result.splitBound)")
            // Cents, for what is rounded to them.
            #expect(
                abs(result.ledgerDifference) <= 0.01,
                "\(result.symbol): ledger \(result.ledgerDifference)")
            // Adjusted prices have eight decimals.
            #expect(
                abs(result.totalDifference) <= 2e-6,
                "\(result.symbol): total \(result.totalDifference)")
        }
        Self.report(all, of: folder)
    }

    private static func report(_ all: [Reconciled], of folder: String) {
        func most(_ value: (Reconciled) -> Double) -> String {
            guard let result = all.max(by: { abs(value($0)) < abs(value($1)) }) else { return "-" }
            return "\(value(result)) (\(result.symbol))"
        }
        print(
            """
            \(folder): \(all.count) symbols, \(all.reduce(0) { $0 + $1.splits }) splits, \
            \(all.reduce(0) { $0 + $1.dividends }) dividends and spin-offs, \(Int(shares)) shares each
              raw less split-adjusted, USD: at most \(most(\.splitDifference))
              raw less the ledger, USD: at most \(most(\.ledgerDifference))
              total-adjusted growth less raw reinvested, relative: at most \(most(\.totalDifference))
            """)
    }
}
