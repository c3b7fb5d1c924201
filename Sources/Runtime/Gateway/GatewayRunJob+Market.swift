import MarketSimulation
import Catalog
import GatewaySimulator
import MarketState
import Model
import Primitives

/// Where a simulated gateway's prices come from.
extension GatewayRunJob {
    /// The market of the options, and what the contract database is to know of it.
    struct Market: Sendable {
        var source = MarketSource.synthetic(SyntheticTraits())
        /// The symbols of a replay, with their first prices.
        var prices: [String: Price] = [:]
        /// When a replay begins; `nil` for a synthetic market.
        var start: Timestamp?
    }

    static func market(_ options: Options) throws(RunFailure) -> Market {
        switch options.market {
        case "synthetic":
            guard options.data == nil else {
                throw .usage("--data is for --market replay; a synthetic market needs none.")
            }
            return Market()
        case "replay":
            guard let folder = options.data else {
                throw .usage("--market replay needs --data, the folder of bars or ticks.")
            }
            return try replay(DataSource(path: folder, calendar: .newYork))
        default:
            throw .usage("--market is '\(options.market)': synthetic and replay are possible.")
        }
    }

    private static func replay(_ source: DataSource) throws(RunFailure) -> Market {
        do throws(DataError) {
            _ = try DataFolder.files(of: source)
        } catch {
            throw .data(
                error.remedied(
                    "Give --data a folder with bars or ticks in SYMBOL.csv or SYMBOL.csv.gz files, or one "
                        + "such file.", insteadOf: ["path"]))
        }
        do throws(DataError) {
            switch try DataLoader.kind(of: source) {
            case .bars: return try replay(DataLoader.load(source).series)
            case .ticks: return try replay(DataLoader.loadTicks(source).series)
            }
        } catch {
            throw .data(
                error.remedied(
                    "Write times with their zone, such as 2026-01-05T10:00:00-05:00; for bars martlet data "
                        + "pack does, which can be told a --zone.", insteadOf: ["zone"]
                ).remedied(
                    "Tell martlet data pack by --bar-size, and give --data the folder it writes.",
                    insteadOf: ["bar_size"]))
        }
    }

    private static func replay(_ all: [BarSeries]) throws(DataError) -> Market {
        var market = Market()
        var data = ReplayData()
        for series in all {
            try add(series.file) { () throws(ReplayData.Problem) in
                // Bars of a day last a session.
                let length = series.barSize >= .days(1) ? nil : series.barSize
                try data.add(series.rows, length: length, of: series.symbol)
            }
            market.prices[series.symbol] = series.rows.first?.open
        }
        market.start = data.firstTime
        market.source = .replay(data)
        return market
    }

    private static func replay(_ all: [TickSeries]) throws(DataError) -> Market {
        var market = Market()
        var data = ReplayData()
        for series in all {
            let id = InstrumentID(index: 0)
            let ticks = series.rows.map { row in
                row.isTrade ? MarketEvent.trade(row.trade(of: id)) : .quote(row.quote(of: id))
            }
            try add(series.file) { () throws(ReplayData.Problem) in
                try data.add(ticks: ticks, of: series.symbol)
            }
            market.prices[series.symbol] = series.rows.lazy.filter(\.isTrade).first.map {
                $0.trade(of: id).price
            }
        }
        market.start = data.firstTime
        market.source = .replay(data)
        return market
    }

    private static func add(
        _ file: SourceFile, _ body: () throws(ReplayData.Problem) -> Void
    ) throws(DataError) {
        do throws(ReplayData.Problem) {
            try body()
        } catch {
            throw DataError(
                file: file.path, finding: "cannot be replayed: \(error)",
                remedy: "martlet data check tells more.")
        }
    }
}
