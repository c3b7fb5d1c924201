import Model
import Primitives

/// What happens in the account that is not our doing, as far as it is known: positions of others beside ours, closes of
/// the past that corporate actions show in, and cash.
///
/// It is told facts and keeps them; the engine decides what follows.
struct OutsideAccount: Sendable {
    /// What follows when others hold, order or trade something.
    let policy: ForeignPolicy
    /// Cash by the broker against ours.
    var cash = AccountCash()

    /// By instrument.
    private var instruments: [OutsideInstrument]
    /// True while any instrument is suspended.
    private(set) var isAnySuspended = false
    /// Positions in symbols that the run does not have, by symbol.
    private var symbols: [SymbolPosition] = []

    /// What is known of one instrument.
    struct OutsideInstrument: Hashable, Sendable {
        /// What others hold in the account; negative is short.
        var held = Quantity.zero
        /// What the broker has more than ours and others' together, as it was found last; zero where nothing.
        var gap = Quantity.zero
        /// When that gap was found first.
        var gapSince: Timestamp?
        /// The newest close of a past day, and the day.
        var close: DailyClose?
        /// The same before a split of today, which the broker's history may not have taken in.
        var unsplitClose: Price?
        /// True while orders at old prices are kept from the market: a split is suspected.
        var isSuspended = false
        /// True between a split that was booked and the broker's: orders stay as they are.
        var awaitsSplit = false
        /// What strategies were notified of last that the account has beyond what our orders have made of it.
        var notified = Quantity.zero

        /// True if anything but what strategies were notified of is known: that is no part of a saved state.
        var isOfNote: Bool {
            var other = OutsideInstrument()
            other.notified = notified
            return self != other
        }

        /// What the account has beyond what our orders have made of it: what others hold, and what is not explained.
        var beyond: Quantity { held.adding(signed: gap) }

        /// Takes what was traded out of what is not explained.
        mutating func explain(by traded: Quantity) {
            guard gap != .zero, (gap > .zero) == (traded > .zero) else { return }
            let remainder = gap.adding(signed: -traded)
            gap = remainder == .zero || (remainder > .zero) != (gap > .zero) ? .zero : remainder
            if gap == .zero { gapSince = nil }
        }
    }

    private struct SymbolPosition: Hashable, Sendable {
        let symbol: NameID
        var quantity: Quantity
    }

    /// How many symbols are kept at most.
    static let symbolsMax = 10_000
    /// How long a difference is looked at again before it counts, where an order of ours may be its cause.
    static let doubtTime = Duration.seconds(8)

    /// Nothing but ours.
    init(_ policy: ForeignPolicy, instrumentCount: Int) {
        self.policy = policy
        instruments = Array(repeating: OutsideInstrument(), count: instrumentCount)
    }

    /// What is known of an instrument.
    subscript(instrument: InstrumentID) -> OutsideInstrument {
        get { instruments[Int(instrument.index)] }
        set {
            instruments[Int(instrument.index)] = newValue
            if newValue.isSuspended != isAnySuspended {
                isAnySuspended = instruments.contains(where: \.isSuspended)
            }
        }
    }

    /// True if others hold anything in the account.
    var isAnyHeld: Bool {
        instruments.contains { $0.held != .zero } || symbols.contains { $0.quantity != .zero }
    }

    // MARK: Changing

    /// Books an execution of an order that is not ours, or a newer version of one.
    mutating func book(_ execution: Execution, replacing old: Execution?, multiplier: Int64) {
        if let old {
            self[old.instrument].held = self[old.instrument].held.adding(
                signed: -old.signedQuantity)
            self[old.instrument].explain(by: -old.signedQuantity)
            cash.others -= -(old.price * old.signedQuantity * multiplier)
        }
        self[execution.instrument].held =
            self[execution.instrument].held.adding(signed: execution.signedQuantity)
        self[execution.instrument].explain(by: execution.signedQuantity)
        cash.others += -(execution.price * execution.signedQuantity * multiplier)
    }

    /// Takes what the broker has more than is known for a position of others.
    mutating func accept(_ gap: Quantity, of instrument: InstrumentID) {
        self[instrument].held = self[instrument].held.adding(signed: gap)
        self[instrument].gap = .zero
        self[instrument].gapSince = nil
        self[instrument].notified = self[instrument].held
    }

    /// Takes what strategies are to be notified of: what the account has of an instrument beyond what our orders have made
    /// of it.
    ///
    /// - Returns: `nil` where they were.
    mutating func takeNews(of instrument: InstrumentID) -> Quantity? {
        let beyond = self[instrument].beyond
        guard self[instrument].notified != beyond else { return nil }
        self[instrument].notified = beyond
        return beyond
    }

    /// Takes in what the broker has more than is known in an instrument.
    ///
    /// - Returns: false for a difference that was found before.
    mutating func note(gap: Quantity, of instrument: InstrumentID, at now: Timestamp) -> Bool {
        guard self[instrument].gap != gap else { return false }
        self[instrument].gap = gap
        self[instrument].gapSince = now
        return true
    }

