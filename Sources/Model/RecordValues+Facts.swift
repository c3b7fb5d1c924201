import Primitives

// What is reported about orders, as records have it.

extension NameID: RecordValue {
    /// Writes the number.
    package func write(to writer: inout RecordWriter) { writer.write(index) }
    /// The name as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(index: try reader.count())
    }
}

extension BrokerMessage: RecordValue {
    /// Writes code and text.
    package func write(to writer: inout RecordWriter) {
        writer.write(code)
        writer.write(text)
    }
    /// The message as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(code: try reader.int32(), text: try reader.value(NameID.self))
    }
}

extension OrderClosure: RecordValue {
    /// Writes number and cause.
    package func write(to writer: inout RecordWriter) {
        writer.write(Int(number))
        switch cause {
        case .notFound(let first, let second):
            writer.write(0)
            writer.write(first)
            writer.write(second)
        case .operatorDecision: writer.write(1)
        }
    }

    /// The closure as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let number = try reader.byte()
        switch try reader.word() {
        case 0:
            self.init(
                number: number, .notFound(first: try reader.time(), second: try reader.time()))
        case 1: self.init(number: number, .operatorDecision)
        case _: throw reader.damage
        }
    }
}

extension OrderFact: RecordValue {
    /// Writes the case's number and what belongs to it.
    package func write(to writer: inout RecordWriter) {
        writer.write(Int(number))
        switch self {
        case .acknowledged, .sendInterrupted, .acknowledgementOverdue: break
        case .executed(let execution): writer.write(execution)
        case .commission(let report): writer.write(report)
        case .cancelled(let cause): writer.write(cause)
        case .rejected(let cause): writer.write(cause)
        case .modified(let revision), .modificationRefused(let revision): writer.write(revision)
        case .notSent(let cause): writer.write(cause)
        case .status(let status), .listedOpen(let status), .listedCompleted(let status):
            writer.write(status)
        case .rejectedByBroker(let message):
            writer.write(message)
            if message.cause != .byBroker { writer.write(message.cause) }
        case .cancelledByBroker(let message), .message(let message): writer.write(message)
        case .heldByBroker(let cause): writer.write(cause)
        case .probeAnswer(let answer): writer.write(answer)
        case .closed(let closure): writer.write(closure)
        case .reopened(let number): writer.write(Int(number))
        }
    }

    private var number: UInt8 {
        switch self {
        case .acknowledged: 0
        case .executed: 1
        case .commission: 2
        case .cancelled: 3
        case .rejected: 4
        case .modified: 5
        case .modificationRefused: 6
        case .notSent: 7
        case .sendInterrupted: 8
        case .status: 9
        case .listedOpen: 10
        case .listedCompleted: 11
        // Journals of before causes were known have none.
        case .rejectedByBroker(let message): message.cause == .byBroker ? 12 : 20
        case .cancelledByBroker: 13
        case .heldByBroker: 14
        case .message: 15
        case .probeAnswer: 16
        case .acknowledgementOverdue: 17
        case .closed: 18
        case .reopened: 19
        }
    }

    /// The fact as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .acknowledged
        case 1: self = .executed(try reader.value(Execution.self))
        case 2: self = .commission(try reader.value(CommissionReport.self))
        case 3: self = .cancelled(try reader.raw(CancelCause.self))
        case 4: self = .rejected(try reader.raw(RejectCause.self))
        case 5: self = .modified(try reader.int32())
        case 6: self = .modificationRefused(try reader.int32())
        case 7: self = .notSent(try reader.raw(NotSentCause.self))
        case 8: self = .sendInterrupted
        case 9: self = .status(try reader.raw(BrokerStatus.self))
        case 10: self = .listedOpen(try reader.raw(BrokerStatus.self))
        case 11: self = .listedCompleted(try reader.raw(BrokerStatus.self))
        case 12: self = .rejectedByBroker(try reader.value(BrokerMessage.self))
        case 13: self = .cancelledByBroker(try reader.value(BrokerMessage.self))
        case 14: self = .heldByBroker(try reader.raw(HoldCause.self))
        case 15: self = .message(try reader.value(BrokerMessage.self))
        case 16: self = .probeAnswer(try reader.raw(ProbeAnswer.self))
        case 17: self = .acknowledgementOverdue
        case 18: self = .closed(try reader.value(OrderClosure.self))
        case 19: self = .reopened(try reader.byte())
        case 20:
            let message = try reader.value(BrokerMessage.self)
            self = .rejectedByBroker(
                BrokerMessage(
                    code: message.code, text: message.text,
                    cause: try reader.raw(RejectCause.self)))
        case _: throw reader.damage
        }
    }
}

extension OrderReport: RecordValue {
    /// Writes order and fact.
    package func write(to writer: inout RecordWriter) {
        writer.write(order)
        writer.write(fact)
    }
    /// The report as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(order: try reader.order(), fact: try reader.value(OrderFact.self))
    }
}

extension BrokerReport: RecordValue {
    /// Writes key and fact.
    package func write(to writer: inout RecordWriter) {
        writer.write(key)
        writer.write(fact)
    }
    /// The report as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            key: try reader.value(BrokerOrderKey.self), fact: try reader.value(OrderFact.self))
    }
}

extension ListedPosition: RecordValue {
    /// Writes all that the list contained.
    package func write(to writer: inout RecordWriter) {
        writer.write(account.index)
        writer.write(optional: instrument)
        writer.write(symbol)
        writer.write(quantity)
        writer.write(optional: averageCost)
    }
    /// The position as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            account: BrokerAccountID(index: try reader.count()),
            instrument: try reader.optional(InstrumentID.self),
            symbol: try reader.value(NameID.self), quantity: try reader.quantity(),
            averageCost: try reader.optional(Price.self))
    }
}

extension ListingRecord: RecordValue {
    /// Writes the case's number and what belongs to it.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .begin(let kind, let epoch): writer.write(0, kind, epoch)
        case .openOrder(let order):
            writer.write(1)
            writer.write(order)
        case .completedOrder(let order):
            writer.write(2)
            writer.write(order)
        case .execution(let key, let execution):
            writer.write(3)
            writer.write(key)
            writer.write(execution)
        case .position(let position):
            writer.write(4)
            writer.write(position)
        case .end(let kind, let epoch): writer.write(5, kind, epoch)
        case .failed(let kind, let epoch): writer.write(6, kind, epoch)
        }
    }

    /// The record as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .begin(try reader.raw(ListingKind.self), try reader.epoch())
        case 1: self = .openOrder(try reader.value(ListedOrder.self))
        case 2: self = .completedOrder(try reader.value(ListedOrder.self))
        case 3:
            self = .execution(
                try reader.value(BrokerOrderKey.self), try reader.value(Execution.self))
        case 4: self = .position(try reader.value(ListedPosition.self))
        case 5: self = .end(try reader.raw(ListingKind.self), try reader.epoch())
        case 6: self = .failed(try reader.raw(ListingKind.self), try reader.epoch())
        case _: throw reader.damage
        }
    }
}

extension RecordWriter {
    fileprivate mutating func write(_ number: Int, _ kind: ListingKind, _ epoch: ConnectionEpoch) {
        write(number)
        write(kind)
        write(epoch.number)
    }
}

extension RecordReader {
    /// The next connection's number.
    mutating func epoch() throws(RecordError) -> ConnectionEpoch {
        ConnectionEpoch(number: try int32())
    }
}
