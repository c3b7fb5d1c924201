import Accounting
import MarketState
public import Model
package import Orders
package import Primitives
import Risk
import Signals

/// What is known of the broker behind a link, in this connection and of the account.
struct BrokerState: Sendable {
    /// The broker's lists of this connection.
    var listings = Listings()
    /// The orders of which the broker is being asked what became of them.
    var inquiries = Inquiries()
    /// The next number that the gateway takes, if the gateway has sent it.
    var nextID: BrokerOrderID?
    /// How often lists that broke off may still be asked for in this connection.
    var retriesLeft = Self.retriesMax
    /// The day on which the protection of all positions was looked at last.
    var protectionDay: Day?
    /// When acknowledgements are looked at next; `nil` while none is waited for.
    var acknowledgementCheck: Timestamp?
    /// When a fill was booked last, by instrument.
    var filled: [Timestamp]
    /// Cancels that were sent and not answered.
    var cancels = AwaitedCancels()
    /// Executions whose commission has not come.
    var charges = AwaitedCharges()
    /// Orders that the broker does not let work.
    var held = HeldOrders()
    /// The newest refusals of entries by the broker.
    var rejections = RecentRejections()
    /// When strategies last asked for something in answer to an order that had not left.
    var answeredNotSent = Timestamp.distantPast
    /// When protection in an instrument has not left last.
    var protectionNotSent: [InstrumentID: Timestamp] = [:]
    /// Up to which number references of ours that we do not know were a reason to halt.
    var outdated: Int64 = 0
    /// Lists that are asked for when the time to look at positions comes.
    var dueLists: [ListingKind] = []
    /// Where the newest comparison of this connection found contradictions: they are decisions when they begin.
    var findings: [Finding] = []
    /// What reports of this connection contradicted, each once.
    private var contradictions: [Finding] = []
    /// The account's figures by the broker, by key; `nil` before they were reported.
    private(set) var values: [Money?] = Array(
        repeating: nil, count: AccountValue.Key.allCases.count)

    /// How often lists that broke off are asked for again in one connection.
    static let retriesMax = 5
    /// After how long without a word an order's outcome is unknown.
    static let acknowledgementTime = Duration.seconds(5)

    /// Nothing received yet.
    init(instrumentCount: Int) {
        filled = Array(repeating: .distantPast, count: instrumentCount)
    }

    /// Forgets what was found before: with new lists all of it is found once more.
    mutating func beginComparing() {
        findings.removeAll()
        contradictions.removeAll()
        dueLists.removeAll()
    }

    /// True for the first report of a contradiction in this connection. Beyond a thousand each is one.
    mutating func isNews(_ contradiction: Finding) -> Bool {
        guard !contradictions.contains(contradiction) else { return false }
        if contradictions.count < 1_000 { contradictions.append(contradiction) }
        return true
    }

    /// A figure of the account by the broker; `nil` before it was reported.
    func value(of key: AccountValue.Key) -> Money? { values[Int(key.rawValue)] }

    /// Takes in a figure of the account.
    mutating func set(_ value: AccountValue) { values[Int(value.key.rawValue)] = value.amount }
}

/// A broker behind a link: orders by the broker's names, lists, doubts about outcomes.
extension Engine {
    /// True where orders go to a broker by a link, with identities that a journal keeps.
    @inline(__always)
    var hasBroker: Bool { orders.identity.journal > 0 }

    // MARK: Reports

    /// Takes in a fact about an order that is named in the broker's way.
    @usableFromInline
    mutating func brokerReported(_ report: BrokerReport, into output: inout EngineOutput) {
        context.time = now
        guard !orders.identity.isElsewhere(report.key) else { return }
        let match = orders.resolve(report.key)
        if let finding = match.contradiction?.finding {
            note(finding, isNews: broker.isNews(finding), &output)
        }
        if PlantedBug.othersCancelIgnored.isPlanted, report.fact.isCancel,
            !orders.isCancelRequested(match.order)
        {
            return
        }
        record(OrderReport(order: match.order, fact: report.fact), &output)
    }

    /// Records a fact and follows what it means for the doubt about its order.
    mutating func record(_ report: OrderReport, _ output: inout EngineOutput) {
        let former = orders.record(of: report.order)?.state
        orderReported(report, into: &output)
        guard hasBroker, !report.order.isForeign, let state = orders.record(of: report.order)?.state
        else { return }
        if let former, former == .notSent || former == .closed {
            noteReturn(by: report, &output)
        }
        noteHeld(report, &output)
        if case .probeAnswer(let answer) = report.fact {
            perform(broker.inquiries.answered(report.order, answer, at: now), &output)
        }
        if broker.inquiries.contains(report.order) {
            perform(broker.inquiries.resolved(report.order, as: state, at: now), &output)
        } else if state == .unknown || state == .executionsMissing {
            inquire(about: report.order, &output)
        }
    }

