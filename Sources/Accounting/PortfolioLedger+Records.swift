package import Model
import Primitives

/// The account as records: the topics `account`, `position`, `ledger`, `unsettled` and `corporateAction`.
extension PortfolioLedger {
    /// Writes all that cannot be computed from the rest.
    package func write(to writer: inout RecordWriter) {
        let isUncharged = PlantedBug.chargesNotSaved.isPlanted
        writer.item(.account) { writer in
            writer.write(isUncharged ? cash + fees.total : cash)
            writer.write(isUncharged ? settledCash + fees.total : settledCash)
            writer.write(isUncharged ? Fees() : fees)
            writer.write(interest)
            writer.write(otherIncome)
            writer.write(contributed)
            writer.write(timeWeightedReturn)
            writer.write(drawdown)
            writer.write(optional: settlements.settledThrough)
        }
        for index in 0..<instruments.count {
            let position = instruments[index]
            guard position.quantity != .zero || position.mark != nil else { continue }
            writer.item(.position) { writer in
                writer.write(InstrumentID(index: index))
                writer.write(position.quantity)
                writer.write(optional: position.mark)
            }
        }
        for row in 0..<ledgers.count {
            guard ledgers[row] != PositionLedger() || bases[row] != nil else { continue }
            writer.item(.ledger) { writer in
                let strategy = row / instruments.count
                writer.write(strategy < strategyCount)
                if strategy < strategyCount { writer.write(StrategyID(index: strategy)) }
                writer.write(InstrumentID(index: row % instruments.count))
                writer.write(ledgers[row])
                writer.write(optional: bases[row])
            }
        }
        settlements.write(to: &writer)
        for booked in actions { writer.item(.corporateAction) { $0.write(booked) } }
    }

    /// Takes one item into a ledger of the same instruments and strategies to which nothing has happened yet.
    /// `finishReading` follows the last.
    package mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        if reader.topic == .account {
            try readAccount(&reader)
        } else if reader.topic == .position {
            try readPosition(&reader)
        } else if reader.topic == .ledger {
            try readLedger(&reader)
        } else if reader.topic == .unsettled {
            try settlements.read(&reader)
        } else if reader.topic == .corporateAction {
            try readAction(&reader)
        } else {
            throw reader.damage
        }
        try reader.finish()
    }

    /// Computes what follows from the items that were read: values and equity. Throws unless the sums of the ledger
    /// are what they must be.
    package mutating func finishReading() throws(RecordError) {
        equity = cash
        for index in 0..<instruments.count {
            let value = try readValue(at: index)
            instruments[index].value = value
            equity += value
        }
        guard identityHolds else { throw RecordError(topic: .account) }
    }

    private mutating func readAccount(_ reader: inout RecordReader) throws(RecordError) {
        cash = try reader.exactMoney()
        settledCash = try reader.exactMoney()
        fees = try reader.value(Fees.self)
        interest = try reader.exactMoney()
        otherIncome = try reader.exactMoney()
        contributed = try reader.exactMoney()
        timeWeightedReturn = try reader.value(TimeWeightedReturn.self)
        drawdown = try reader.value(Drawdown.self)
        settlements.read(settledThrough: try reader.optional(Day.self))
    }

    private mutating func readPosition(_ reader: inout RecordReader) throws(RecordError) {
        let index = Int(try readInstrument(&reader).index)
        instruments[index].quantity = try reader.quantity()
        instruments[index].mark = try reader.optional(Price.self)
    }

    private mutating func readLedger(_ reader: inout RecordReader) throws(RecordError) {
        let owner = try reader.flag() ? Int(try reader.strategy().index) : strategyCount
        let instrument = try readInstrument(&reader)
        guard owner <= strategyCount else { throw reader.damage }
        let row = owner * instruments.count + Int(instrument.index)
        use(row)
        ledgers[row] = try reader.value(PositionLedger.self)
        bases[row] = try reader.optional(PositionLedger.self)
    }

    private mutating func readAction(_ reader: inout RecordReader) throws(RecordError) {
        let booked = try reader.value(BookedAction.self)
        guard Int(booked.action.instrument.index) < instruments.count,
            actions.last.map({ $0.action.exDay <= booked.action.exDay }) ?? true
        else { throw reader.damage }
        actions.append(booked)
    }

    private func readInstrument(_ reader: inout RecordReader) throws(RecordError) -> InstrumentID {
        let instrument = try reader.instrument()
        guard Int(instrument.index) < instruments.count else { throw reader.damage }
        return instrument
    }

    /// What a position is worth that was read. Throws unless it is what its owners hold, and what is worth no more
    /// than amounts in records are.
    private func readValue(at index: Int) throws(RecordError) -> ExactMoney {
        let damage = RecordError(topic: .position)
        var held: Int64 = 0
        for owner in 0...strategyCount {
            let units = ledgers[owner * instruments.count + index].quantity.units
            let (sum, overflowed) = held.addingReportingOverflow(units)
            guard !overflowed else { throw damage }
            held = sum
        }
        let position = instruments[index]
        guard held == position.quantity.units else { throw damage }
        guard position.quantity != .zero else { return .zero }
        guard let mark = position.mark else { return unmarkedValue(at: index) }
        let (units, overflowed) = (mark * position.quantity).units
            .multipliedReportingOverflow(by: Int128(position.multiplier))
        guard !overflowed, units.magnitude < 1 << 104 else { throw damage }
        return ExactMoney(units: units)
    }
}
