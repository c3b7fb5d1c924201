import Accounting
import MarketState
public import Model
import Orders
import Primitives
import Risk
import Signals

/// A session's first events, as far as they have come.
struct Opening: Sendable {
    /// How far they have come.
    private(set) var phase = Phase.none
    private var assembler = RecordAssembler()
    /// True once a record could not be read.
    private(set) var isDamaged = false
    /// How the state of another configuration is read, until it is.
    private(set) var takeover: Takeover?

    /// - Parameter takeover: how the records of another configuration are read; `nil` for those of the same.
    init(_ takeover: Takeover? = nil) { self.takeover = takeover }

    /// How far a session's opening is.
    enum Phase: Hashable, Sendable {
        /// It has not begun. Then: records, or none at all.
        case none
        /// Records of the state come. Then: over.
        case records
        /// The state is whole.
        case over
    }

    /// Takes in that records follow.
    mutating func begin() {
        if phase == .none { phase = .records }
    }

    /// Takes in a record; the item that is complete with it.
    mutating func add(
        _ record: OpeningRecord, _ bounds: RecordReader.Bounds
    ) throws(RecordError) -> RecordReader? {
        guard phase == .records else { throw RecordError(topic: record.topic) }
        return try assembler.add(record, bounds)
    }

    /// Takes in that a record makes no sense.
    mutating func noteDamage() { isDamaged = true }

    /// Takes in that no more records come. Returns false if there were none to come.
    mutating func end() -> Bool {
        guard phase == .records else { return false }
        if !assembler.isBetweenItems { isDamaged = true }
        phase = .over
        return true
    }

    /// Takes in that the state of another configuration is taken over.
    mutating func endTakeover() { takeover = nil }
}

/// The state that a session begins with, and leaves.
extension Engine {
    // MARK: Leaving

    /// The whole state but the strategies' own, which are saved beside it: an engine of the same instruments and
    /// strategies that takes in these records after `sessionOpened`, and `openingComplete` after them, goes on as
    /// this one would.
    package func openingRecords() -> [OpeningRecord] { openingState().records }

    /// The same records, with the instruments and strategies that they need.
    package func openingState() -> RecordWriter {
        var writer = RecordWriter()
        writer.item(.clock) { item in
            item.write(now)
            item.write(optional: days.today) { $0.write($1) }
            item.write(context.equity)
            log.write(to: &item)
        }
        context.state.write(to: &writer)
        adjustments.write(to: &writer)
        portfolio.write(to: &writer)
        gate.write(to: &writer)
        monitor.write(to: &writer)
        orders.write(to: &writer)
        plans.write(to: &writer)
        held.write(to: &writer)
        timed.write(to: &writer)
        deferredExits.write(to: &writer)
        unfinished.write(to: &writer)
        groups.write(to: &writer)
        for bar in sliceBars { writer.item(.sliceBar) { $0.write(bar) } }
        permissions.write(to: &writer)
        timers.write(to: &writer)
        outside.write(to: &writer)
        for index in 0..<instances.count {
            let id = StrategyID(index: index)
            instances[index].write(to: &writer, as: id)
            rates.write(to: &writer, of: id)
        }
        return writer
    }

    /// The conditions that hold, which are no part of a state: whoever goes on from it reports them anew.
    package var presentConditions: [ConditionReport] { permissions.presentConditions }

    /// True if it is known what became of every order, and no order is on its way.
    package var isSettled: Bool {
        orders.allLive.allSatisfy { order in
            guard let record = orders.record(of: order) else { return true }
            return record.state == .working && !record.isInquired
        }
    }

    // MARK: Entering

    /// A session day begins. For an engine before its first event, records of its state follow.
    @usableFromInline
    mutating func sessionOpened(_ opening: SessionOpening, into output: inout EngineOutput) {
        guard opening.version <= SessionOpening.newestVersion else {
            return halt(for: .damagedState, into: &output)
        }
        self.opening.begin()
    }

    /// Takes in a record of the state to begin with.
    @usableFromInline
    mutating func read(_ record: OpeningRecord, into output: inout EngineOutput) {
        do {
            guard var reader = try opening.add(record, recordBounds) else { return }
            try read(&reader)
            try reader.finish()
        } catch {
            // Of what is left out nothing else is needed: money and orders are never left out.
            guard !error.namesLeftOut || !error.topic.isForgettable else { return }
            damage(error.topic, &output)
        }
    }