    /// Asks what became of an order; until that is known, no entry leaves in its instrument.
    mutating func inquire(about order: OrderID, _ output: inout EngineOutput) {
        guard let instrument = orders.request(of: order)?.instrument else { return }
        orders.setInquired(order, true)
        perform(broker.inquiries.begin(order, in: instrument, at: now), &output)
    }

    /// Asks what became of an order that was in doubt when the state was saved.
    mutating func resumeInquiry(about order: OrderID, _ output: inout EngineOutput) {
        guard let record = orders.record(of: order) else { return }
        if record.isInquired || record.state == .unknown || record.state == .executionsMissing {
            inquire(about: order, &output)
        } else if record.state == .unacknowledged {
            checkAcknowledgements(at: now + BrokerState.acknowledgementTime, &output)
        } else if orders.changeAsked(of: order) != nil {
            awaitChange(&output)
        }
    }

    private mutating func perform(_ steps: Inquiries.Steps, _ output: inout EngineOutput) {
        for command in steps.commands {
            if case .probe(let order) = command {
                orders.noteProbe(of: order)
                countMessage(about: order)
            }
            output.commands.append(command)
        }
        if let wake = steps.wake {
            output.commands.append(
                .setTimer(TimerID(engine: EngineTimer.inquiry.rawValue), at: wake))
        }
        for conclusion in steps.conclusions { conclude(conclusion, &output) }
    }

    private mutating func conclude(
        _ conclusion: Inquiries.Conclusion, _ output: inout EngineOutput
    ) {
        let order = conclusion.order
        switch conclusion.end {
        case .resolved: orders.setInquired(order, false)
        case .dead(let cause):
            orders.setInquired(order, false)
            close(order, because: cause, &output)
        case .unresolved: note(.unresolved(order), &output)
        }
        guard let request = orders.request(of: order) else { return }
        refreshHolding(request.strategy, request.instrument)
    }

    /// Takes an order to be at the broker no more.
    mutating func close(
        _ order: OrderID, because cause: OrderClosure.Cause, _ output: inout EngineOutput
    ) {
        guard let number = orders.record(of: order)?.facts.nextClosure else { return }
        let closure = OrderClosure(number: number, cause)
        orderReported(OrderReport(order: order, fact: .closed(closure)), into: &output)
    }

    // MARK: Names and timers

    /// Names the account, client and journal under which orders go to a broker. Before the first event only.
    package mutating func identify(as identity: OrderIdentity) {
        precondition(now == .distantPast, "an engine is named before its first event")
        orders.identity = identity
    }

    /// Whether the market is in regular hours.
    package func isInSession(_ time: Timestamp) -> Bool { days.isInSession(time) }

    /// By what names the broker knows an order of ours: what its command is sent with. `nil` for an order that
    /// cannot be placed, as no number is left.
    package func brokerKey(of order: OrderID) -> BrokerOrderKey? { orders.identity.key(of: order) }

    /// The quantity that an order of ours is sent to the broker for: its own without what others of its group have
    /// filled, which the broker does not count.
    package func brokerQuantity(of order: OrderTicket) -> Quantity {
        orders.brokerQuantity(of: order.id, order.request)
    }

    /// The number with the broker of the order that another hangs on; `nil` without one, and once it has ended.
    package func brokerParent(of request: OrderRequest) -> BrokerOrderID? {
        guard let parent = request.parent, orders.isListed(parent) else { return nil }
        return brokerKey(of: parent)?.order
    }

    /// Gives the order that was submitted just now its number with the broker, and waits for the word that it
    /// arrived.
    mutating func nameNewestOrder(_ output: inout EngineOutput) {
        if let id = orders.newestID { _ = orders.identity.assign(to: id) }
        guard broker.acknowledgementCheck == nil else { return }
        checkAcknowledgements(at: now + BrokerState.acknowledgementTime, &output)
    }

