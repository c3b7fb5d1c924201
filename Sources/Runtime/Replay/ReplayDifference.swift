package import Model
import Primitives

/// The first answer in which a replay and its record differ, and where.
package struct ReplayDifference: Hashable, Sendable {
    /// The batch's number, from 1.
    package let batch: Int
    /// The event's number in the whole record, from 1; 0 where the record has none.
    package let eventNumber: Int
    /// The event; `nil` where the record has none.
    package let event: Event?
    /// What differs.
    package let what: What

    /// What differs between a record and its replay; `nil` is an answer that one of them does not have.
    package enum What: Hashable, Sendable {
        /// A command.
        case command(recorded: Command?, replayed: Command?)
        /// A decision.
        case decision(recorded: Decision?, replayed: Decision?)
        /// The digest of all answers through the batch; the record has no decisions to find the first in.
        case digest(recorded: UInt64, replayed: UInt64)
        /// The state behind the last event.
        case state(recorded: UInt64, replayed: UInt64)
        /// An event is earlier than the one before it: the record is damaged.
        case timeRunsBack
    }
}

extension ReplayDifference: CustomStringConvertible {
    /// Where it is and what was answered on either side, in one sentence without a full stop.
    package var description: String {
        let position =
            event.map { "event \(eventNumber) (\($0.kind.name) at \($0.at), batch \(batch))" }
            ?? "batch \(batch)"
        switch what {
        case .command(let recorded, let replayed):
            let (first, second) = (Self.text(recorded), Self.text(replayed))
            let note = first == second ? ", under other terms" : ""
            return "\(position) was first answered with \(first), then with \(second)\(note)"
        case .decision(let recorded, let replayed):
            let (first, second) = (Self.text(recorded), Self.text(replayed))
            let note = first == second ? ", with other figures" : ""
            return "\(position) first led to \(first), then to \(second)\(note)"
        case .digest: return "the answers up to \(position) are not the same"
        case .state: return "the state behind \(position) is not the same"
        case .timeRunsBack: return "\(position) is earlier than the event before it"
        }
    }

    private static func text(_ command: Command?) -> String {
        switch command {
        case .submit(let ticket): "the order \(ticket.id.number) (\(text(ticket.request)))"
        case .modify(let ticket, let revision):
            "change \(revision) of order \(ticket.id.number) (\(text(ticket.request)))"
        case .cancel(let order): "the cancellation of order \(order.number)"
        case .probe(let order): "the probe of order \(order.number)"
        case .query(let kind): "a query for \(kind)"
        case .setTimer(let id, let time): "timer \(id.number) at \(time)"
        case nil: "no further command"
        }
    }

    private static func text(_ request: OrderRequest) -> String {
        "\(request.side) \(request.quantity) of instrument \(request.instrument.index)"
    }

    private static func text(_ decision: Decision?) -> String {
        guard let decision else { return "no further decision" }
        return "decision \(decision.number) (\(decision.kind.topic))"
    }
}

extension Event.Kind {
    /// In words, for people.
    fileprivate var name: String {
        switch self {
        case .bar: "bar"
        case .quote: "quote"
        case .trade: "trade"
        case .history: "past bar"
        case .historyComplete: "end of the past bars"
        case .sliceClosed: "end of a time slice"
        case .order, .brokerOrder: "order report"
        case .listing: "broker's list"
        case .link: "connection"
        case .accountValue: "account value"
        case .sessionOpened: "session opening"
        case .opening: "opening record"
        case .openingComplete: "end of the opening"
        case .name: "name"
        case .corporateAction: "corporate action"
        case .timer: "timer"
        case .cashMovement: "cash movement"
        case .signal: "external signal"
        case .shadowResult: "shadow result"
        case .operatorRequest: "operator's request"
        case .condition: "condition"
        case .dailyClose: "close of a past day"
        case .clock: "clock"
        }
    }
}
