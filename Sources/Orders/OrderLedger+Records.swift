package import Model
import Primitives

/// All orders as records: the topics `identity`, `order`, `fact`, `execution`, `change`, `group` and
/// `foreignOrder`.
extension OrderLedger {
    /// Writes all that cannot be computed from the rest.
    package func write(to writer: inout RecordWriter) {
        identity.write(to: &writer)
        for index in records.indices { writer.item(.order) { $0.write(records[index]) } }
        for index in records.indices {
            records[index].facts.writeReported(of: records[index].ticket.id, to: &writer)
        }
        for index in records.indices {
            records[index].facts.writeExecutions(of: records[index].ticket.id, to: &writer)
        }
        for change in changes { writer.item(.change) { $0.write(change) } }
        groups.write(to: &writer)
        for order in foreign { writer.item(.foreignOrder) { $0.write(order) } }
    }

    /// Takes one item into a ledger of as many instruments and strategies that has no orders yet.
    /// `finishReading` follows the last.
    package mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        if reader.topic == .identity {
            try identity.read(&reader)
        } else if reader.topic == .order {
            try readOrder(&reader)
        } else if reader.topic == .fact {
            let index = try readIndex(&reader)
            try records[index].facts.readReported(&reader)
        } else if reader.topic == .execution {
            let index = try readIndex(&reader)
            try records[index].facts.readExecution(&reader)
        } else if reader.topic == .change {
            try readChange(&reader)
        } else if reader.topic == .group {
            try groups.read(&reader)
        } else if reader.topic == .foreignOrder {
            try readForeign(&reader)
        } else {
            throw reader.damage
        }
        try reader.finish()
    }

    /// Computes what follows from the items that were read: which orders are live, what works and what is unknown.
    /// Throws when the sums could not be represented.
    package mutating func finishReading() throws(RecordError) {
        try checkSums()
        for index in records.indices {
            let request = records[index].ticket.request
            if records[index].isListed { live.append(records[index].ticket.id) }
            if records[index].isCountedUnknown { unknown[request.instrument] += 1 }
            working.add(records[index].counted, for: request)
        }
        countForeignRead()
    }

    private mutating func readOrder(_ reader: inout RecordReader) throws(RecordError) {
        let record = try reader.value(Record.self)
        let request = record.ticket.request
        guard record.ticket.id.number > newestID?.number ?? 0,
            Int(request.instrument.index) < unknown.count,
            Int(request.strategy.index) < working.strategyCount
        else { throw reader.damage }
        records.append(record)
    }

    private func readIndex(_ reader: inout RecordReader) throws(RecordError) -> Int {
        guard let index = index(of: try reader.order()) else { throw reader.damage }
        return index
    }

    /// Throws unless the sum of all that works in an instrument can be represented.
    private func checkSums() throws(RecordError) {
        var sums = Array(repeating: Int128(0), count: unknown.count)
        for index in records.indices {
            sums[Int(records[index].ticket.request.instrument.index)] +=
                Int128(records[index].counted.units)
        }
        // What is not ours comes to the sums of both sides.
        let most = Int128(Int64.max - 2 * Self.foreignMax.units)
        guard sums.allSatisfy({ $0 <= most }) else { throw RecordError(topic: .order) }
    }
}
