import Model
import Primitives

/// The CSV files of a run. Column names and their order are stable; documentation is made from the
/// same descriptions as the headers.
///
/// A file comes in blocks: `take` is called with one after the other, and the file is what they
/// make together. What `take` throws ends the file.
package enum RunTables {
    /// `fills.csv`.
    package static func fills<Failure>(
        of record: RunRecord, _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.fills, TextCells(of: record))
        for fill in record.fills {
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
            csv.add(order.ended)
            csv.add(request.reason)
            try csv.endRow(take)
        }
        try csv.hand(to: take)
    }

    /// `trades.csv`.
    ///
    /// - Parameters:
    ///   - trips: the round trips of the same record.
    ///   - paths: their paths.
    package static func trades<Failure>(
        of record: RunRecord, trips: RoundTrips, paths: TripPaths,
        _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.trades, TextCells(of: record))
        for (trip, path) in zip(trips.closed, paths.closed) {
            csv.add(trip.entryTime)
            csv.add(trip.exitTime)
            csv.add(symbolOf: trip.instrument)
            csv.add(trip.strategy)
            csv.add(trip.side.positionWord)
            csv.add(trip.quantity)
            csv.add(trip.entryPrice)
            csv.add(trip.exitPrice)
            csv.add(trip.grossProfit)
            csv.add(trip.commission)
            csv.add(trip.netProfit)
            csv.add(percentOf: trip.returnOnEntry)
            csv.add(seconds: trip.duration)
            csv.add(Int64(trip.fillCount))
            csv.add(trip.entryReason)
            csv.add(trip.exitReason)
            csv.add(path.lowest)
            csv.add(path.highest)
            csv.add(percentOf: trip.part(path.lowest))
            csv.add(percentOf: trip.part(path.highest))
            csv.add(path.slippage)
            try csv.endRow(take)
        }
        try csv.hand(to: take)
    }

    /// `equity.csv`.
    package static func equity<Failure>(
        of record: RunRecord, _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        var csv = CSVText(.equity, TextCells(of: record))
        var previous = record.startingCapital
        var high = record.startingCapital
        for point in record.equity {
            high = max(high, point.equity)
            csv.add(point.day)
            csv.add(point.at)
            csv.add(point.equity)
            csv.add(point.cash)
            csv.add(point.grossExposure)
            csv.add(percentOf: part(point.equity - previous, of: previous))
            csv.add(percentOf: part(high - point.equity, of: high))
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
