import Accounting
import MarketState
public import Model
import Orders
package import Primitives
import Risk
import Signals

/// Positions, orders and trades in the account that are not ours: shown, counted and never touched.
extension Engine {
    // MARK: Positions and trades

    /// What the account holds in an instrument that is not ours; negative is short.
    package func foreignQuantity(of instrument: InstrumentID) -> Quantity {
        isKnown(instrument) ? outside[instrument].held : .zero
    }

    /// Books an execution of an order that is not ours: beside our ledger, which it does not change.
    mutating func bookOutside(_ execution: Execution, _ how: ExecutionChange) {
        let replaced: Execution?
        switch how {
        case .unchanged: return
        case .added: replaced = nil
        case .replaced(let old): replaced = old
        }
        broker.filled[Int(execution.instrument.index)] = now
        comparisons.noteOthers(on: days.today)
        outside.book(
            execution, replacing: replaced,
            multiplier: context.market.instruments[Int(execution.instrument.index)].multiplier)
    }

    /// Takes in that others hold, order or trade something, and does what the configuration wants for that.
    ///
    /// - Parameter instrument: `nil` for what the run does not have.
    mutating func noteForeign(_ instrument: InstrumentID?, _ output: inout EngineOutput) {
        if let instrument { permissions.noteForeign(instrument) }
        guard hasBroker else { return }
        switch outside.policy {
        case .ignore: break
        case .adopt:
            guard let instrument, permissions.isUnclaimed(instrument) else { return }
            permissions.give(instrument, to: .us)
        case .halt:
            guard !gate.isHalted(for: .foreignActivity) else { return }
            halt(for: .foreignActivity, into: &output)
        }
    }

    /// True if what others do in an instrument is no reason to latch it: the user has adopted it, and what they hold
    /// does not lessen what we hold.
    func isLeftAlone(_ instrument: InstrumentID) -> Bool {
        guard permissions.isAdopted(instrument) else { return false }
        let (ours, others) = (portfolio.quantity(of: instrument), outside[instrument].held)
        return ours == .zero || others == .zero || (ours > .zero) == (others > .zero)
    }

    /// Takes in that the broker has another position than is known. Where nothing of ours is involved it is a position of
    /// others; where it is, entries in the instrument wait for the user, and nothing is sent or booked to mend it.
    mutating func positionDiffers(
        _ instrument: InstrumentID, by gap: Quantity, _ finding: Finding,
        _ output: inout EngineOutput
    ) {
        let isNews = outside.note(gap: gap, of: instrument, at: now)
        let subject = Decision.Subject(instrument: instrument)
        let since = outside[instrument].gapSince ?? now
        if !isOurs(instrument), !undoesOurs(gap, instrument) {
            if mayHaveFilled(gap, instrument), now < since + OutsideAccount.doubtTime {
                if isNews { output.commands.append(.query(.executions)) }
                return lookAtPositions(at: since + OutsideAccount.doubtTime, &output)
            }
            outside.accept(gap, of: instrument)
            outside.cash.forgive(portfolio.cash)
            let held = outside[instrument].held
            decide(.finding(.foreignPosition), about: subject, &output) {
                Figures(.shares(.value, held))
            }
            return noteForeign(instrument, &output)
        }
        // What others have traded in the account is in the list of executions.
        if isNews { output.commands.append(.query(.executions)) }
        if mayFill(gap, instrument), now < since + OutsideAccount.doubtTime {
            return lookAtPositions(at: since + OutsideAccount.doubtTime, &output)
        }
        // A split of today comes to the broker's positions later than to us.
        if outside[instrument].awaitsSplit, !days.isInSession(now) {
            return lookAtPositions(at: now + .minutes(5), &output)
        }
        guard isNews || !gate.isLatched(instrument) else { return }
        decide(.finding(.positionDiffers), about: subject, &output) { finding.figures }
        latch(instrument, for: .positionDiffers, subject, &output) { finding.figures }
        if outside.policy == .halt { noteForeign(instrument, &output) }
        if PlantedBug.syntheticFill.isPlanted { bookSyntheticFill(of: gap, in: instrument) }
        notifyOfPosition(instrument, &output)
    }

    /// The instruments of which executions of ours are missing: the broker has another position, or says that an order has
    /// filled, and its list of executions, which is of a day, does not have them. Until the user books them, cash and
    /// profit are provisional.
    package var provisionalInstruments: [InstrumentID] {
        guard hasBroker else { return [] }
        var missing = Array(repeating: false, count: instrumentCount)
        for order in orders.allLive where orders.record(of: order)?.state == .executionsMissing {
            guard let request = orders.request(of: order) else { continue }
            missing[Int(request.instrument.index)] = true
        }
        return (0..<instrumentCount).map(InstrumentID.init(index:)).filter { instrument in
            missing[Int(instrument.index)]
                || outside[instrument].gap != .zero && gate.isLatched(instrument)
        }
    }

    /// True if a strategy of ours holds something in an instrument, or an order of ours may still fill in it.
    private func isOurs(_ instrument: InstrumentID) -> Bool {
        if (0..<instances.count).contains(where: {
            heldQuantity(StrategyID(index: $0), instrument) != .zero
        }) {
            return true
        }
        if portfolio.quantity(of: instrument) != .zero { return true }
        return orders.allLive.contains { orders.isOf(instrument, $0) }
    }

    /// True if orders of ours that work could be what the broker has more.
    private func mayFill(_ gap: Quantity, _ instrument: InstrumentID) -> Bool {
        var most = Quantity.zero
        for order in orders.allLive {
            guard let request = orders.request(of: order), request.instrument == instrument,
                (request.side == .buy) == (gap > .zero)
            else { continue }
            most = most.adding(orders.open(order))
        }
        return most >= (gap < .zero ? -gap : gap)
    }

