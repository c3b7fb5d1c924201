package import Model
package import Primitives

/// All inquiries under way: each input goes to those that it concerns, and what they ask together is asked
/// once.
package struct Inquiries: Sendable {
    /// By order.
    private var all: [OrderInquiry] = []
    /// Since when orders may leave; `nil` while they may not.
    private var ready: Timestamp?

    /// What an input leads to.
    package struct Steps: Equatable, Sendable {
        /// What is to be asked: lists and probes, nothing else.
        package var commands: [Command] = []
        /// When `timerFired` is to be called at the latest.
        package var wake: Timestamp?
        /// The ends, by order. Those that were resolved or are dead are forgotten.
        package var conclusions: [Conclusion] = []
    }

    /// The end of the inquiry of one order.
    package struct Conclusion: Equatable, Sendable {
        /// The order.
        package let order: OrderID
        /// The end.
        package let end: OrderInquiry.Conclusion

        /// An end.
        package init(order: OrderID, end: OrderInquiry.Conclusion) {
            self.order = order
            self.end = end
        }
    }

    /// No inquiries.
    package init() {}

    /// Whether what became of an order is being asked, or could not be found out.
    package func contains(_ order: OrderID) -> Bool { all.contains { $0.order == order } }

    /// Asks what became of an order; nothing new if it is being asked.
    package mutating func begin(
        _ order: OrderID, in instrument: InstrumentID, at now: Timestamp
    ) -> Steps {
        guard !contains(order) else { return step { _ in nil } }
        let index = all.firstIndex { $0.order > order } ?? all.endIndex
        all.insert(OrderInquiry(order, in: instrument), at: index)
        let ready = ready
        return step { $0.order == order ? $0.linkChanged(ready: ready, at: now) : nil }
    }

    /// Takes in since when orders may leave; `nil`: they may not.
    package mutating func linkChanged(ready: Timestamp?, at now: Timestamp) -> Steps {
        self.ready = ready
        return step { $0.linkChanged(ready: ready, at: now) }
    }

    /// Takes in complete lists and what follows from them.
    package mutating func listed(
        _ reconciliation: Reconciliation, _ lists: Listings, in ledger: borrowing OrderLedger,
        at now: Timestamp
    ) -> Steps {
        guard lists.areComplete, let began = Listings.needed.compactMap(lists.began).min() else {
            return step { _ in nil }
        }
        var evidence: [OrderInquiry.Evidence?] = []
        for inquiry in all { evidence.append(reconciliation.evidence(of: inquiry, in: ledger)) }
        var index = -1
        return step { inquiry in
            index += 1
            guard inquiry.needsLists(from: began), let found = evidence[index] else { return nil }
            return inquiry.listed(found, at: now)
        }
    }

    /// Takes in what a probe was answered.
    package mutating func answered(
        _ order: OrderID, _ answer: ProbeAnswer, at now: Timestamp
    ) -> Steps {
        step { $0.order == order ? $0.answered(answer, at: now) : nil }
    }

    /// Takes in where an order stands by what was reported about it.
    package mutating func resolved(
        _ order: OrderID, as state: OrderState, at now: Timestamp
    ) -> Steps {
        step { $0.order == order ? $0.resolved(as: state, at: now) : nil }
    }

    /// Takes in the time.
    package mutating func timerFired(at now: Timestamp) -> Steps {
        step { $0.timerFired(at: now) }
    }

    /// Asks again about the orders that could not be found out: the user wants it.
    package mutating func retry(at now: Timestamp) -> Steps { step { $0.retry(at: now) } }

    /// Takes the next step of each inquiry; of one for which it has none, none.
    private mutating func step(_ next: (inout OrderInquiry) -> OrderInquiry.Step?) -> Steps {
        var steps = Steps()
        for index in all.indices {
            let step = next(&all[index]) ?? all[index].currentStep
            for command in step.commands where !steps.commands.contains(command) {
                steps.commands.append(command)
            }
            if let wake = step.wake { steps.wake = min(steps.wake ?? wake, wake) }
            guard let end = step.conclusion else { continue }
            steps.conclusions.append(Conclusion(order: all[index].order, end: end))
        }
        all.removeAll { $0.isConcluded }
        return steps
    }
}

extension Reconciliation {
    /// What lists report about the order of an inquiry, with everything taken in; `nil` if it is not ours.
    package func evidence(
        of inquiry: OrderInquiry, in ledger: borrowing OrderLedger
    ) -> OrderInquiry.Evidence? {
        guard let record = ledger.record(of: inquiry.order) else { return nil }
        var known = record.facts
        var isListed = false
        for report in facts where report.order == inquiry.order {
            _ = known.record(report.fact)
            if report.fact.isListing { isListed = true }
        }
        for report in bookings where report.order == inquiry.order { _ = known.record(report.fact) }
        let gap = unexplained?.first { $0.instrument == inquiry.instrument }
        return OrderInquiry.Evidence(
            state: known.state(ordered: record.ticket.request.quantity), isListed: isListed,
            gap: gap?.quantity ?? .zero)
    }
}
