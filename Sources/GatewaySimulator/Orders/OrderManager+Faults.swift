import Model
package import Primitives
package import TWSProtocol

/// What happens at the broker without a client's doing, and what goes wrong on purpose.
extension OrderManager {
    // MARK: The connection to the broker

    /// The gateway loses the broker: what happens there is not published until it is back.
    package mutating func loseUpstream() {
        guard link.isUp else { return }
        for order in live where order.lastReported != nil {
            link.frozen[order.number] = (open(order), status(message: order))
        }
        link.isUp = false
    }

    /// The gateway reaches the broker again: what happened is published, then what waited is sent.
    package mutating func restoreUpstream() {
        guard !link.isUp else { return }
        link.isUp = true
        link.frozen = [:]
        publishUnreported()
        sendWithheld()
        let modifications = link.modifications
        link.modifications = []
        for (order, terms) in modifications {
            if faults.duplicatesModifications {
                duplicate(order, with: terms)
            } else {
                timers.add(.change(order, terms), at: now + settings.modificationLatency)
            }
        }
        let cancellations = link.cancellations
        link.cancellations = []
        for order in cancellations where !order.stage.isOver {
            touch(order)
            timers.add(.cancel(order), at: now + settings.cancellationLatency)
        }
        pump()
    }

    /// Lets modifications made while the broker is not reached become second orders under the same number.
    package mutating func duplicateModifications(_ isOn: Bool) {
        faults.duplicatesModifications = isOn
    }

    private mutating func duplicate(_ order: ManagedOrder, with terms: CheckedOrder) {
        order.isModificationAsked = false
        let second = enter(terms, of: order.clientID, isManual: order.isManual)
        second.orderID = order.orderID
        attach(second, to: order.parent)
        send(second)
    }

    /// Sends the orders on that waited for the broker.
    private mutating func sendWithheld() {
        for order in live where order.isWithheld {
            order.isWithheld = false
            timers.add(.accept(order), at: now + settings.placementLatency)
        }
    }

    /// Publishes what could not be published before.
    mutating func publishUnreported() {
        for (order, refusals) in link.takeUnreported() {
            let own = executions.indices.filter { executions[$0].order === order }
            for index in own where !executions[index].isReported { publishExecution(index) }
            if status(message: order) != order.lastReported { publishState(of: order) }
            for index in own where !executions[index].isCommissionReported {
                publishCommission(index)
            }
            for refusal in refusals {
                report(refusal, about: order.orderID.rawValue, to: .client(order.clientID))
            }
        }
    }

    /// The gateway restarts: what was not transmitted is lost, and nobody is bound to orders by hand.
    package mutating func restart() {
        for order in live where order.stage == .untransmitted {
            order.stage = .apiCancelled
            order.endedAt = now
            order.endText = "Lost with the gateway"
            leave(order)
        }
        bindsManualOrders = false
    }

    // MARK: What the broker does

    /// Refuses every order for its margin, in the words that follow `Order rejected - reason:`; `nil`: as the
    /// account words it.
    package mutating func refuseForMargin(_ reason: String?) { faults.marginRefusal = reason }

    /// Lets shares be hard to borrow, or found: orders that were held for them then begin to work.
    package mutating func setHardToBorrow(_ id: InstrumentID, _ isHard: Bool) {
        guard !isHard else {
            faults.hardToBorrow.insert(id)
            return
        }
        faults.hardToBorrow.remove(id)
        for order in live where order.instrument == id && order.isLocating {
            order.isLocating = false
            markStale(order)
            touch(order)
        }
        pump()
    }

    /// Lets a client's next number be another, lower or higher, as after a restart of the gateway.
    package mutating func setNextValidID(_ id: APIOrderID, for client: ClientID) {
        nextIDs[client] = id
    }
}

/// Why a fault cannot be played.
package struct OrderManagerFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    package let description: String

    /// A fault that cannot be played, and why.
    init(_ description: String) { self.description = description }

    /// There is no order with a number.
    static func noOrder(_ id: PermID) -> OrderManagerFault {
        OrderManagerFault("there is no order with permId \(id)")
    }
}
