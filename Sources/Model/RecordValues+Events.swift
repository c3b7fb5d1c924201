import Primitives

// What happens to the engine, as records have it.

extension Event.Kind: RecordValue {
    /// Writes the case's number and what belongs to it.
    package func write(to writer: inout RecordWriter) {
        writer.write(number)
        switch self {
        case .bar(let bar), .history(let bar): writer.write(bar)
        case .quote(let quote): writer.write(quote)
        case .trade(let trade): writer.write(trade)
        case .historyComplete(let coverage):
            writer.write(optional: coverage.instrument)
            writer.write(coverage.have)
            writer.write(coverage.asked)
        case .sliceClosed, .openingComplete, .clock: break
        case .order(let report): writer.write(report)
        case .brokerOrder(let report): writer.write(report)
        case .listing(let record): writer.write(record)
        case .link(let report): writer.write(report)
        case .accountValue(let value): writer.write(value)
        case .sessionOpened(let opening): writer.write(opening)
        case .opening(let record): writer.write(record)
        case .name(let chunk): writer.write(chunk)
        case .corporateAction(let action): writer.write(action)
        case .timer(let id): writer.write(id)
        case .cashMovement(let movement): writer.write(movement)
        case .signal(let signal): writer.write(signal)
        case .shadowResult(let result): writer.write(result)
        case .operatorRequest(let request): writer.write(request)
        case .condition(let report): writer.write(report)
        case .dailyClose(let close): writer.write(close)
        }
    }

    private var number: Int {
        switch self {
        case .bar: 0
        case .quote: 1
        case .trade: 2
        case .history: 3
        case .historyComplete: 4
        case .sliceClosed: 5
        case .order: 6
        case .brokerOrder: 7
        case .listing: 8
        case .link: 9
        case .accountValue: 10
        case .sessionOpened: 11
        case .opening: 12
        case .openingComplete: 13
        case .name: 14
        case .corporateAction: 15
        case .timer: 16
        case .cashMovement: 17
        case .signal: 18
        case .shadowResult: 19
        case .operatorRequest: 20
        case .clock: 21
        case .condition: 22
        case .dailyClose: 23
        }
    }

    /// The event as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .bar(try reader.value(Bar.self))
        case 1: self = .quote(try reader.value(Quote.self))
        case 2: self = .trade(try reader.value(Trade.self))
        case 3: self = .history(try reader.value(Bar.self))
        case 4:
            let instrument = try reader.optional(InstrumentID.self)
            self = .historyComplete(
                HistoryCoverage(
                    have: Int(try reader.int32()), asked: Int(try reader.int32()), of: instrument))
        case 5: self = .sliceClosed
        case 6: self = .order(try reader.value(OrderReport.self))
        case 7: self = .brokerOrder(try reader.value(BrokerReport.self))
        case 8: self = .listing(try reader.value(ListingRecord.self))
        case 9: self = .link(try reader.value(LinkReport.self))
        case 10: self = .accountValue(try reader.value(AccountValue.self))
        case 11: self = .sessionOpened(try reader.value(SessionOpening.self))
        case 12: self = .opening(try reader.value(OpeningRecord.self))
        case 13: self = .openingComplete
        case 14: self = .name(try reader.value(NameChunk.self))
        case 15: self = .corporateAction(try reader.value(CorporateAction.self))
        case 16: self = .timer(try reader.value(TimerID.self))
        case 17: self = .cashMovement(try reader.value(CashMovement.self))
        case 18: self = .signal(try reader.value(ExternalSignal.self))
        case 19: self = .shadowResult(try reader.value(ShadowResult.self))
        case 20: self = .operatorRequest(try reader.value(OperatorRequest.self))
        case 21: self = .clock
        case 22: self = .condition(try reader.value(ConditionReport.self))
        case 23: self = .dailyClose(try reader.value(DailyClose.self))
        case _: throw reader.damage
        }
    }
}