    /// Orders about which nothing was received for too long: their outcome is unknown from now on.
    mutating func reviewAcknowledgements(_ output: inout EngineOutput) {
        broker.acknowledgementCheck = nil
        var next: Timestamp?
        var asksForOrders = false
        for order in orders.allLive {
            if let asked = orders.changeAsked(of: order) {
                let due = asked + OrderLedger.changeTime
                asksForOrders = asksForOrders || due <= now
                let later = max(due, now + OrderLedger.changeTime)
                next = min(next ?? .distantFuture, due <= now ? later : due)
            }
            guard let record = orders.record(of: order), record.state == .unacknowledged else {
                continue
            }
            let due = record.submitted + BrokerState.acknowledgementTime
            if due <= now {
                decide(
                    .outcomeUnknown, about: Decision.Subject(order, record.ticket.request), &output)
                let isRejected = PlantedBug.timerRejects.isPlanted
                let fact = isRejected ? OrderFact.rejected(.byBroker) : .acknowledgementOverdue
                self.record(OrderReport(order: order, fact: fact), &output)
                if PlantedBug.orderSentAgain.isPlanted {
                    output.commands += orders.repeated(order)
                }
            } else {
                next = min(next ?? due, due)
            }
        }
        if asksForOrders, permissions.link == .ready {
            output.commands.append(.query(.openOrders))
        }
        if let next { checkAcknowledgements(at: next, &output) }
    }

    /// Waits for the answer to a change that has just left, or that was under way when the state was saved.
    mutating func awaitChange(_ output: inout EngineOutput) {
        guard hasBroker, broker.acknowledgementCheck == nil else { return }
        checkAcknowledgements(at: now + OrderLedger.changeTime, &output)
    }

    private mutating func checkAcknowledgements(
        at time: Timestamp, _ output: inout EngineOutput
    ) {
        broker.acknowledgementCheck = time
        output.commands.append(
            .setTimer(TimerID(engine: EngineTimer.acknowledgement.rawValue), at: time))
    }

    /// The time of the next step of an inquiry has come.
    mutating func reviewInquiries(_ output: inout EngineOutput) {
        perform(broker.inquiries.timerFired(at: now), &output)
    }

    // MARK: Link and lists

    /// Takes in what the link allows. With every new connection all lists are asked for; when orders may leave
    /// again, what could not leave meanwhile does.
    @usableFromInline
    mutating func linkChanged(_ report: LinkReport, into output: inout EngineOutput) {
        context.time = now
        if report.state == permissions.link, report.epoch == broker.listings.epoch,
            let next = report.nextID
        {
            // Asked for in the middle of a connection: orders go on above it.
            _ = orders.identity.takesNext(next)
            return
        }
        permissions.set(report.state)
        decide(.linkChanged(report.state), about: Decision.Subject(), &output)
        if report.epoch != broker.listings.epoch { broker.retriesLeft = BrokerState.retriesMax }
        broker.listings.connectionChanged(to: report.epoch)
        broker.nextID = report.nextID ?? broker.nextID
        switch report.state {
        case .sync:
            broker.beginComparing()
            decide(.reconciliationBegun, about: Decision.Subject(), &output)
            for kind in ListingKind.allCases { output.commands.append(.query(kind)) }
            perform(broker.inquiries.linkChanged(ready: nil, at: now), &output)
        case .ready:
            if PlantedBug.haltEndsWithLink.isPlanted { lift(.operatorRequest, into: &output) }
            perform(broker.inquiries.linkChanged(ready: now, at: now), &output)
            sendHeldBack(&output)
            reviewCash(&output)
        case .dataDegraded, .drain:
            // A day's executions can be asked for until the restart only.
            if report.state == .drain { output.commands.append(.query(.executions)) }
            perform(broker.inquiries.linkChanged(ready: nil, at: now), &output)
            sendHeldBack(&output)
        case .down, .handshake, .upstreamLost, .locked:
            perform(broker.inquiries.linkChanged(ready: nil, at: now), &output)
        }
    }

    /// Takes in that a condition has begun or ended; what could not leave meanwhile does when it may again.
    @usableFromInline
    mutating func conditionChanged(_ report: ConditionReport, into output: inout EngineOutput) {
        context.time = now
        if report.condition.isOfStrategy { return callTookTooLong(report, &output) }
        guard permissions.take(report) || report.isPresent && report.condition.isRepeated else {
            return
        }
        let subject = Decision.Subject(instrument: report.instrument)
        let kind =
            report.isPresent
            ? Decision.Kind.conditionBegan(report.condition) : .conditionEnded(report.condition)
        decide(kind, about: subject, &output) {
            report.value == 0 ? Figures() : Figures(.count(.value, Int(report.value)))
        }
        if report.condition == .liquidated, report.isPresent {
            halt(for: .brokerLiquidation, into: &output)
        }
        let blocks = report.condition.effect == .nothingLeaves
        if blocks, report.isPresent {
            perform(broker.inquiries.linkChanged(ready: nil, at: now), &output)
        }
        guard !report.isPresent, report.condition.effect != .none, permissions.mayLeave(.exit)
        else { return }
        let isReady = permissions.link == .ready
        if blocks, isReady {
            perform(broker.inquiries.linkChanged(ready: now, at: now), &output)
        }
        sendHeldBack(&output)
    }

