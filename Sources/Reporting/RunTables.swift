import Model
import Primitives

/// The CSV files of a run. Column names and their order are stable; documentation is made from the
/// same descriptions as the headers.
package enum RunTables {
    /// `fills.csv`.
    package static func fills(of record: RunRecord) -> [UInt8] {
        let texts = TextCells(of: record)
        var csv = CSVText(.fills, rowCount: record.fills.count)
        for fill in record.fills {
            csv.add(fill.execution.time)
            csv.add(cell: texts.symbol(fill.execution.instrument))
            csv.add(cell: texts.name(fill.strategy))
            csv.add(fill.order.number)
            csv.add(word: fill.execution.side.word)
            csv.add(fill.execution.quantity)
            csv.add(fill.execution.price)
            csv.add(fill.commission)
            csv.add(cell: texts.currency(fill.execution.instrument))
            csv.add(cell: texts.reason(fill.reason))
            csv.add(fill.execution.id)
            csv.endRow()
        }
        return csv.bytes
    }

    /// `orders.csv`.
    package static func orders(of record: RunRecord) -> [UInt8] {
        let texts = TextCells(of: record)
        var csv = CSVText(.orders, rowCount: record.orders.count)
        for order in record.orders {
            let request = order.ticket.request
            csv.add(order.submitted)
            csv.add(cell: texts.symbol(request.instrument))
            csv.add(cell: texts.name(request.strategy))
            csv.add(order.ticket.id.number)
            csv.add(word: request.purpose.word)
            csv.add(word: request.side.word)
            csv.add(word: request.type.word)
            csv.add(request.quantity)
            csv.add(request.type.limitPrice)
            csv.add(request.type.stopPrice)
            csv.add(word: request.timeInForce.word)
            csv.add(word: order.state.word)
            csv.add(order.filled)
            csv.add(order.averagePrice)
            csv.add(order.commission)
            csv.add(order.ended)
            csv.add(cell: texts.reason(request.reason))
            csv.endRow()
        }
        return csv.bytes
    }

    /// `trades.csv`.
    ///
    /// - Parameter trips: the round trips of the same record.
    package static func trades(of record: RunRecord, trips: RoundTrips) -> [UInt8] {
        let texts = TextCells(of: record)
        var csv = CSVText(.trades, rowCount: trips.closed.count)
        for trip in trips.closed {
            csv.add(trip.entryTime)
            csv.add(trip.exitTime)
            csv.add(cell: texts.symbol(trip.instrument))
            csv.add(cell: texts.name(trip.strategy))
            csv.add(word: trip.side.positionWord)
            csv.add(trip.quantity)
            csv.add(trip.entryPrice)
            csv.add(trip.exitPrice)
            csv.add(trip.grossProfit)
            csv.add(trip.commission)
            csv.add(trip.netProfit)
            csv.add(percentOf: trip.returnOnEntry)
            csv.add(seconds: trip.duration)
            csv.add(Int64(trip.fillCount))
            csv.add(cell: texts.reason(trip.entryReason))
            csv.add(cell: texts.reason(trip.exitReason))
            csv.endRow()
        }
        return csv.bytes
    }

    /// `equity.csv`.
    package static func equity(of record: RunRecord) -> [UInt8] {
        var csv = CSVText(.equity, rowCount: record.equity.count)
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
            csv.endRow()
            previous = point.equity
        }
        return csv.bytes
    }

    private static func part(_ amount: Money, of whole: Money) -> Double? {
        whole > .zero ? amount.asDouble / whole.asDouble : nil
    }
}
