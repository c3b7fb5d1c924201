import Primitives

// Prices, intents and what companies do, as records have them.

extension Quote: RecordValue {
    /// Writes all of the quote.
    package func write(to writer: inout RecordWriter) {
        writer.write(instrument)
        writer.write(at)
        writer.write(optional: bid)
        writer.write(optional: ask)
        writer.write(optional: bidSize)
        writer.write(optional: askSize)
    }

    /// The quote as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            instrument: try reader.instrument(), at: try reader.time(),
            bid: try reader.optional(Price.self),
            ask: try reader.optional(Price.self),
            bidSize: try reader.optional(Quantity.self),
            askSize: try reader.optional(Quantity.self))
    }
}

extension Trade: RecordValue {
    /// Writes all of the trade.
    package func write(to writer: inout RecordWriter) {
        writer.write(instrument)
        writer.write(at)
        writer.write(price)
        writer.write(size)
    }

    /// The trade as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            instrument: try reader.instrument(), at: try reader.time(), price: try reader.price(),
            size: try reader.quantity())
    }
}

extension Bar: RecordValue {
    /// Writes all of the bar.
    package func write(to writer: inout RecordWriter) {
        writer.write(instrument)
        writer.write(start)
        writer.write(barSize.nanoseconds)
        writer.write(open)
        writer.write(high)
        writer.write(low)
        writer.write(close)
        writer.write(volume)
    }

    /// The bar as written. Throws unless it has a barSize and its open and close are within its prices.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            instrument: try reader.instrument(), start: try reader.time(),
            barSize: Duration(nanoseconds: try reader.word()), open: try reader.price(),
            high: try reader.price(), low: try reader.price(), close: try reader.price(),
            volume: try reader.quantity())
        guard barSize > .zero, low <= min(open, close), high >= max(open, close), volume >= .zero
        else { throw reader.damage }
    }
}

extension SplitRatio: RecordValue {
    /// Writes new and old shares.
    package func write(to writer: inout RecordWriter) {
        writer.write(new)
        writer.write(old)
    }

    /// The ratio as written. Throws unless it is in lowest terms, and when they are so large that a price times a
    /// rest of shares could not be computed.
    package init(from reader: inout RecordReader) throws(RecordError) {
        new = try reader.word()
        old = try reader.word()
        let most: Int64 = 1 << 40
        guard (1...most).contains(new), (1...most).contains(old), new != old else {
            throw reader.damage
        }
        var (larger, smaller) = (new, old)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        guard larger == 1 else { throw reader.damage }
    }
}

extension CorporateAction: RecordValue {
    /// Writes instrument and day; then 0 and a dividend, or 1 and a split.
    package func write(to writer: inout RecordWriter) {
        writer.write(instrument)
        writer.write(exDay)
        switch kind {
        case .dividend(let perShare):
            writer.write(0)
            writer.write(perShare)
        case .split(let ratio):
            writer.write(1)
            writer.write(ratio)
        }
    }

    /// The action as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        instrument = try reader.instrument()
        exDay = try reader.day()
        switch try reader.word() {
        case 0: kind = .dividend(perShare: try reader.price())
        case 1: kind = .split(try reader.value(SplitRatio.self))
        case _: throw reader.damage
        }
    }
}

extension Protection.Distance: RecordValue {
    /// Writes 0 and an amount, 1 and a part, or 2 and a multiple of a range.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .amount(let amount):
            writer.write(0)
            writer.write(amount)
        case .percent(let percent):
            writer.write(1)
            writer.write(percent)
        case .range(let range):
            writer.write(2)
            writer.write(range.length)
            writer.write(range.times)
        }
    }

    /// The distance as written, whatever a strategy has made of it.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .amount(try reader.anyPrice())
        case 1: self = .percent(try reader.percent())
        case 2:
            let length = Int(try reader.word())
            self = .range(RangeDistance(length: length, times: try reader.percent()))
        case _: throw reader.damage
        }
    }
}