extension LinkReport: RecordValue {
    /// Writes state, connection, data service and next number.
    package func write(to writer: inout RecordWriter) {
        writer.write(state)
        writer.write(epoch.number)
        writer.write(optional: farm)
        writer.write(optional: nextID?.number)
    }
    /// The report as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            try reader.raw(BrokerLinkState.self), epoch: try reader.epoch(),
            farm: try reader.optional(NameID.self),
            nextID: try reader.optional(Int32.self).map(BrokerOrderID.init))
    }
}

extension ConditionReport: RecordValue {
    /// Writes the condition, whether it holds, what it is about and what was measured.
    package func write(to writer: inout RecordWriter) {
        writer.write(condition)
        writer.write(isPresent)
        writer.write(optional: instrument)
        writer.write(value)
        // Journals of before there were such conditions have none.
        if condition.isOfStrategy { writer.write(optional: strategy) }
    }
    /// The report as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let condition = try reader.raw(SessionCondition.self)
        let isPresent = try reader.flag()
        let instrument = try reader.optional(InstrumentID.self)
        let value: Int64 = try reader.word()
        if condition.isOfStrategy, let strategy = try reader.optional(StrategyID.self) {
            self.init(condition, isPresent: isPresent, of: strategy, value: value)
        } else {
            self.init(condition, isPresent: isPresent, of: instrument, value: value)
        }
    }
}

extension DailyClose: RecordValue {
    /// Writes instrument, day and price.
    package func write(to writer: inout RecordWriter) {
        writer.write(instrument)
        writer.write(day)
        writer.write(close)
    }
    /// The close as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            instrument: try reader.instrument(), day: try reader.day(), close: try reader.price())
    }
}

extension AccountValue: RecordValue {
    /// Writes account, figure and amount.
    package func write(to writer: inout RecordWriter) {
        writer.write(account.index)
        writer.write(key)
        writer.write(amount)
    }
    /// The figure as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            account: BrokerAccountID(index: try reader.count()), try reader.raw(Key.self),
            try reader.money())
    }
}

extension SessionOpening: RecordValue {
    /// Writes the day and what decisions are made by.
    package func write(to writer: inout RecordWriter) {
        writer.write(day)
        writer.write(version)
        for digest in [program, configuration, strategies] {
            writer.write(Int64(bitPattern: digest))
        }
    }
    /// The opening as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            day: try reader.day(), version: try reader.int32(),
            program: UInt64(bitPattern: try reader.word()),
            configuration: UInt64(bitPattern: try reader.word()),
            strategies: UInt64(bitPattern: try reader.word()))
    }
}

extension OpeningRecord: RecordValue {
    /// Writes topic, place and words.
    package func write(to writer: inout RecordWriter) {
        writer.write(topic)
        writer.write(Int(part))
        writer.write(isLast)
        writer.write(values.count)
        for word in values { writer.write(word) }
    }
    /// The record as written. Throws when it has more words than a record can have.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let topic = try reader.raw(Topic.self)
        guard let part = UInt16(exactly: try reader.count()) else { throw reader.damage }
        let isLast = try reader.flag()
        let count = try reader.count()
        guard count <= InlineWords.capacity else { throw reader.damage }
        var words = InlineWords()
        for index in 0..<count { words[index] = try reader.word() }
        self.init(topic, part: part, isLast: isLast, count: UInt8(count), words: words)
    }
}

extension CashMovement: RecordValue {
    /// Writes cause, amount and instrument.
    package func write(to writer: inout RecordWriter) {
        writer.write(cause)
        writer.write(amount)
        writer.write(optional: instrument)
    }
    /// The movement as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            try reader.raw(Cause.self), try reader.money(),
            of: try reader.optional(InstrumentID.self))
    }
}