    /// Exits that stand and protection that could not leave.
    private mutating func sendHeldBack(_ output: inout EngineOutput) {
        for id in orders.allLive where orders.isCancelRequested(id) {
            output.commands.append(.cancel(id))
            countMessage(about: id)
            awaitCancel(of: id, &output)
        }
        if !unfinished.isEmpty { reviewUnfinishedExits(into: &output) }
        guard plans.count > 0 else { return }
        for strategy in 0..<instances.count {
            for instrument in 0..<instrumentCount {
                keepProtected(
                    StrategyID(index: strategy), InstrumentID(index: instrument), &output)
            }
        }
    }

    /// Takes in a part of a list; what all lists together report is compared with what is known.
    @usableFromInline
    mutating func listed(_ record: ListingRecord, into output: inout EngineOutput) {
        context.time = now
        let isCompleting = broker.listings.record(record, at: now)
        if case .failed(let kind, let epoch) = record, epoch == broker.listings.epoch {
            guard broker.retriesLeft > 0 else { return }
            broker.retriesLeft -= 1
            output.commands.append(.query(kind))
        }
        guard isCompleting, broker.listings.areComplete else { return }
        let count = output.commands.count
        reconcile(&output)
        renewProven(&output)
        if case .end(let kind, _) = record { spare(kind, behind: count, &output) }
    }

    /// Asks for no list twice at a time, and for the one that has just ended a little later: what it lacks would come at
    /// the gateway's own pace, again and again.
    private mutating func spare(
        _ completed: ListingKind, behind count: Int, _ output: inout EngineOutput
    ) {
        var asked: [ListingKind] = []
        var kept: [Command] = []
        var isLater = false
        for command in output.commands[count...] {
            guard case .query(let kind) = command else {
                kept.append(command)
                continue
            }
            guard !asked.contains(kind) else { continue }
            asked.append(kind)
            if kind == completed {
                if !broker.dueLists.contains(kind) { broker.dueLists.append(kind) }
                isLater = true
            } else {
                kept.append(command)
            }
        }
        output.commands.removeSubrange(count...)
        output.commands += kept
        if isLater { lookAtPositions(at: now + .seconds(5), &output) }
    }

    private mutating func reconcile(_ output: inout EngineOutput) {
        let reconciliation = Reconciliation(
            of: orders, with: broker.listings, positions: bookedPositions, nextID: broker.nextID,
            at: now)
        // It was the next one when the connection began: with orders placed since it says nothing.
        broker.nextID = nil
        for report in reconciliation.bookings { record(report, &output) }
        for report in reconciliation.facts { record(report, &output) }
        orders.learn(from: reconciliation)
        for terms in reconciliation.otherTerms { adopt(terms, &output) }
        perform(
            broker.inquiries.listed(reconciliation, broker.listings, in: orders, at: now), &output)
        for order in reconciliation.inquiries { inquire(about: order, &output) }
        let unexplained = reconciliation.unexplained.map { $0.map(\.instrument) }
        let settled = unexplained.map { outside.settleSplits(but: $0) } ?? []
        let former = broker.findings
        broker.findings = reconciliation.findings
        for finding in reconciliation.findings {
            note(finding, isNews: !former.contains(finding), &output)
        }
        outside.keepGaps(of: unexplained ?? [])
        compareCosts(&output)
        output.commands += reconciliation.commands
        decide(.reconciled, about: Decision.Subject(), &output) {
            Figures(.count(.count, reconciliation.findings.count))
        }
        // What the broker has done with orders in split shares is in its list of them.
        if !settled.isEmpty { output.commands.append(.query(.openOrders)) }
        checkProtection(&output)
    }

    private var bookedPositions: [Reconciliation.BookedPosition] {
        var positions: [Reconciliation.BookedPosition] = []
        for index in 0..<instrumentCount {
            let instrument = InstrumentID(index: index)
            let quantity = portfolio.quantity(of: instrument) + outside[instrument].held
            let changed = broker.filled[index]
            guard quantity != .zero || changed != .distantPast else { continue }
            positions.append(
                Reconciliation.BookedPosition(instrument, quantity, changed: changed))
        }
        return positions
    }