    /// Forgets differences in instruments that are not among those of a comparison.
    mutating func keepGaps(of found: [InstrumentID]) {
        for index in instruments.indices where instruments[index].gap != .zero {
            guard !found.contains(InstrumentID(index: index)) else { continue }
            instruments[index].gap = .zero
            instruments[index].gapSince = nil
            instruments[index].notified = instruments[index].held
        }
    }

    /// Takes in the broker's positions.
    ///
    /// - Parameter found: the instruments of which it has another quantity than is known.
    /// - Returns: the instruments whose split has come to the broker.
    mutating func settleSplits(but found: [InstrumentID]) -> [InstrumentID] {
        var settled: [InstrumentID] = []
        for index in instruments.indices where instruments[index].awaitsSplit {
            let instrument = InstrumentID(index: index)
            guard !found.contains(instrument) else { continue }
            instruments[index].awaitsSplit = false
            settled.append(instrument)
        }
        return settled
    }

    /// The names of the symbols that the run does not have.
    var symbolNames: Set<NameID> { Set(symbols.map(\.symbol)) }

    /// Takes in a position in a symbol that the run does not have.
    ///
    /// - Returns: false for one that is known.
    mutating func note(_ quantity: Quantity, of symbol: NameID) -> Bool {
        guard let index = symbols.firstIndex(where: { $0.symbol == symbol }) else {
            guard symbols.count < Self.symbolsMax else { return true }
            symbols.append(SymbolPosition(symbol: symbol, quantity: quantity))
            return true
        }
        guard symbols[index].quantity != quantity else { return false }
        symbols[index].quantity = quantity
        return true
    }

    /// Brings what is kept of an instrument to split shares.
    mutating func split(_ instrument: InstrumentID, by ratio: SplitRatio, on exDay: Day) {
        if let whole = ratio.exchanged(self[instrument].held)?.whole {
            self[instrument].held = whole
        }
        guard let known = self[instrument].close, known.day < exDay,
            let adjusted = ratio.adjusted(known.close)
        else { return }
        self[instrument].unsplitClose = known.close
        self[instrument].close = DailyClose(
            instrument: instrument, day: known.day, close: adjusted)
    }

    /// Takes the state into a digest; nothing while all is ours.
    func hash(into hasher: inout StateHasher) {
        for (index, instrument) in instruments.enumerated() where instrument.isOfNote {
            hasher.combine(index)
            hasher.combine(instrument.held)
            hasher.combine(instrument.gap)
            hasher.combine(instrument.close?.close.units ?? .min)
            hasher.combine(instrument.isSuspended)
            hasher.combine(instrument.awaitsSplit)
        }
        cash.hash(into: &hasher)
    }

    // MARK: Records

    /// The parts of the records' topic.
    private enum Part: Int {
        case instrument = 1
        case symbol
        case cash
    }

    /// Writes what is known.
    func write(to writer: inout RecordWriter) {
        for index in instruments.indices where instruments[index].isOfNote {
            let instrument = instruments[index]
            writer.item(.outside) { item in
                item.write(Part.instrument.rawValue)
                item.write(InstrumentID(index: index))
                item.write(instrument.held)
                item.write(instrument.gap)
                item.write(optional: instrument.gapSince) { $0.write($1) }
                item.write(optional: instrument.close) {
                    $0.write($1.day)
                    $0.write($1.close)
                }
                item.write(optional: instrument.unsplitClose) { $0.write($1) }
                item.write(instrument.isSuspended)
                item.write(instrument.awaitsSplit)
            }
        }
        for position in symbols where position.quantity != .zero {
            writer.item(.outside) { item in
                item.write(Part.symbol.rawValue)
                item.write(position.symbol)
                item.write(position.quantity)
            }
        }
        guard !cash.isUntouched else { return }
        writer.item(.outside) { item in
            item.write(Part.cash.rawValue)
            item.write(cash)
        }
    }

    /// Reads a part back.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        switch Part(rawValue: try reader.count()) {
        case .instrument:
            let id = try reader.instrument()
            var instrument = OutsideInstrument()
            instrument.held = try reader.quantity()
            instrument.gap = try reader.quantity()
            instrument.gapSince = try reader.optional { (reader) throws(RecordError) in
                try reader.time()
            }
            instrument.close = try reader.optional { (reader) throws(RecordError) in
                DailyClose(instrument: id, day: try reader.day(), close: try reader.price())
            }
            instrument.unsplitClose = try reader.optional { (reader) throws(RecordError) in
                try reader.price()
            }
            instrument.isSuspended = try reader.flag()
            instrument.awaitsSplit = try reader.flag()
            instrument.notified = instrument.beyond
            self[id] = instrument
        case .symbol:
            symbols.append(
                SymbolPosition(
                    symbol: try reader.value(NameID.self), quantity: try reader.quantity()))
        case .cash: cash = try reader.value(AccountCash.self)
        case nil: throw reader.damage
        }
    }
}

extension Quantity {
    /// The sum, between the bounds of what an edge accepts.
    fileprivate func adding(signed other: Quantity) -> Quantity {
        let sum = Int128(units) + Int128(other.units)
        let most = Int128(Quantity.magnitudeMax.units)
        return Quantity(units: Int64(min(max(sum, -most), most)))
    }
}
