import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// What strategies ask for, one after the other, and what they are notified of.
extension Engine {
    /// Performs what strategies ask for, in the order of strategies, and notifies them of what was refused.
    @usableFromInline
    mutating func performRequests(into output: inout EngineOutput) {
        handleRequests(into: &output)
        deliverNotices(into: &output)
    }

    private mutating func handleRequests(into output: inout EngineOutput) {
        sharedCash = nil
        var index = 0
        while index < context.requests.count {
            switch context.requests[index] {
            case .intent(let intent, let reason): receive(intent, because: reason, &output)
            case .timer(let id, let time):
                setTimer(id, at: time, &output)
            case .group(let response, let count):
                receiveGroup(first: index + 1, count: count, response, &output)
                index += count
            }
            index += 1
        }
        context.requests.removeAll()
        sharedCash = nil
    }

    /// Notifies strategies of intents that were refused. A refusal of what they ask for in answer is a decision
    /// and no notice, so that no answer follows an answer without end.
    @usableFromInline
    mutating func deliverNotices(into output: inout EngineOutput) {
        guard !notices.isEmpty else { return }
        let due = notices
        notices.removeAll()
        for notice in due where isConfigured(notice.instrument) {
            context.strategy = notice.strategy
            instances[Int(notice.strategy.index)].strategy.intentRefused(notice, &context)
        }
        if !context.requests.isEmpty { handleRequests(into: &output) }
        notices.removeAll()
    }

    /// Sets a timer of a strategy, at the earliest a millisecond from now.
    mutating func setTimer(_ id: TimerID, at time: Timestamp, _ output: inout EngineOutput) {
        let time = max(time, context.now + .milliseconds(1))
        timers.set(id, at: time)
        output.commands.append(.setTimer(id, at: time))
    }

    // MARK: Intents

    private mutating func receive(
        _ intent: Intent, because reason: StaticString, _ output: inout EngineOutput
    ) {
        accept(numbered(intent, because: reason, group: 0, &output), into: &output)
    }

    /// An intent as it is known from now on: numbered, and in prices as traded.
    mutating func numbered(
        _ intent: Intent, because reason: StaticString, group: Int32, _ output: inout EngineOutput
    ) -> Intent {
        let intent = intent.received(
            as: log.nextIntent(), because: context.number(of: reason), group: group)
        let received = adjustments.areNone ? intent : traded(intent)
        decide(
            .intentReceived(received.kind), about: Decision.Subject(received),
            because: received.reason, &output
        ) { received.goal.figures }
        return received
    }

    /// Takes up a strategy's intent, which takes the place of the one before about the position.
    @inline(__always)
    mutating func accept(_ intent: Intent, into output: inout EngineOutput) {
        let wasPending = isAnythingPending()
        if !unfinished.isEmpty {
            guard supersede(intent, &output) else { return }
        }
        if timed.isAnyUnproven { forgetUnproven(before: intent) }
        if held.isNeverHolding {
            resolve(intent, into: &output)
        } else {
            schedule(intent, into: &output)
        }
        if wasPending || isAnythingPending() {
            refreshHolding(intent.strategy, intent.instrument)
        }
    }

    /// The rest of an entry that has ended is not sent anew once its strategy wants something else of the position.
    private mutating func forgetUnproven(before intent: Intent) {
        switch intent.goal {
        case .protect: break
        case .enter, .exit, .target, .weight, .cancelEntries, .withdraw:
            timed.forgetUnproven { $0 == intent.strategy && $1 == intent.instrument }
        }
    }

    // MARK: Refusals

    /// Records that a rule has stopped an intent, and notifies its strategy.
    mutating func refuse(
        _ refusal: Refusal, _ intent: Intent, _ output: inout EngineOutput,
        _ figures: () -> Figures = { Figures() }
    ) {
        refuse(
            refusal, about: Decision.Subject(intent), as: intent.kind, because: intent.reason,
            &output, figures)
    }

    /// Records that a rule has stopped an order that follows from no intent of now, and notifies its strategy.
    mutating func refuse(
        _ refusal: Refusal, about subject: Decision.Subject, as kind: Intent.Kind,
        because reason: TextID, _ output: inout EngineOutput,
        _ figures: () -> Figures = { Figures() }
    ) {
        let figures = figures()
        decide(.refused(refusal), about: subject, because: reason, &output) { figures }
        guard let strategy = subject.strategy, let instrument = subject.instrument else { return }
        notices.append(
            IntentRefusal(
                at: now, strategy: strategy, instrument: instrument, intent: kind, rule: refusal,
                figures: figures))
    }

    /// Records that an intent is not performed, though no rule stopped it.
    mutating func drop(
        _ cause: DropCause, _ intent: Intent, _ output: inout EngineOutput,
        _ figures: () -> Figures = { Figures() }
    ) {
        decide(
            .dropped(cause), about: Decision.Subject(intent), because: intent.reason, &output,
            figures)
    }
}

extension Intent.Goal {
    /// The figures of what is asked for.
    fileprivate var figures: Figures {
        switch self {
        case .enter, .exit, .cancelEntries, .withdraw, .protect: Figures()
        case .target(let quantity): Figures(.shares(.target, quantity))
        case .weight(let weight):
            Percent(roundingFraction: weight).map { Figures(.percent(.target, $0)) } ?? Figures()
        }
    }
}
