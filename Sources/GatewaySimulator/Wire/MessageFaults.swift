import MarketState
import Primitives
import TWSProtocol

/// What lies between the decoded messages and the gateway's modules, in both directions: messages get lost,
/// come late, twice or in another order, are refused or wrong. Seeded.
struct MessageFaults: Sendable {
    /// What becomes of a client's message.
    enum Fate: Hashable, Sendable {
        /// The modules handle it, so many times.
        case handled(times: Int)
        /// No module handles it, or not now.
        case notHandled
        /// The client receives a code.
        case rejected(RefusalWords)
    }

    /// A client's message that waits.
    struct DelayedRequest: Hashable, Sendable {
        /// Whose.
        let client: Client
        /// What.
        let message: ClientMessage
    }

    private var rules: [MessageRule] = []
    private var requests = DelayQueue<DelayedRequest>()
    private var answers = DelayQueue<Answers.Answer>()
    private var muted: Set<OrderKey> = []
    private var mutedExecutions: Set<String> = []
    private var random: SeededGenerator
    private let calendar: SessionCalendar

    private struct OrderKey: Hashable, Sendable {
        let client: ClientID
        let order: Int32

        init(_ client: ClientID, _ order: Int32) {
            self.client = client
            self.order = order
        }
    }

    /// No faults; shares and times will be drawn from `seed`.
    init(calendar: SessionCalendar, seed: UInt64) {
        self.calendar = calendar
        random = SeededGenerator(seed: seed)
    }

    /// How many rules are in force.
    var ruleCount: Int { rules.count }
    /// How many messages wait.
    var delayedCount: Int { requests.count + answers.count }

    // MARK: Faults

    /// Adds a fault.
    mutating func add(
        _ effect: MessageEffect, to selection: MessageSelection,
        until: Timestamp = .distantFuture, because cause: FaultCause = .none
    ) {
        rules.append(
            MessageRule(
                selection: selection, effect: effect, cause: cause, until: until,
                remaining: selection.times ?? .max))
    }

    /// Ends all faults; what is held comes at once.
    mutating func heal() {
        rules = []
        muted = []
        mutedExecutions = []
        requests.release { _ in true }
        answers.release { _ in true }
    }

    /// Ends what a cause brought about; what it held comes at once.
    mutating func end(_ cause: FaultCause) {
        rules.removeAll { $0.cause == cause }
        requests.release { $0 == cause }
        answers.release { $0 == cause }
    }

    /// Ends all holding that has no other cause; what was held comes at once, in its order.
    mutating func release() {
        rules.removeAll {
            switch $0.effect {
            case .delay, .delayUntilOpen: $0.cause == .none
            default: false
            }
        }
        requests.release { $0 == .none }
        answers.release { $0 == .none }
    }

    /// Forgets what is held, as a gateway does that ends.
    mutating func forgetDelayed() {
        requests = DelayQueue()
        answers = DelayQueue()
    }

    // MARK: Messages

    /// Decides on a client's message.
    mutating func fate(of message: ClientMessage, from client: Client, at now: Timestamp) -> Fate {
        expire(at: now)
        let kind = message.kind
        for index in rules.indices {
            let isOfKind = rules[index].selection.asked.contains(kind)
            guard rules[index].takes(isOfKind: isOfKind, client: client.id, at: now, &random)
            else { continue }
            switch rules[index].effect {
            case .drop: return .notHandled
            case .mute:
                if let order = message.orderID { muted.insert(OrderKey(client.id, order)) }
                return .handled(times: 1)
            case .delay, .delayUntilOpen:
                guard case .later(let due) = time(of: rules[index].effect, at: now) else {
                    continue
                }
                let request = DelayedRequest(client: client, message: message)
                requests.add(request, until: due, because: rules[index].cause)
                return .notHandled
            case .copy(let count): return .handled(times: 1 + count)
            case .refuse(let words): return .rejected(words)
            case .distort, .accounts: continue
            }
        }
        return .handled(times: 1)
    }

