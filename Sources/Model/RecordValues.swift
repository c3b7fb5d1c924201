import Primitives

// Orders and what belongs to them, as records have them.

extension Side: RecordValue {
    /// Writes 0 for buy, 1 for sell.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .buy: writer.write(0)
        case .sell: writer.write(1)
        }
    }

    /// The side of a number.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.flag() ? .sell : .buy
    }
}

extension OrderPurpose: RecordValue {
    /// Writes 0 for an entry, 1 for an exit, 2 for protection.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .entry: writer.write(0)
        case .exit: writer.write(1)
        case .protection: writer.write(2)
        }
    }

    /// The purpose of a number.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .entry
        case 1: self = .exit
        case 2: self = .protection
        case _: throw reader.damage
        }
    }
}

extension TimeInForce: RecordValue {
    /// Writes a number, and behind 2 the end.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .day: writer.write(0)
        case .goodTillCancelled: writer.write(1)
        case .goodTillDate(let end):
            writer.write(2)
            writer.write(end)
        case .immediateOrCancel: writer.write(3)
        }
    }

    /// The time in force of a number.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .day
        case 1: self = .goodTillCancelled
        case 2: self = .goodTillDate(try reader.time())
        case 3: self = .immediateOrCancel
        case _: throw reader.damage
        }
    }
}

extension TrailingOffset: RecordValue {
    /// Writes 0 and an amount, or 1 and a part.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .amount(let amount):
            writer.write(0)
            writer.write(amount)
        case .percent(let percent):
            writer.write(1)
            writer.write(percent)
        }
    }

    /// The offset as written: only the risk gate says which are allowed.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .amount(try reader.anyPrice())
        case 1: self = .percent(try reader.percent())
        case _: throw reader.damage
        }
    }
}

extension OrderType: RecordValue {
    /// Writes a number, and behind it the prices.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .market: writer.write(0)
        case .limit(let price): writer.write(case: 1, price)
        case .stop(let price): writer.write(case: 2, price)
        case .stopLimit(let stop, let limit):
            writer.write(case: 3, stop)
            writer.write(limit)
        case .trailingStop(let offset):
            writer.write(4)
            writer.write(offset)
        case .marketOnOpen: writer.write(5)
        case .limitOnOpen(let price): writer.write(case: 6, price)
        case .marketOnClose: writer.write(7)
        case .limitOnClose(let price): writer.write(case: 8, price)
        }
    }

    /// The type as written, whatever its prices: a strategy may have asked for what the risk gate refuses.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .market
        case 1: self = .limit(try reader.anyPrice())
        case 2: self = .stop(try reader.anyPrice())
        case 3: self = .stopLimit(stop: try reader.anyPrice(), limit: try reader.anyPrice())
        case 4: self = .trailingStop(try reader.value(TrailingOffset.self))
        case 5: self = .marketOnOpen
        case 6: self = .limitOnOpen(try reader.anyPrice())
        case 7: self = .marketOnClose
        case 8: self = .limitOnClose(try reader.anyPrice())
        case _: throw reader.damage
        }
    }

    /// Whether an order may have it that has passed the risk gate.
    fileprivate var isSound: Bool {
        func isSound(_ price: Price) -> Bool { price > .zero && price <= .magnitudeMax }
        return switch self {
        case .market, .marketOnOpen, .marketOnClose: true
        case .limit(let price), .stop(let price), .limitOnOpen(let price), .limitOnClose(let price):
            isSound(price)
        case .stopLimit(let stop, let limit): isSound(stop) && isSound(limit)
        case .trailingStop(.amount(let amount)): isSound(amount)
        case .trailingStop(.percent(let percent)): percent > .zero && percent < .hundred
        }
    }
}

extension OrderTerms.Hours: RecordValue {
    /// Writes 0 for regular hours, 1 for extended ones.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .regular: writer.write(0)
        case .extended: writer.write(1)
        }
    }

    /// The hours of a number.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.flag() ? .extended : .regular
    }
}

extension OrderTerms: RecordValue {
    /// Writes type, time in force, hours and who decides when it goes.
    package func write(to writer: inout RecordWriter) {
        writer.write(type)
        writer.write(timeInForce)
        writer.write(optional: hours)
        writer.write(isLeftToWindow)
    }

    /// The terms as written. Throws when no builder makes such.
    package init(from reader: inout RecordReader) throws(RecordError) {
        type = try reader.value(OrderType.self)
        timeInForce = try reader.value(TimeInForce.self)
        hours = try reader.optional(Hours.self)
        isLeftToWindow = try reader.flag()
        guard areSound else { throw reader.damage }
    }
}

extension OrderRequest: RecordValue {
    /// Writes all of the request.
    package func write(to writer: inout RecordWriter) {
        writer.write(strategy)
        writer.write(instrument)
        writer.write(side)
        writer.write(quantity)
        writer.write(type)
        writer.write(timeInForce)
        writer.write(purpose)
        writer.write(outsideRTH)
        writer.write(reason)
        writer.write(parentNumber)
        writer.write(groupNumber)
    }

