import Journal
import Model
import Primitives

/// What the journal of a session has of orders, of the link and of the user's instructions, in order of time.
struct ChaosHistory {
    /// What was decided of each order: as it was to be placed, and as it was to go on.
    var tickets: [OrderID: [Ticket]] = [:]
    /// When the end of each order was asked for.
    var cancels: [OrderID: [Timestamp]] = [:]
    /// When the session was first notified that an order is cancelled, by the number that it has with the broker.
    var ends: [Int32: Timestamp] = [:]
    /// The states of the link.
    var links: [Link] = []
    /// What the user has asked for.
    var instructions: [Instruction] = []

    /// Terms of an order, and when they were decided.
    struct Ticket {
        let at: Timestamp
        let request: OrderRequest
    }

    /// A state of the link, and when the session was notified of it.
    struct Link {
        let at: Timestamp
        let state: BrokerLinkState
    }

    /// An instruction, and when the session took it in.
    struct Instruction {
        let at: Timestamp
        let action: OperatorRequest.Action
    }

    /// Nothing yet.
    init() {}

    /// Reads all files of a journal's folder.
    ///
    /// - Parameter client: the number under which the session's orders are placed.
    init(in folder: String, client: Int32) throws(JournalError) {
        for part in JournalFolder.parts(in: folder) {
            let reader = try JournalReader(JournalFolder.file(of: part, in: folder))
            guard try reader.isBegun() else { continue }
            var cursor = try reader.cursor()
            while true {
                let batches = try cursor.next()
                guard !batches.isEmpty else { break }
                for batch in batches { take(batch, client) }
            }
        }
    }

    private mutating func take(_ batch: RecordBatch, _ client: Int32) {
        for event in batch.events {
            switch event.kind {
            case .link(let report): links.append(Link(at: event.at, state: report.state))
            case .operatorRequest(let request):
                instructions.append(Instruction(at: event.at, action: request.action))
            case .brokerOrder(let report) where report.fact.isCancel:
                guard report.key.client?.number == client, let number = report.key.order?.number
                else { continue }
                ends[number] = ends[number] ?? event.at
            default: break
            }
        }
        for recorded in batch.commands {
            let time = batch.events[recorded.event].at
            switch recorded.command {
            case .submit(let ticket), .modify(let ticket, _):
                tickets[ticket.id, default: []].append(Ticket(at: time, request: ticket.request))
            case .cancel(let order), .probe(let order): cancels[order, default: []].append(time)
            case .query, .setTimer: break
            }
        }
    }

    /// The states in which the session knew the link at a time: all of them where it changed then.
    func states(at time: Timestamp) -> [BrokerLinkState] {
        let low = firstLink { $0 < time }
        let changes = links[low...].prefix { $0.at == time }.map(\.state)
        return low > 0 ? [links[low - 1].state] + changes : changes
    }

    /// The states of which the session was notified next.
    func nextStates(after time: Timestamp) -> [BrokerLinkState] {
        let low = firstLink { $0 <= time }
        guard low < links.count else { return [] }
        return links[low...].prefix { $0.at == links[low].at }.map(\.state)
    }

    /// The index of the first state whose time is not earlier: times do not decrease.
    private func firstLink(isEarlier: (Timestamp) -> Bool) -> Int {
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if isEarlier(links[middle].at) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// From when until when the user wanted no entry.
    var halts: [Range<Timestamp>] {
        var ranges: [Range<Timestamp>] = []
        var begun: [HaltCause: Timestamp] = [:]
        func end(_ cause: HaltCause, at time: Timestamp) {
            if let start = begun.removeValue(forKey: cause) { ranges.append(start..<time) }
        }
        for instruction in instructions {
            switch instruction.action {
            case .halt: begun[.operatorRequest] = begun[.operatorRequest] ?? instruction.at
            case .kill: begun[.killed] = begun[.killed] ?? instruction.at
            case .resumeAll: end(.operatorRequest, at: instruction.at)
            case .resume(let cause): end(cause, at: instruction.at)
            case .clearLatch, .stopEntries, .startEntries, .cancel, .flatten, .resolve,
                .bookExecution, .adopt, .disown, .confirmSplit, .cash:
                break
            }
        }
        for cause in [HaltCause.operatorRequest, .killed] { end(cause, at: .distantFuture) }
        return ranges
    }
}

extension OrderFact {
    /// True for the broker's word that an order is cancelled. Of one that is filled executions may be missing: it is
    /// not over then.
    fileprivate var isCancel: Bool {
        switch self {
        case .status(let status): status == .cancelled || status == .apiCancelled
        case .cancelledByBroker: true
        default: false
        }
    }
}