extension Protection.Stop: RecordValue {
    /// Writes 0 and a price, 1 and a distance, or 2 and a trailing distance.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .price(let price):
            writer.write(0)
            writer.write(price)
        case .away(let distance):
            writer.write(1)
            writer.write(distance)
        case .trailing(let distance):
            writer.write(2)
            writer.write(distance)
        }
    }

    /// The stop as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .price(try reader.anyPrice())
        case 1: self = .away(try reader.value(Protection.Distance.self))
        case 2: self = .trailing(try reader.value(Protection.Distance.self))
        case _: throw reader.damage
        }
    }
}

extension Protection.Target: RecordValue {
    /// Writes 0 and a price, or 1 and a distance.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .price(let price):
            writer.write(0)
            writer.write(price)
        case .away(let distance):
            writer.write(1)
            writer.write(distance)
        }
    }

    /// The target as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .price(try reader.anyPrice())
        case 1: self = .away(try reader.value(Protection.Distance.self))
        case _: throw reader.damage
        }
    }
}

extension Protection: RecordValue {
    /// Writes stop and target.
    package func write(to writer: inout RecordWriter) {
        writer.write(optional: stop)
        writer.write(optional: target)
    }

    /// The protection as written. Throws when it is neither a stop nor a target.
    package init(from reader: inout RecordReader) throws(RecordError) {
        stop = try reader.optional(Stop.self)
        target = try reader.optional(Target.self)
        guard stop != nil || target != nil else { throw reader.damage }
    }
}

extension Intent.Goal: RecordValue {
    /// Writes a number, and behind it the side, quantity or weight.
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .enter(let side):
            writer.write(0)
            writer.write(side)
        case .exit: writer.write(1)
        case .target(let quantity):
            writer.write(2)
            writer.write(quantity)
        case .weight(let weight):
            writer.write(3)
            writer.write(weight)
        case .cancelEntries: writer.write(4)
        case .withdraw: writer.write(5)
        case .protect: writer.write(6)
        }
    }

    /// The goal as written, whatever a strategy has made of it.
    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = .enter(try reader.value(Side.self))
        case 1: self = .exit
        case 2: self = .target(Quantity(units: try reader.word()))
        case 3: self = .weight(try reader.double())
        case 4: self = .cancelEntries
        case 5: self = .withdraw
        case 6: self = .protect
        case _: throw reader.damage
        }
    }
}

extension Intent: RecordValue {
    /// Writes all of the intent.
    package func write(to writer: inout RecordWriter) {
        writer.write(strategy)
        writer.write(instrument)
        writer.write(goal)
        writer.write(terms)
        writer.write(reason)
        writer.write(optional: protection)
        writer.write(number)
        writer.write(group)
    }

    /// The intent as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            strategy: try reader.strategy(), instrument: try reader.instrument(),
            goal: try reader.value(Goal.self), terms: try reader.value(OrderTerms.self),
            reason: try reader.text(),
            protection: try reader.optional(Protection.self))
        (number, group) = (try reader.word(), try reader.int32())
        guard number >= 0, group >= 0 else { throw reader.damage }
    }
}

extension Figure: RecordValue {
    /// Writes name, unit and number.
    package func write(to writer: inout RecordWriter) {
        writer.write(name)
        writer.write(unit)
        writer.write(amount)
    }

    /// The figure as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        name = try reader.raw(Name.self)
        unit = try reader.raw(Unit.self)
        amount = try reader.word()
    }
}

extension Figures: RecordValue {
    /// Writes four figures.
    package func write(to writer: inout RecordWriter) {
        for figure in [first, second, third, fourth] { writer.write(figure) }
    }

    /// The figures as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            try reader.value(Figure.self), try reader.value(Figure.self),
            try reader.value(Figure.self), try reader.value(Figure.self))
    }
}
