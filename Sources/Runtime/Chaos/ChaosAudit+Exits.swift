import GatewaySimulator
import Model
import Primitives

/// Whether what closes positions can open others.
extension ChaosAudit {
    /// What the audit of exits has seen.
    struct ExitState {
        /// How long exits may be for more than a position while orders can leave: answers come up to 20 seconds late,
        /// and a change that is lost is found out behind that.
        var limit = Duration.minutes(1)
        /// Since when they have been.
        var since: [Exit: Timestamp] = [:]
        /// How many fills the positions are of.
        var fillCount = 0
        /// By those fills.
        var positions: [Position: Quantity] = [:]
    }

    /// One side of the exits of a position.
    struct Exit: Hashable {
        let position: Position
        let side: Side
    }

    /// Exits that are for more than their position.
    private struct Excess {
        let key: Exit
        let words: String
    }

    /// Looks at what the orders at the broker that close a position could fill together.
    mutating func lookAtExits(
        _ session: SimulatedSession, _ driver: SessionDriver, isReady: Bool
    ) {
        guard isReady else { return exits.since.removeAll() }
        let found = excesses(session, driver)
        let keys = Set(found.map(\.key))
        for key in exits.since.keys where !keys.contains(key) { exits.since[key] = nil }
        for excess in found {
            let since = exits.since[excess.key] ?? session.now
            exits.since[excess.key] = since
            guard session.now - since > exits.limit else { continue }
            note(.exits, excess.words)
            exits.since[excess.key] = session.now
        }
    }

    /// Looks at the same right behind a fill: an exit leaves only once it is known that what it would come on top of
    /// has ended, so that no fill of one leaves others that are for more than what is held then.
    mutating func lookBehindFills(_ session: SimulatedSession) {
        let count = session.gateway.act { $0.fillCount }
        guard count != exits.fillCount else { return }
        guard let driver = session.driver, driver.status(at: session.now).link == .ready else {
            exits.fillCount = count
            exits.positions = positions(by: session.gateway.act { $0.fills })
            return
        }
        for excess in excesses(session, driver) { note(.exits, excess.words) }
    }

    private mutating func excesses(
        _ session: SimulatedSession, _ driver: SessionDriver
    ) -> [Excess] {
        let known = exits.fillCount
        let (working, fills): ([Gateway.WorkingOrder], [Gateway.BookedFill]?) =
            session.gateway.act { gateway in
                (gateway.workingOrders, gateway.fillCount == known ? nil : gateway.fills)
            }
        if let fills {
            exits.fillCount = fills.count
            exits.positions = positions(by: fills)
        }
        let sums = sums(of: working)
        guard !sums.isEmpty else { return [] }
        let entries = entries(of: working)
        var found: [Excess] = []
        for strategy in stops.indices {
            for instrument in session.symbols.indices {
                let position = Position(strategy: strategy, instrument: instrument)
                let held = exits.positions[position] ?? .zero
                for side in [Side.sell, .buy] {
                    let key = Exit(position: position, side: side)
                    // Children of an entry come with it, and wait for its fills.
                    let entry = entries[Exit(position: position, side: side.opposite)] ?? .zero
                    let most = max(side == .sell ? held : -held, .zero) + entry
                    guard let sum = sums[key], sum > most,
                        Self.isSettled(InstrumentID(index: instrument), driver)
                    else { continue }
                    let symbol = session.symbols[instrument]
                    found.append(
                        Excess(
                            key: key,
                            words:
                                "\(session.now): exits of \(sum) \(symbol) at the broker, \(held) held"
                        ))
                }
            }
        }
        return found
    }

    /// What fills of the session's orders have made of each position.
    private func positions(by fills: [Gateway.BookedFill]) -> [Position: Quantity] {
        var positions: [Position: Quantity] = [:]
        for fill in fills {
            guard let ticket = orders.ticket(of: fill.reference) else { continue }
            positions[Position(of: ticket.request), default: .zero] +=
                fill.side.signed(fill.quantity)
        }
        return positions
    }

    /// What entries could still fill.
    private func entries(of working: [Gateway.WorkingOrder]) -> [Exit: Quantity] {
        var sums: [Exit: Quantity] = [:]
        for order in working {
            guard let ticket = orders.ticket(of: order.reference), ticket.request.purpose == .entry
            else { continue }
            sums[Exit(position: Position(of: ticket.request), side: order.side), default: .zero] +=
                order.remaining
        }
        return sums
    }

    /// What exits could fill, of each group the largest: its orders take each other's place.
    private func sums(of working: [Gateway.WorkingOrder]) -> [Exit: Quantity] {
        var sums: [Exit: Quantity] = [:]
        var largest: [String: Quantity] = [:]
        for order in working {
            guard let ticket = orders.ticket(of: order.reference), ticket.request.purpose != .entry
            else { continue }
            let key = Exit(position: Position(of: ticket.request), side: order.side)
            let counted = order.group.isEmpty ? .zero : largest[order.group] ?? .zero
            guard order.remaining > counted else { continue }
            sums[key, default: .zero] += order.remaining - counted
            if !order.group.isEmpty { largest[order.group] = order.remaining }
        }
        return sums
    }

    /// What an exit fills does not lead past nothing. What the broker filled behind its own cancel, or took back, no
    /// session can keep from that.
    mutating func checkReducing(_ fills: [Gateway.BookedFill], _ history: ChaosHistory) {
        var held: [Position: Quantity] = [:]
        for fill in fills {
            guard let ticket = orders.ticket(of: fill.reference) else { continue }
            let position = Position(of: ticket.request)
            let before = held[position] ?? .zero
            let after = before + fill.side.signed(fill.quantity)
            held[position] = after
            guard ticket.request.purpose != .entry, !Self.reduces(before, to: after),
                history.ends[fill.order].map({ $0 >= fill.time }) ?? true,
                !isLatched(
                    ticket.id,
                    for: [.unexpectedFill, .executionTakenBack, .contradiction, .closeDiffers])
            else { continue }
            note(
                .reducing,
                "\(fill.time): order \(ticket.id.number) took a position from \(before) to \(after)"
            )
        }
    }

    private static func reduces(_ before: Quantity, to after: Quantity) -> Bool {
        before >= .zero
            ? after >= .zero && after <= before : after <= .zero && after >= before
    }
}
