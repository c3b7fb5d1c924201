package import Model
package import TradingEngine

/// Feeds the events of a record to an engine, and compares what it answers with what the record says.
///
/// Where program, configuration and strategies are those of the record, the engine decides again, and must
/// decide the same: a difference is located, and entries are halted in that engine. Otherwise orders, ledgers and
/// latches are made of the record's events and commands, nothing is decided again, and entries wait for the user.
package struct Replay: ~Copyable {
    /// How the record is taken in.
    package let law: Law
    /// The first difference; `nil` while there is none. With it the replay is over: whoever needs a state nevertheless
    /// begins again under `Law.rebuilds`.
    package private(set) var difference: ReplayDifference?
    /// What the engine has answered, where it decides again.
    package private(set) var digest = OutputDigest()
    /// How many batches were taken in.
    package private(set) var batchCount = 0
    /// How many events were taken in.
    package private(set) var eventCount = 0

    private var engine: Engine
    private var output = EngineOutput()
    /// How much the engine had answered behind each event of the batch.
    private var answered: [Counts] = []

    /// How a record is taken in.
    package enum Law: Hashable, Sendable {
        /// The engine decides again, and its answers are compared.
        case decides
        /// The state is rebuilt from events and commands; nothing is decided and nothing compared.
        case rebuilds

        /// The law for a record that begins with one opening, in a program that would begin with another.
        package init(recorded: SessionOpening, present: SessionOpening) {
            self = present.decidesAs(recorded) ? .decides : .rebuilds
        }
    }

    private struct Counts {
        let commands: Int
        let decisions: Int
    }

    /// A replay of a record that begins with an engine's first event.
    ///
    /// - Parameter setup: what the engine of the record was made of. All its decisions are compared, whichever of
    ///   them leave it otherwise.
    package init(_ setup: EngineSetup, under law: Law) {
        var setup = setup
        setup.decisions = .all
        self.law = law
        engine = Engine(setup)
    }

    /// A replay of a record that begins with a saved state. What an engine answers to its opening is not part of
    /// such a record.
    ///
    /// - Parameters:
    ///   - configured: what the present configuration names, without orphans.
    ///   - state: the state. Strategies go on from it where they may; see `EngineState.setup(for:opening:)`.
    ///   - opening: the present program's.
    /// - Throws: when the bytes of a strategy cannot be read.
    package init(
        _ configured: SessionSetup, from state: EngineState, opening: SessionOpening,
        under law: Law
    ) throws(SavedStateError) {
        var setup = try state.setup(for: configured, opening: opening)
        setup.engine.decisions = .all
        self.law = law
        engine = state.engine(setup, opening: opening, into: &output)
    }

    /// Takes in the next events of the record. Returns the first difference, if there is one by now.
    @discardableResult
    package mutating func take(_ batch: RecordBatch) -> ReplayDifference? {
        guard difference == nil else { return difference }
        batchCount += 1
        switch law {
        case .decides: difference = answer(batch)
        case .rebuilds: difference = rebuild(batch)
        }
        eventCount += batch.events.count
        return difference
    }

    /// What was concluded from the newest batch, or before the first from the opening, in order; nothing where nothing
    /// is decided.
    package var decisions: [Decision] { output.decisions }

    /// Calls `body` with the engine as it is behind the newest batch.
    package func withEngine<Result>(_ body: (borrowing Engine) -> Result) -> Result { body(engine) }

    /// The digest of the whole state, the strategies' own included.
    package func stateHash() throws(SavedStateError) -> UInt64 {
        try EngineState.hash(of: engine)
    }

    /// Compares the state with that of another engine, behind the last event.
    ///
    /// - Returns: the difference, also if it was found before.
    package mutating func compareState(with other: borrowing Engine) -> ReplayDifference? {
        guard difference == nil else { return difference }
        let (recorded, replayed) = EngineState.comparableHashes(of: other, engine)
        guard recorded != replayed else { return nil }
        difference = ReplayDifference(
            batch: batchCount, eventNumber: eventCount, event: nil,
            what: .state(recorded: recorded, replayed: replayed))
        return difference
    }

    /// The engine, the record being over.
    ///
    /// - Parameter output: what follows from the end: behind a rebuilt state, and behind a difference, entries are
    ///   halted, and those that work are cancelled behind a difference.
    package consuming func finish(into output: inout EngineOutput) -> Engine {
        switch law {
        case .decides: break
        case .rebuilds: engine.completeRebuild(into: &output)
        }
        if difference != nil { engine.haltForDifference(into: &output) }
        return engine
    }

    // MARK: Deciding again

    private mutating func answer(_ batch: RecordBatch) -> ReplayDifference? {
        output.removeAll()
        answered.removeAll(keepingCapacity: true)
        for (index, event) in batch.events.enumerated() {
            guard event.at >= engine.now else { return differs(batch, index, .timeRunsBack) }
            engine.step(event, into: &output)
            answered.append(
                Counts(commands: output.commands.count, decisions: output.decisions.count))
        }
        digest.add(output)
        let command = differingCommand(batch)
        guard command != nil || digest.value != batch.digest else { return nil }
        let decision = differingDecision(batch)
        if let command, let decision {
            return decision.eventNumber < command.eventNumber ? decision : command
        }
        let digests = ReplayDifference.What.digest(recorded: batch.digest, replayed: digest.value)
        return command ?? decision ?? differs(batch, batch.events.count - 1, digests)
    }

    private func differingCommand(_ batch: RecordBatch) -> ReplayDifference? {
        let counts = (recorded: batch.commands.count, replayed: output.commands.count)
        for index in 0..<max(counts.recorded, counts.replayed) {
            let recorded = index < counts.recorded ? batch.commands[index] : nil
            let replayed = index < counts.replayed ? output.commands[index] : nil
            guard recorded?.command != replayed else { continue }
            let answering = answered.firstIndex { index < $0.commands }
            let event = min(recorded?.event ?? .max, answering ?? .max)
            return differs(
                batch, event, .command(recorded: recorded?.command, replayed: replayed))
        }
        return nil
    }

    private func differingDecision(_ batch: RecordBatch) -> ReplayDifference? {
        guard let decisions = batch.decisions else { return nil }
        for index in 0..<max(decisions.count, output.decisions.count) {
            let recorded = index < decisions.count ? decisions[index] : nil
            let replayed = index < output.decisions.count ? output.decisions[index] : nil
            guard recorded != replayed else { continue }
            let answering = answered.firstIndex { index < $0.decisions }
            let deciding = recorded.flatMap { decision in
                batch.events.lastIndex { $0.at <= decision.at }
            }
            let event = min(answering ?? .max, deciding ?? .max)
            return differs(batch, event, .decision(recorded: recorded, replayed: replayed))
        }
        return nil
    }

    private func differs(
        _ batch: RecordBatch, _ event: Int, _ what: ReplayDifference.What
    ) -> ReplayDifference {
        let index = min(event, batch.events.count - 1)
        return ReplayDifference(
            batch: batchCount, eventNumber: eventCount + index + 1,
            event: index >= 0 ? batch.events[index] : nil, what: what)
    }

    // MARK: Rebuilding

    private mutating func rebuild(_ batch: RecordBatch) -> ReplayDifference? {
        var taken = 0
        for (index, event) in batch.events.enumerated() {
            guard event.at >= engine.now else { return differs(batch, index, .timeRunsBack) }
            engine.rebuild(event)
            while taken < batch.commands.count, batch.commands[taken].event <= index {
                engine.rebuild(batch.commands[taken].command)
                taken += 1
            }
        }
        return nil
    }
}