    private mutating func damage(
        _ topic: OpeningRecord.Topic, _ output: inout EngineOutput
    ) {
        opening.noteDamage()
        decide(.damagedRecord(topic), about: Decision.Subject(), &output)
    }

    private mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        switch reader.topic {
        case .clock: try readClock(&reader)
        case .market: try context.state.read(&reader)
        case .adjustment: try adjustments.read(&reader)
        case .account, .position, .ledger, .unsettled, .corporateAction:
            try portfolio.read(&reader)
        case .halt, .latch: try gate.read(&reader)
        case .baseline, .reserve, .breach, .day: try monitor.read(&reader)
        case .identity, .order, .fact, .execution, .change, .group, .foreignOrder:
            try orders.read(&reader)
        case .plan: try plans.read(&reader)
        case .pendingIntent: try held.read(&reader)
        case .timedOrder: try timed.read(&reader)
        case .deferredExit: try deferredExits.read(&reader)
        case .followUp, .unfinishedExit: try unfinished.read(&reader)
        case .intentGroup: try groups.read(&reader)
        case .sliceBar: sliceBars.append(try reader.value(Bar.self))
        case .permission: try permissions.read(&reader)
        case .timer: try timers.read(&reader)
        case .outside: try outside.read(&reader)
        case .instance, .range:
            let strategy = try reader.strategy()
            // One that begins anew counts its ranges from the bars that it is shown.
            if reader.topic == .range, opening.takeover?.restarts(strategy) == true {
                return reader.skip()
            }
            guard reader.topic == .range else { return try readInstance(strategy, &reader) }
            try instances[Int(strategy.index)].read(&reader)
        }
    }

    private mutating func readInstance(
        _ strategy: StrategyID, _ reader: inout RecordReader
    ) throws(RecordError) {
        let row = try reader.word()
        if row == StrategyInstance.messagesFollow {
            return try rates.readMessages(&reader, of: strategy)
        }
        guard row == StrategyInstance.countsFollow else {
            return instances[Int(strategy.index)].newestSignal = row
        }
        try rates.read(&reader, of: strategy)
    }

    private mutating func readClock(_ reader: inout RecordReader) throws(RecordError) {
        let time = try reader.time()
        // Events follow at later times; what is saved cannot be of the future.
        guard time <= now else { throw reader.damage }
        let today = try reader.optional { (reader) throws(RecordError) in try reader.day() }
        if let today { dayEnd = days.restore(today) }
        context.valuation = Valuation(try reader.exactMoney())
        try log.read(&reader)
    }

    /// All of the state is here: what follows from it is computed, and the timers of whoever waits are set. A
    /// state that is not whole halts entries until the user has looked.
    @usableFromInline
    mutating func openingCompleted(into output: inout EngineOutput) {
        guard opening.end() else { return }
        do { try portfolio.finishReading() } catch { damage(error.topic, &output) }
        do { try orders.finishReading() } catch { damage(error.topic, &output) }
        if PlantedBug.fillsBookedTwice.isPlanted { bookExecutionsTwice() }
        for strategy in 0..<instances.count {
            for instrument in 0..<instrumentCount {
                refreshHolding(StrategyID(index: strategy), InstrumentID(index: instrument))
            }
        }
        if opening.isDamaged { halt(for: .damagedState, into: &output) }
        if let takeover = opening.takeover { complete(takeover, &output) }
        noteOrphans(&output)
        opening.endTakeover()
        output.commands += timers.commands
        resetEngineTimers(&output)
        guard hasBroker else { return }
        broker.outdated = orders.identity.newestUnknown
        for order in orders.allLive {
            resumeInquiry(about: order, &output)
            if orders.isCancelRequested(order) { awaitCancel(of: order, &output) }
        }
        resumeCharges(&output)
    }

    /// Sets the engine's own timers as they were; where the state does not say, for the first of what waits.
    private mutating func resetEngineTimers(_ output: inout EngineOutput) {
        if let time = held.wakeUp {
            output.commands.append(
                .setTimer(TimerID(engine: EngineTimer.window.rawValue), at: time))
        } else {
            wakeForIntents(&output)
        }
        if let time = timed.wakeUp {
            output.commands.append(
                .setTimer(TimerID(engine: EngineTimer.timeLimit.rawValue), at: time))
        } else {
            wakeForTimeLimits(&output)
        }
    }

    private var recordBounds: RecordReader.Bounds {
        RecordReader.Bounds(
            instruments: instrumentCount, strategies: instances.count, ids: opening.takeover?.ids)
    }
}