    /// True if orders of ours that have just ended could be what the broker has more: the word of a fill may have been lost
    /// with that of the order's end.
    private func mayHaveFilled(_ gap: Quantity, _ instrument: InstrumentID) -> Bool {
        let unfilled = orders.unfilled(
            gap > .zero ? .buy : .sell, in: instrument, endedSince: now - .minutes(1))
        return unfilled >= gap.magnitude
    }

    /// The user takes what the broker has more for a position of others, unless it lessens what we hold.
    mutating func acceptGap(of instrument: InstrumentID) {
        let (ours, gap) = (portfolio.quantity(of: instrument), outside[instrument].gap)
        guard gap != .zero, ours == .zero || (ours > .zero) == (gap > .zero) else { return }
        outside.accept(gap, of: instrument)
    }

    /// Looks at positions, and at the lists that are due, once more.
    mutating func lookAtPositions(at time: Timestamp, _ output: inout EngineOutput) {
        output.commands.append(
            .setTimer(TimerID(engine: EngineTimer.positions.rawValue), at: time))
    }

    /// The time has come to look at positions once more.
    mutating func askForPositions(_ output: inout EngineOutput) {
        guard permissions.link == .ready else { return }
        for kind in ListingKind.allCases where kind == .positions || broker.dueLists.contains(kind)
        {
            output.commands.append(.query(kind))
        }
        broker.dueLists.removeAll()
    }

    /// An order of ours has ended: by the broker or by others, and not by us, is for the user to know.
    mutating func noteOutsideEnd(of order: OrderID, _ output: inout EngineOutput) {
        guard let record = orders.record(of: order),
            orders.cancelCause(of: record) == .external
        else { return }
        decide(
            .finding(.cancelledOutside), about: Decision.Subject(order, record.ticket.request),
            &output)
        if outside.policy == .halt { noteForeign(nil, &output) }
    }

    // MARK: Closes and splits

    /// True while it is in doubt of which shares an instrument's prices are: orders at old prices are kept from the
    /// market, and strategies see no prices.
    package func isSuspended(_ instrument: InstrumentID) -> Bool {
        isKnown(instrument) && outside[instrument].isSuspended
    }

    /// True for a close that is compared with one that is known, and for the newest.
    package func comparesClose(_ close: DailyClose, newest: DailyClose?) -> Bool {
        guard isKnown(close.instrument) else { return false }
        return close == newest || close.day == outside[close.instrument].close?.day
    }

    /// Compares the close of a past day with what it was. Where no split that is known explains the difference, entries
    /// in the instrument wait for the user; where it is as large as a split's, so do orders at the old prices.
    @usableFromInline
    mutating func closeReported(_ close: DailyClose, into output: inout EngineOutput) {
        context.time = now
        guard isKnown(close.instrument), close.close > .zero else { return }
        let instrument = close.instrument
        guard let known = outside[instrument].close, known.day >= close.day else {
            outside[instrument].close = close
            outside[instrument].unsplitClose = nil
            return
        }
        guard known.day == close.day, !close.close.isNear(known.close) else { return }
        // The broker's history may not have taken in a split of today.
        if let former = outside[instrument].unsplitClose, close.close.isNear(former) { return }
        outside[instrument].close = close
        let subject = Decision.Subject(instrument: instrument)
        let figures = Figures(.price(.value, close.close), .price(.limit, known.close))
        latch(instrument, for: .closeDiffers, subject, &output) { figures }
        guard close.close.isFar(from: known.close) else { return }
        suspend(instrument, &output)
    }

    /// Takes the orders of an instrument from the market: at the prices of old shares they must not trigger.
    private mutating func suspend(_ instrument: InstrumentID, _ output: inout EngineOutput) {
        outside[instrument].isSuspended = true
        for order in orders.allLive where orders.isOf(instrument, order) {
            cancelOrder(order, &output)
        }
    }

    /// Lets protection in an instrument go on: what there was to know is known.
    mutating func release(_ instrument: InstrumentID, _ output: inout EngineOutput) {
        guard outside[instrument].isSuspended else { return }
        outside[instrument].isSuspended = false
        for strategy in 0..<instances.count {
            keepProtected(StrategyID(index: strategy), instrument, &output)
        }
    }

    /// Brings what is known of the account beside ours to what a company did.
    mutating func noteOutside(_ action: CorporateAction) {
        guard hasBroker else { return }
        switch action.kind {
        case .split(let ratio):
            outside.split(action.instrument, by: ratio, on: action.exDay)
            // Where the broker has had other shares already, the split was late here.
            outside[action.instrument].awaitsSplit =
                portfolio.quantity(of: action.instrument) != .zero
                && outside[action.instrument].gap == .zero && !days.isInSession(now)
        case .dividend(let perShare):
            // It is booked today, and paid on a later day.
            let quantity = portfolio.quantity(of: action.instrument)
            let multiplier = context.market.instruments[Int(action.instrument.index)].multiplier
            guard let due = (perShare * quantity * multiplier).roundedIfRepresentable() else {
                return
            }
            outside.cash.expect(due)
        }
    }
}

extension Price {
    /// True for a price within a thousandth.
    fileprivate func isNear(_ other: Price) -> Bool { distance(to: other) * 1_000 <= other.size }

    /// True for a price that is further than what corrections of closes make: a twentieth.
    fileprivate func isFar(from other: Price) -> Bool { distance(to: other) * 20 > other.size }

    private func distance(to other: Price) -> UInt128 {
        (Int128(units) - Int128(other.units)).magnitude
    }

    private var size: UInt128 { Int128(units).magnitude }
}