extension ExternalSignal: RecordValue {
    /// Writes all of the row.
    package func write(to writer: inout RecordWriter) {
        writer.write(strategy)
        writer.write(row)
        writer.write(instrument)
        switch target {
        case .quantity(let quantity):
            writer.write(0)
            writer.write(quantity)
        case .weight(let weight):
            writer.write(1)
            writer.write(weight)
        }
        writer.write(optional: limit)
        writer.write(optional: stop)
    }
    /// The row as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let (strategy, row) = (try reader.strategy(), try reader.word())
        let instrument = try reader.instrument()
        let target: Target
        switch try reader.word() {
        case 0: target = .quantity(try reader.quantity())
        case 1: target = .weight(try reader.double())
        case _: throw reader.damage
        }
        self.init(
            strategy: strategy, row: row, instrument: instrument, target: target,
            limit: try reader.optional(Price.self), stop: try reader.optional(Price.self))
    }
}

extension ShadowResult: RecordValue {
    /// Writes all of the result.
    package func write(to writer: inout RecordWriter) {
        writer.write(instrument)
        writer.write(equity)
        writer.write(capital)
        writer.write(turnover)
    }
    /// The result as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            instrument: try reader.instrument(), equity: try reader.money(),
            capital: try reader.money(), turnover: try reader.money())
    }
}

extension OperatorRequest.Scope: RecordValue {
    /// Writes the case's number and whom it names.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .order(let order):
            writer.write(0)
            writer.write(order)
        case .instrument(let instrument):
            writer.write(1)
            writer.write(instrument)
        case .strategy(let strategy):
            writer.write(2)
            writer.write(strategy)
        case .all: writer.write(3)
        }
    }
    /// The scope as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .order(try reader.order())
        case 1: self = .instrument(try reader.instrument())
        case 2: self = .strategy(try reader.strategy())
        case 3: self = .all
        case _: throw reader.damage
        }
    }
}

extension OperatorRequest: RecordValue {
    /// Writes what is asked for, and the words for why.
    package func write(to writer: inout RecordWriter) {
        writer.write(kind)
        writer.write(reason)
        switch action {
        case .halt, .resumeAll, .kill: break
        case .resume(let cause): writer.write(cause)
        case .clearLatch(let instrument), .adopt(let instrument), .disown(let instrument):
            writer.write(instrument)
        case .stopEntries(let strategy), .startEntries(let strategy): writer.write(strategy)
        case .cancel(let scope), .flatten(let scope): writer.write(scope)
        case .resolve(let order, let evidence):
            writer.write(order)
            writer.write(evidence)
        case .bookExecution(let order, let execution):
            writer.write(order)
            writer.write(execution)
        case .confirmSplit(let instrument, let ratio):
            writer.write(instrument)
            writer.write(ratio)
        case .cash(let movement): writer.write(movement)
        }
    }

    /// The instruction as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let kind = try reader.raw(Kind.self)
        let reason = try reader.value(NameID.self)
        let action: Action
        switch kind {
        case .halt: action = .halt
        case .resume: action = .resume(try reader.raw(HaltCause.self))
        case .resumeAll: action = .resumeAll
        case .clearLatch: action = .clearLatch(try reader.instrument())
        case .stopEntries: action = .stopEntries(try reader.strategy())
        case .startEntries: action = .startEntries(try reader.strategy())
        case .cancel: action = .cancel(try reader.value(Scope.self))
        case .flatten: action = .flatten(try reader.value(Scope.self))
        case .resolve: action = .resolve(try reader.order(), try reader.raw(OrderEvidence.self))
        case .bookExecution:
            action = .bookExecution(try reader.order(), try reader.value(Execution.self))
        case .adopt: action = .adopt(try reader.instrument())
        case .disown: action = .disown(try reader.instrument())
        case .confirmSplit:
            action = .confirmSplit(try reader.instrument(), try reader.value(SplitRatio.self))
        case .cash: action = .cash(try reader.value(CashMovement.self))
        case .kill: action = .kill
        }
        self.init(action, because: reason)
    }
}