    /// Decides on an answer.
    ///
    /// - Parameters:
    ///   - client: whom it is for.
    ///   - isAsked: whether the client asked for it, rather than being notified of what happened.
    ///   - passed: what the client receives now.
    mutating func pass(
        _ answer: Answers.Answer, to client: ClientID, isAsked: Bool, at now: Timestamp,
        into passed: inout [Answers.Answer]
    ) {
        guard isAsked || !isMuted(answer.message, client) else { return }
        expire(at: now)
        let kind = answer.message.kind
        var answer = answer
        var copies = 0
        for index in rules.indices {
            let isOfKind = rules[index].selection.sent.contains(kind)
            guard rules[index].takes(isOfKind: isOfKind, client: client, at: now, &random)
            else { continue }
            switch rules[index].effect {
            case .drop: return
            case .delay, .delayUntilOpen:
                guard case .later(let due) = time(of: rules[index].effect, at: now) else {
                    continue
                }
                for _ in 0...copies {
                    answers.add(answer, until: due, because: rules[index].cause)
                }
                return
            case .copy(let count): copies += count
            case .distort(let data): answer = answer.changed { data.apply(to: &$0) }
            case .accounts(let names):
                answer = answer.changed { message in
                    guard case .managedAccounts(var accounts) = message else { return }
                    accounts.accountsList = names.map { AccountID($0) }
                    message = .managedAccounts(accounts)
                }
            case .mute, .refuse: continue
            }
        }
        for _ in 0...copies { passed.append(answer) }
    }

    // MARK: What waited

    /// Takes the requests that come now.
    mutating func takeRequests(at now: Timestamp) -> [DelayedRequest] { requests.take(at: now) }
    /// Takes the answers that come now.
    mutating func takeAnswers(at now: Timestamp) -> [Answers.Answer] { answers.take(at: now) }

    /// When something comes.
    private enum Coming {
        /// As it does.
        case now
        /// Then, or when it is released.
        case later(Timestamp?)
    }

    private mutating func time(of effect: MessageEffect, at now: Timestamp) -> Coming {
        switch effect {
        case .delay(let time):
            return .later(time.map { now.advanced(by: random.duration(in: $0)) })
        case .delayUntilOpen:
            guard calendar.session(containing: now) == nil else { return .now }
            return .later(nextOpen(after: now))
        case .drop, .mute, .copy, .refuse, .distort, .accounts: return .now
        }
    }

    /// When the next session opens; `nil` where none does within a month.
    private func nextOpen(after now: Timestamp) -> Timestamp? {
        let today = calendar.day(of: now)
        for ahead in 0..<31 {
            let session = calendar.session(on: today.advanced(by: ahead))
            if let session, session.open > now { return session.open }
        }
        return nil
    }

    private mutating func expire(at now: Timestamp) {
        guard !rules.isEmpty else { return }
        rules.removeAll { $0.remaining == 0 || $0.until <= now }
    }

    private mutating func isMuted(_ message: GatewayMessage, _ client: ClientID) -> Bool {
        guard !muted.isEmpty else { return false }
        switch message {
        case .openOrder(let order):
            return muted.contains(OrderKey(order.clientId, order.orderId.rawValue))
        case .orderStatus(let status):
            return muted.contains(OrderKey(status.clientId, status.orderId.rawValue))
        case .error(let error):
            return error.id.map { muted.contains(OrderKey(client, $0)) } ?? false
        case .execDetails(let details):
            guard muted.contains(OrderKey(details.clientId, details.orderId.rawValue)) else {
                return false
            }
            mutedExecutions.insert(details.execId)
            return true
        case .commissionAndFeesReport(let report):
            return mutedExecutions.contains(report.execId)
        default: return false
        }
    }
}

extension Answers.Answer {
    fileprivate func changed(_ change: (inout GatewayMessage) -> Void) -> Answers.Answer {
        var message = message
        change(&message)
        return Answers.Answer(connection: connection, message: message)
    }
}

extension ClientMessage {
    /// The order a client's message is about.
    var orderID: Int32? {
        switch self {
        case .placeOrder(let request): request.orderId.rawValue
        case .cancelOrder(let request): request.orderId.rawValue
        default: nil
        }
    }
}