    /// The request as written. Throws when the risk gate approves no such.
    package init(from reader: inout RecordReader) throws(RecordError) {
        strategy = try reader.strategy()
        instrument = try reader.instrument()
        side = try reader.value(Side.self)
        quantity = try reader.quantity()
        type = try reader.value(OrderType.self)
        timeInForce = try reader.value(TimeInForce.self)
        purpose = try reader.value(OrderPurpose.self)
        outsideRTH = try reader.flag()
        reason = try reader.text()
        parentNumber = try reader.word()
        groupNumber = try reader.int32()
        guard quantity > .zero, type.isSound, isValid, parentNumber >= 0, groupNumber >= 0,
            groupNumber <= OrderGroupID.numberMax
        else { throw reader.damage }
    }
}

extension OrderGroupID {
    /// The largest number that records may have: further groups can be numbered behind it.
    package static var numberMax: Int32 { 1 << 30 }
}

extension OrderTicket: RecordValue {
    /// Writes number and request.
    package func write(to writer: inout RecordWriter) {
        writer.write(id)
        writer.write(request)
    }

    /// The ticket of an order of ours.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let id = try reader.order()
        // Further orders can be numbered behind it.
        guard id.number > 0, id.number <= 1 << 60 else { throw reader.damage }
        self.init(id: id, request: try reader.value(OrderRequest.self))
    }
}

extension ExecutionID: RecordValue {
    /// Writes execution and version.
    package func write(to writer: inout RecordWriter) {
        writer.write(base)
        writer.write(revision)
    }

    /// The version of an execution.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(base: try reader.word(), revision: Int(try reader.int32()))
    }
}

extension Execution: RecordValue {
    /// Writes all of the execution.
    package func write(to writer: inout RecordWriter) {
        writer.write(id)
        writer.write(instrument)
        writer.write(side)
        writer.write(quantity)
        writer.write(price)
        writer.write(time)
    }

    /// The execution as written. Throws when its quantity is negative.
    package init(from reader: inout RecordReader) throws(RecordError) {
        id = try reader.value(ExecutionID.self)
        instrument = try reader.instrument()
        side = try reader.value(Side.self)
        quantity = try reader.quantity()
        price = try reader.price()
        time = try reader.time()
        guard quantity >= .zero else { throw reader.damage }
    }
}

extension CommissionReport: RecordValue {
    /// Writes execution and amount.
    package func write(to writer: inout RecordWriter) {
        writer.write(execution)
        writer.write(amount)
    }

    /// The report as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            execution: try reader.value(ExecutionID.self), amount: try reader.money())
    }
}

extension OrderReference: RecordValue {
    /// Writes journal and order.
    package func write(to writer: inout RecordWriter) {
        writer.write(journal)
        writer.write(order)
    }

    /// The reference as written. Throws unless both numbers are positive.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let (journal, order) = (try reader.int32(), try reader.order())
        guard let reference = OrderReference(journal: journal, order: order) else {
            throw reader.damage
        }
        self = reference
    }
}

extension BrokerOrderKey: RecordValue {
    /// Writes what is known.
    package func write(to writer: inout RecordWriter) {
        writer.write(optional: account?.index)
        writer.write(optional: client?.number)
        writer.write(optional: order?.number)
        writer.write(optional: permanent?.number)
        writer.write(optional: reference)
    }

    /// The key as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let account = try reader.optional(Int32.self)
        let client = try reader.optional(Int32.self)
        let order = try reader.optional(Int32.self)
        let permanent = try reader.optional(Int64.self)
        guard account ?? 0 >= 0 else { throw reader.damage }
        self.init(
            account: account.map { BrokerAccountID(index: Int($0)) },
            client: client.map(BrokerClientID.init), order: order.map(BrokerOrderID.init),
            permanent: permanent.map(PermanentID.init),
            reference: try reader.optional(OrderReference.self))
    }
}

extension ListedOrder: RecordValue {
    /// Writes all that the list contained.
    package func write(to writer: inout RecordWriter) {
        writer.write(key)
        writer.write(optional: instrument)
        writer.write(side)
        writer.write(optional: quantity)
        writer.write(optional: type)
        writer.write(status)
    }

    /// The listed order as written. Its type may have any prices: it is not ours.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            key: try reader.value(BrokerOrderKey.self),
            instrument: try reader.optional(InstrumentID.self),
            side: try reader.value(Side.self),
            quantity: try reader.optional(Quantity.self),
            type: try reader.optional(OrderType.self),
            status: try reader.raw(BrokerStatus.self))
    }
}

extension RecordWriter {
    /// Writes the number of a case and the price that belongs to it.
    fileprivate mutating func write(case number: Int, _ price: Price) {
        write(number)
        write(price)
    }
}
