package import Model
package import Primitives

/// The way to the outcome of one order that is not known: lists, and where they do not have it a cancel that is
/// sent as a question, twice, and lists again.
///
/// It asks and concludes; it never sends an order and never sends one again. Evidence that ends the doubt ends
/// it at any time. Time alone concludes nothing: what stays unanswered ends in `unresolved`, and the order's
/// outcome stays unknown until evidence comes, the link comes anew or the user decides.
package struct OrderInquiry: Sendable {
    /// The order.
    package let order: OrderID
    /// What it is in.
    package let instrument: InstrumentID

    private var phase = Phase.waiting
    /// Since when orders may leave; `nil` while they may not.
    private var ready: Timestamp?
    /// How often the lists may still be asked for before the link comes anew.
    private var listingsLeft = Self.listingsMax
    /// How often a probe may still be sent before the link comes anew.
    private var probesLeft = Self.probesMax
    /// When the first probe was answered by "not found".
    private var first: Timestamp?
    /// When the second was.
    private var second: Timestamp?

    /// What is waited for.
    private enum Phase: Hashable, Sendable {
        /// The link. Then: the lists.
        case waiting
        /// The lists that are asked for from a timestamp on. Then: a probe, the end, or the lists again.
        case lists(since: Timestamp, Purpose)
        /// The answer to a probe. Then: a pause, or the lists.
        case probe(since: Timestamp)
        /// A timestamp. Then: the second probe.
        case secondProbe(at: Timestamp)
        /// A timestamp. Then: the last lists.
        case lastLists(at: Timestamp)
        /// A timestamp. Then: the lists again, for the executions.
        case fills(at: Timestamp)
        /// Nothing: it is over. Only the link's coming anew or the user leads away from `unresolved`.
        case over(Conclusion)
    }

    /// What lists are asked for.
    private enum Purpose: Hashable, Sendable {
        /// To find the order.
        case search
        /// To see that it is still in none, and that the broker's position is that of our ledger.
        case proof
        /// To find executions of an order that the broker has had.
        case fills
    }

    /// The end of an inquiry.
    package enum Conclusion: Hashable, Sendable {
        /// Evidence says where the order stands.
        case resolved
        /// The broker has no such order: to be recorded as a closure of the order.
        case dead(OrderClosure.Cause)
        /// Everything was asked as often as it may be: a matter for the user.
        case unresolved
    }

    /// What an input leads to.
    package struct Step: Equatable, Sendable {
        /// What is to be asked: lists and probes, nothing else.
        package var commands: [Command] = []
        /// When `timerFired` is to be called at the latest; `nil` if no time is waited for.
        package var wake: Timestamp?
        /// The end, with the input that brought it.
        package var conclusion: Conclusion?

        /// A step; nothing, if nothing was reported.
        package init(
            commands: [Command] = [], wake: Timestamp? = nil, conclusion: Conclusion? = nil
        ) {
            self.commands = commands
            self.wake = wake
            self.conclusion = conclusion
        }
    }

    /// What complete lists of one connection report about the order.
    package struct Evidence: Hashable, Sendable {
        /// Where the order stands with everything taken in.
        package let state: OrderState
        /// Whether a list has it.
        package let isListed: Bool
        /// By how much the broker's position in the instrument is above ours.
        package let gap: Quantity

        /// What lists report.
        package init(state: OrderState, isListed: Bool, gap: Quantity) {
            self.state = state
            self.isListed = isListed
            self.gap = gap
        }
    }

    /// How often the lists are asked for while the link stays ready, at most.
    package static let listingsMax = 8
    /// How many probes are sent while the link stays ready, at most.
    package static let probesMax = 6
    /// How many commands follow while the link stays ready, at most.
    package static var commandsMax: Int { listingsMax * Listings.needed.count + probesMax }
    /// How long lists may take.
    package static let listingTime = Duration.seconds(15)
    /// How long a probe's answer may take.
    package static let probeTime = Duration.seconds(5)
    /// How long executions are waited for before they are asked for again.
    package static let fillsTime = Duration.seconds(5)
    /// How long orders must have been allowed to leave before an order is taken to be dead: the gateway may
    /// send late what it held while it had lost the broker.
    package static let readyTime = Duration.seconds(10)

    /// An inquiry that has not begun; `linkChanged` begins it.
    package init(_ order: OrderID, in instrument: InstrumentID) {
        self.order = order
        self.instrument = instrument
    }

    /// Whether nothing more will come of it while the link stays as it is.
    package var isOver: Bool { if case .over = phase { true } else { false } }

    /// Whether lists that began at `time` are of use to it.
    package func needsLists(from time: Timestamp) -> Bool {
        if case .lists(let since, _) = phase { time >= since } else { false }
    }

    // MARK: Inputs

    /// Takes in that orders may leave from `ready` on, or may not. What was learned before is forgotten: all
    /// evidence is of one connection.
    package mutating func linkChanged(ready: Timestamp?, at now: Timestamp) -> Step {
        guard ready != self.ready else { return waitStep }
        switch phase {
        case .over(.resolved), .over(.dead): return Step()
        case .over(.unresolved), .waiting, .lists, .probe, .secondProbe, .lastLists, .fills: break
        }
        self = OrderInquiry(order, in: instrument)
        self.ready = ready
        return ready == nil ? Step() : askLists(for: .search, at: now)
    }

    /// Takes in what lists report that began after they were asked for.
    package mutating func listed(_ evidence: Evidence, at now: Timestamp) -> Step {
        guard case .lists(_, let purpose) = phase else { return waitStep }
        if evidence.isResolved { return end(.resolved) }
        // The broker has it, or has had it: what became of it is to come.
        if evidence.state == .executionsMissing || evidence.isListed || purpose == .fills {
            phase = .fills(at: now + Self.fillsTime)
            return waitStep
        }
        guard purpose == .proof else { return sendProbe(at: now) }
        guard let first, let second, evidence.gap == .zero else {
            // A position that is not explained may be what the order has filled.
            phase = .lastLists(at: now + Self.fillsTime)
            return waitStep
        }
        return end(.dead(.notFound(first: first, second: second)))
    }

    /// Takes in what a probe was answered.
    package mutating func answered(_ answer: ProbeAnswer, at now: Timestamp) -> Step {
        switch (phase, answer) {
        case (.waiting, _), (.over, _), (.lists(_, .fills), _), (.fills, _): return waitStep
        case (.probe, .notFound): return notFound(at: now)
        // Comes late, from a probe that was sent again.
        case (.lists, .notFound), (.secondProbe, .notFound), (.lastLists, .notFound):
            return waitStep
        // The broker has had it: its executions are to be found, however it ended.
        case (.lists, .tooLate), (.lists, .filled), (.lists, .cancelled), (.lists, .pendingCancel),
            (.probe, .tooLate), (.probe, .filled), (.probe, .cancelled), (.probe, .pendingCancel),
            (.secondProbe, .tooLate), (.secondProbe, .filled), (.secondProbe, .cancelled),
            (.secondProbe, .pendingCancel), (.lastLists, .tooLate), (.lastLists, .filled),
            (.lastLists, .cancelled), (.lastLists, .pendingCancel):
            return askLists(for: .fills, at: now)
        }
    }

    /// Takes in that facts other than lists show where the order stands.
    package mutating func resolved(as state: OrderState, at now: Timestamp) -> Step {
        switch (phase, state) {
        case (.over, _): return Step()
        case (_, .unknown), (_, .executionsMissing), (_, .unacknowledged): return waitStep
        case (.lists(_, .fills), .cancelled), (.fills, .cancelled): return waitStep
        // Before it was cancelled it may have filled: executions are looked at once more.
        case (.waiting, .cancelled), (.lists, .cancelled), (.probe, .cancelled),
            (.secondProbe, .cancelled), (.lastLists, .cancelled):
            return ready == nil ? end(.resolved) : askLists(for: .fills, at: now)
        case (_, .working), (_, .filled), (_, .overfilled), (_, .rejected), (_, .notSent),
            (_, .closed):
            return end(.resolved)
        }
    }

    /// Takes in the time.
    package mutating func timerFired(at now: Timestamp) -> Step {
        switch phase {
        case .waiting, .over: return Step()
        case .lists(let since, let purpose):
            return now < since + Self.listingTime ? waitStep : askLists(for: purpose, at: now)
        case .probe(let since):
            return now < since + Self.probeTime ? waitStep : sendProbe(at: now)
        case .secondProbe(let time): return now < time ? waitStep : sendProbe(at: now)
        case .lastLists(let time): return now < time ? waitStep : askLists(for: .proof, at: now)
        case .fills(let time): return now < time ? waitStep : askLists(for: .fills, at: now)
        }
    }

    /// Begins anew after it has ended without a conclusion: the user wants it.
    package mutating func retry(at now: Timestamp) -> Step {
        guard case .over(.unresolved) = phase, let ready else { return waitStep }
        self = OrderInquiry(order, in: instrument)
        self.ready = ready
        return askLists(for: .search, at: now)
    }

    // MARK: Steps

    private mutating func notFound(at now: Timestamp) -> Step {
        guard let first else {
            first = now
            phase = .secondProbe(at: now + OrderClosure.answerDistance)
            return waitStep
        }
        // The answer to a first probe that was sent again.
        guard now >= first + OrderClosure.answerDistance else { return waitStep }
        second = now
        guard let ready else { return waitStep }
        let earliest = ready + Self.readyTime
        guard now < earliest else { return askLists(for: .proof, at: now) }
        phase = .lastLists(at: earliest)
        return waitStep
    }

    private mutating func askLists(for purpose: Purpose, at now: Timestamp) -> Step {
        guard listingsLeft > 0 else { return end(.unresolved) }
        listingsLeft -= 1
        if purpose == .search { (first, second) = (nil, nil) }
        phase = .lists(since: now, purpose)
        return Step(commands: Listings.needed.map { .query($0) }, wake: now + Self.listingTime)
    }

    private mutating func sendProbe(at now: Timestamp) -> Step {
        guard probesLeft > 0 else { return end(.unresolved) }
        probesLeft -= 1
        phase = .probe(since: now)
        return Step(commands: [.probe(order)], wake: now + Self.probeTime)
    }

    private mutating func end(_ conclusion: Conclusion) -> Step {
        phase = .over(conclusion)
        return Step(conclusion: conclusion)
    }

    /// Whether it has come to a conclusion that stands.
    var isConcluded: Bool {
        switch phase {
        case .over(.resolved), .over(.dead): true
        case .waiting, .lists, .probe, .secondProbe, .lastLists, .fills, .over(.unresolved): false
        }
    }

    /// What it waits for, with nothing new.
    var currentStep: Step { waitStep }

    /// Nothing to do but to wait.
    private var waitStep: Step {
        switch phase {
        case .waiting, .over: Step()
        case .lists(let since, _): Step(wake: since + Self.listingTime)
        case .probe(let since): Step(wake: since + Self.probeTime)
        case .secondProbe(let time), .lastLists(let time), .fills(let time): Step(wake: time)
        }
    }
}

extension OrderInquiry.Evidence {
    /// Whether it says where the order stands: it has ended, or it is in a list and works.
    fileprivate var isResolved: Bool {
        switch state {
        case .filled, .overfilled, .cancelled, .rejected, .notSent, .closed: true
        case .working: isListed
        case .unacknowledged, .unknown, .executionsMissing: false
        }
    }
}
