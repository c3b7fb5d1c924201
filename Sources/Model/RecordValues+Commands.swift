import Primitives

// What the engine wants done, as records have it.

extension TimerID: RecordValue {
    /// Writes the strategy, -1 for the engine, and the number.
    package func write(to writer: inout RecordWriter) {
        writer.write(strategy?.index ?? -1)
        writer.write(number)
    }

    /// The timer as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let owner = try reader.int32()
        let number = Int(try reader.int32())
        guard owner >= -1 else { throw reader.damage }
        self =
            owner < 0
            ? TimerID(engine: number)
            : TimerID(strategy: StrategyID(index: Int(owner)), number: number)
    }
}

extension Command: RecordValue {
    /// Writes the case's number and what belongs to it.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .submit(let ticket):
            writer.write(0)
            writer.write(ticket)
        case .modify(let ticket, let revision):
            writer.write(1)
            writer.write(ticket)
            writer.write(revision)
        case .cancel(let order):
            writer.write(2)
            writer.write(order)
        case .probe(let order):
            writer.write(3)
            writer.write(order)
        case .query(let kind):
            writer.write(4)
            writer.write(kind)
        case .setTimer(let id, let time):
            writer.write(5)
            writer.write(id)
            writer.write(time)
        }
    }

    /// The command as written: one that was carried out, never one to be carried out again.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .submit(try reader.value(OrderTicket.self))
        case 1:
            self = .modify(
                try reader.value(OrderTicket.self), revision: try reader.int32())
        case 2: self = .cancel(try reader.order())
        case 3: self = .probe(try reader.order())
        case 4: self = .query(try reader.raw(ListingKind.self))
        case 5: self = .setTimer(try reader.value(TimerID.self), at: try reader.time())
        case _: throw reader.damage
        }
    }
}