    /// Takes in where the broker contradicts what is known: a decision for people, and entries in the instrument
    /// wait where it is no longer known what is held or ordered.
    private mutating func note(
        _ finding: Finding, isNews: Bool = true, _ output: inout EngineOutput
    ) {
        let instrument = finding.instrument ?? finding.order.flatMap { instrumentOf($0) }
        let subject = Decision.Subject(instrument: instrument, order: finding.order)
        switch finding {
        case .positionDiffers(let instrument, let ours, let brokers):
            return positionDiffers(instrument, by: brokers - ours, finding, &output)
        case .foreignPosition(let symbol, let quantity):
            guard outside.note(quantity, of: symbol) else { return }
            comparisons.noteOthers(on: days.today)
            outside.cash.forgive(portfolio.cash)
        // It was reported when the order ended.
        case .cancelledOutside: return
        case .adopted, .missing, .foreignOrder, .secondOrder, .otherNumber, .otherReference,
            .unknownReference, .unknownFill, .fillOfOtherOrder, .quantityChanged, .termsChanged,
            .notAsOrdered, .executionsMissing, .nextIDBelowMark, .resubmitted, .liveAgain,
            .unresolved, .numberInUse:
            break
        }
        var isNews = isNews
        // What was executed of it may have shown it before a list did.
        if case .resubmitted = finding, isNews { isNews = broker.isNews(finding) }
        if isNews {
            decide(.finding(finding.kind), about: subject, &output) { finding.figures }
        }
        follow(finding, in: instrument, isNews: isNews, &output)
        mend(finding, &output)
        guard let instrument else { return }
        switch finding {
        case .secondOrder, .otherNumber, .otherReference, .unknownReference, .fillOfOtherOrder,
            .notAsOrdered:
            guard isNews || !gate.isLatched(instrument) else { return }
            latch(instrument, for: .contradiction, subject, &output)
        case .positionDiffers, .foreignOrder, .adopted, .missing, .unknownFill, .foreignPosition,
            .quantityChanged, .termsChanged,
            .cancelledOutside, .executionsMissing, .nextIDBelowMark, .resubmitted, .liveAgain,
            .unresolved, .numberInUse:
            break
        }
    }

    /// Does what follows from a contradiction besides latches and mending.
    private mutating func follow(
        _ finding: Finding, in instrument: InstrumentID?, isNews: Bool,
        _ output: inout EngineOutput
    ) {
        switch finding {
        case .foreignPosition: noteForeign(nil, &output)
        case .foreignOrder: noteForeign(instrument, &output)
        case .resubmitted(let order): recall(order, &output)
        case .quantityChanged(let order, _, _):
            if isNews { notifyOfChange(order, ofQuantity: true, &output) }
        case .termsChanged(let order):
            if isNews { notifyOfChange(order, ofQuantity: false, &output) }
        case .unknownReference(let reference): noteOutdated(reference, &output)
        case .adopted, .missing, .secondOrder, .otherNumber, .otherReference, .unknownFill,
            .fillOfOtherOrder, .positionDiffers, .notAsOrdered, .cancelledOutside,
            .executionsMissing, .nextIDBelowMark, .liveAgain, .unresolved, .numberInUse:
            break
        }
    }

    /// The broker names an order of this journal that is newer than all that the journal has: it is an older copy, and
    /// what was sent since is not in it. Nothing is entered before the user has looked.
    private mutating func noteOutdated(_ reference: OrderReference, _ output: inout EngineOutput) {
        let number = reference.order.number
        guard reference.journal == orders.identity.journal,
            number > max(orders.newestID?.number ?? 0, broker.outdated)
        else { return }
        broker.outdated = number
        guard !gate.isHalted(for: .journalOutdated) else { return }
        halt(
            for: .journalOutdated, into: &output,
            Figures(
                .count(.value, Int(number)),
                .count(.limit, Int(orders.newestID?.number ?? 0))))
    }

    private func instrumentOf(_ order: OrderID) -> InstrumentID? {
        orders.request(of: order)?.instrument ?? orders.foreignInstrument(of: order)
    }

    // MARK: The account

    /// Takes in a figure of the account. Without excess liquidity the broker liquidates: no entry is added.
    @usableFromInline
    mutating func accountValueChanged(_ value: AccountValue, into output: inout EngineOutput) {
        guard value.account == orders.identity.account else { return }
        broker.set(value)
        compareAccount(value, &output)
        guard value.key == .excessLiquidity else { return }
        if value.amount < .zero {
            halt(
                for: .brokerMargin, into: &output,
                Figures(.money(.value, value.amount), .money(.limit, Money.zero)))
        } else {
            lift(.brokerMargin, into: &output)
            if PlantedBug.haltEndsWithMargin.isPlanted { lift(.operatorRequest, into: &output) }
        }
    }
}
