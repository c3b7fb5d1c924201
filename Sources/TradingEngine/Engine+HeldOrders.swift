import MarketState
import Model
import Orders
import Primitives
import Signals

/// Orders that a broker holds: for shares to be sold short, for a check, for a confirmation.
extension Engine {
    /// Takes in what a report says of an order's being held.
    mutating func noteHeld(_ report: OrderReport, _ output: inout EngineOutput) {
        guard let request = orders.request(of: report.order),
            let isHeld = isHeld(request, by: report.fact)
        else { return }
        guard isHeld, orders.isListed(report.order), !isWaitingForParent(request) else {
            return broker.held.ended(report.order)
        }
        let open = sessionOpening ?? now
        guard let wake = broker.held.began(report.order, at: now, open: open) else { return }
        setHeldTimer(at: wake, &output)
    }

    /// Orders have been held for minutes: that is for the user to look at.
    mutating func reviewHeldOrders(_ output: inout EngineOutput) {
        let live = orders.allLive
        let opening = sessionOpening
        let (alarms, wake) = broker.held.review(at: now) { order in
            guard live.contains(order) else { return .over }
            return opening.map { .waiting(until: $0) } ?? .open
        }
        for alarm in alarms {
            guard let request = orders.request(of: alarm.order) else { continue }
            let open = orders.open(alarm.order)
            decide(.orderHeld, about: Decision.Subject(alarm.order, request), &output) {
                Figures(
                    .count(.value, Int(alarm.time.nanoseconds / 1_000_000_000)),
                    .shares(.working, request.side.signed(open)))
            }
        }
        if let wake { setHeldTimer(at: wake, &output) }
    }

    /// When the market opens next; `nil` while it is open.
    var sessionOpening: Timestamp? {
        let calendar = context.calendar
        guard calendar.session(containing: now) == nil else { return nil }
        let day = calendar.day(of: now)
        if let today = calendar.session(on: day), now < today.open { return today.open }
        return calendar.nextSession(after: day).open
    }

    /// True if a fact says that an order is held, false if it says that it is not; `nil` where it says neither.
    private func isHeld(_ request: OrderRequest, by fact: OrderFact) -> Bool? {
        switch fact {
        case .status(let status), .listedOpen(let status):
            switch status {
            case .inactive: true
            // A stop waits so for its price, and an order for an auction for that.
            case .preSubmitted: request.isHeldAtBroker ? nil : true
            case .submitted, .apiCancelled, .cancelled, .filled: false
            case .pendingSubmit, .pendingCancel: nil
            }
        case .heldByBroker(let cause):
            switch cause {
            case .locate, .confirmation: true
            case .other: request.isHeldAtBroker ? nil : true
            }
        case .executed: false
        case .acknowledged, .commission, .cancelled, .rejected, .modified, .modificationRefused,
            .notSent, .sendInterrupted, .listedCompleted, .rejectedByBroker, .cancelledByBroker,
            .message, .probeAnswer, .acknowledgementOverdue, .closed, .reopened:
            nil
        }
    }

    private func isWaitingForParent(_ request: OrderRequest) -> Bool {
        request.parent.map { orders.isListed($0) } ?? false
    }

    private mutating func setHeldTimer(at time: Timestamp, _ output: inout EngineOutput) {
        output.commands.append(
            .setTimer(TimerID(engine: EngineTimer.heldOrders.rawValue), at: time))
    }
}

extension OrderRequest {
    /// True if the broker keeps it by its nature: until its price, its auction or what it protects comes.
    fileprivate var isHeldAtBroker: Bool {
        switch type {
        case .market, .limit: purpose == .protection
        case .stop, .stopLimit, .trailingStop, .marketOnOpen, .limitOnOpen, .marketOnClose,
            .limitOnClose:
            true
        }
    }
}
