import Model
import Primitives

/// The CSV files of a run. Column names and their order are stable; documentation is made from the
/// same descriptions as the headers.
///
/// A file comes in blocks: `take` is called with one after the other, and the file is what they
/// make together. What `take` throws ends the file.
package enum RunTables {
    /// `fills.csv`.
    ///
    /// - Parameter fees: of `record.fills`, one by one; none if the broker reported one sum only.
    package static func fills<Failure>(
        of record: RunRecord, fees: [FillFees], _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.fills, TextCells(of: record))
        for (index, fill) in record.fills.enumerated() {
            csv.add(fill.execution.time)
            csv.add(symbolOf: fill.execution.instrument)
            csv.add(fill.strategy)
            csv.add(fill.order.number)
            csv.add(fill.execution.side.word)
            csv.add(fill.execution.quantity)
            csv.add(fill.execution.price)
            csv.add(fill.commission)
            csv.add(currencyOf: fill.execution.instrument)
            csv.add(fill.reason)
            csv.add(fill.execution.id)
            let parts = index < fees.count ? fees[index] : nil
            csv.add(parts?.broker)
            csv.add(parts?.clearing)
            csv.add(parts?.sec)
            csv.add(parts?.taf)
            try csv.endRow(take)
        }
        try csv.hand(to: take)
    }

    /// `orders.csv`.
    package static func orders<Failure>(
        of record: RunRecord, _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.orders, TextCells(of: record))
        for order in record.orders {
            let request = order.ticket.request
            csv.add(order.submitted)
            csv.add(symbolOf: request.instrument)
            csv.add(request.strategy)
            csv.add(order.ticket.id.number)
            csv.add(request.purpose.word)
            csv.add(request.side.word)
            csv.add(request.type.word)
            csv.add(request.quantity)
            csv.add(request.type.limitPrice)
            csv.add(request.type.stopPrice)
            csv.add(request.timeInForce.word)
            csv.add(order.state.word)
            csv.add(order.filled)
            csv.add(order.averagePrice)
            csv.add(order.commission)
            csv.add(order.finishedAt)
            csv.add(request.reason)
            csv.add(Int64(order.revisionCount))
            try csv.endRow(take)
        }
        try csv.hand(to: take)
    }

    /// `trades.csv`.
    ///
    /// - Parameters:
    ///   - closedTrades: the round trips of the same record.
    ///   - paths: their paths.
    package static func trades<Failure>(
        of record: RunRecord, closedTrades: RoundTrips, paths: TradePaths,
        _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.trades, TextCells(of: record))
        for (trade, path) in zip(closedTrades.closed, paths.closed) {
            csv.add(trade.entryTime)
            csv.add(trade.exitTime)
            csv.add(symbolOf: trade.instrument)
            csv.add(trade.strategy)
            csv.add(trade.side.positionWord)
            csv.add(trade.quantity)
            csv.add(trade.entryPrice)
            csv.add(trade.exitPrice)
            csv.add(trade.grossProfit)
            csv.add(trade.commission)
            csv.add(trade.netProfit)
            csv.add(percentOf: trade.returnOnEntry)
            csv.add(seconds: trade.duration)
            csv.add(Int64(trade.fillCount))
            csv.add(trade.entryReason)
            csv.add(trade.exitReason)
            csv.add(path.lowest)
            csv.add(path.highest)
            csv.add(percentOf: trade.part(path.lowest))
            csv.add(percentOf: trade.part(path.highest))
            csv.add(path.slippage)
            try csv.endRow(take)
        }
        try csv.hand(to: take)
    }

    /// `lots.csv`.
    ///
    /// - Parameter lots: those of the same record.
    package static func lots<Failure>(
        of record: RunRecord, _ lots: TaxLots, _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.lots, TextCells(of: record))
        for lot in lots.lots {
            let (gross, charge) = (lot.grossProfit?.rounded(), lot.charge.rounded())
            csv.add(lot.opened)
            csv.add(lot.closed)
            csv.add(symbolOf: lot.instrument)
            csv.add(lot.strategy)
            csv.add(lot.side.positionWord)
            csv.add(lot.quantity)
            csv.add(lot.cost?.rounded())
            csv.add(lot.proceeds?.rounded())
            csv.add(gross)
            csv.add(charge)
            csv.add(gross.map { $0 - charge })
            csv.add(integer: lot.days)
            csv.add(word: lot.term?.word)
            try csv.endRow(take)
        }
        try csv.hand(to: take)
    }

    /// `rolling.csv`.
    package static func rolling<Failure>(
        of record: RunRecord, _ statistics: RollingStatistics,
        _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.rolling, TextCells(of: record))
        for point in statistics.points {
            csv.add(point.day)
            csv.add(percentOf: point.short.volatility)
            csv.add(number: point.short.sharpe)
            csv.add(percentOf: point.long.volatility)
            csv.add(number: point.long.sharpe)
            try csv.endRow(take)
        }
        try csv.hand(to: take)
    }

    /// `scores.csv`.
    package static func scores<Failure>(
        of record: RunRecord, _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.scores, TextCells(of: record))
        try add(record.scores, to: &csv, take)
        try csv.hand(to: take)
    }

    /// More rows of `scores.csv`, for a file that has its header.
    ///
    /// - Parameter names: symbols by `InstrumentID.index`, and strategies' names by `StrategyID.index`.
    package static func moreScores<Failure>(
        _ scores: [ScoreRecord], _ names: (symbols: [String], strategies: [String]),
        _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        let cells = TextCells(symbols: names.symbols, strategies: names.strategies)
        var csv = CSVText(.scores, cells, isHeaded: false)
        try add(scores, to: &csv, take)
        try csv.hand(to: take)
    }

    private static func add<Failure>(
        _ scores: [ScoreRecord], to csv: inout CSVText, _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        for score in scores {
            csv.add(score.at)
            csv.add(score.strategy)
            csv.add(symbolOf: score.instrument)
            csv.add(number: score.score)
            csv.add(integer: score.rank)
            csv.add(score.held)
            try csv.endRow(take)
        }
    }

    /// `equity.csv`.
    package static func equity<Failure>(
        of record: RunRecord, _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.equity, TextCells(of: record))
        var previous = record.startingCapital
        var high = record.startingCapital
        var flows = record.cashFlows[...]
        for point in record.equity {
            var linked = LinkedReturn(from: previous)
            var isDefined = true
            var paid = Money.zero
            // At midnight, one day's last row and the next day's payment have the same time.
            while let flow = flows.first, flow.at <= point.at, flow.day <= point.day {
                if !linked.take(flow) { isDefined = false }
                paid += flow.amount
                high = max(high, flow.equityBefore) + flow.amount
                flows.removeFirst()
            }
            high = max(high, point.equity)
            csv.add(point.day)
            csv.add(point.at)
            csv.add(point.equity)
            csv.add(point.cash)
            csv.add(point.grossExposure)
            csv.add(percentOf: isDefined ? linked.value(to: point.equity) : nil)
            csv.add(percentOf: part(high - point.equity, of: high))
            csv.add(paid)
            try csv.endRow(take)
            previous = point.equity
        }
        try csv.hand(to: take)
    }

    private static func part(_ amount: Money, of whole: Money) -> Double? {
        whole > .zero ? amount.asDouble / whole.asDouble : nil
    }
}

extension RoundTrip {
    /// An amount as a part of the entries' value; `nil` when that is nothing.
    fileprivate func part(_ amount: Money?) -> Double? {
        let value = entryValue.magnitude.asDouble
        guard let amount, value > 0 else { return nil }
        return amount.asDouble / value
    }
}
