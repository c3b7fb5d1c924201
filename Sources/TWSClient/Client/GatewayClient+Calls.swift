import Primitives
import Synchronization
import TWSProtocol

/// A question to the gateway: how it is asked, called off and named.
struct Question: Sendable {
    /// Names what is awaited, in errors: "contract details".
    let name: String
    /// The message that asks, under a request number. Called anew each time it is asked.
    let asking: @Sendable (RequestID) -> ClientMessage
    /// The message that calls it off; `nil` where the protocol has none.
    let ending: (@Sendable (RequestID) -> ClientMessage)?
    /// Set for questions without a number.
    let topic: Topic?
    /// Set for questions that an order asks: its number.
    var order: APIOrderID?
    /// How fresh its data have to be, asked each time; `nil` for what has no such choice.
    var mode: (@Sendable () -> MarketDataMode)?
    /// The gateway goes on after the answer until it is called off.
    var goesOn = false

    init(
        _ name: String, topic: Topic? = nil,
        asking: @escaping @Sendable (RequestID) -> ClientMessage,
        ending: (@Sendable (RequestID) -> ClientMessage)? = nil
    ) {
        self.name = name
        self.topic = topic
        self.asking = asking
        self.ending = ending
    }

    /// Where its answers come in.
    func route(of request: RequestID) -> Route {
        order.map { .order($0) } ?? topic.map { .topic($0) } ?? .request(request)
    }
}

extension GatewayClient {
    /// Asks, and waits for the complete answer.
    ///
    /// - Parameters:
    ///   - collected: where answers are gathered.
    ///   - take: takes one message of the answer.
    ///   - limit: how long to wait, the connection included; the client's limit where `nil`.
    func call<Collected: Sendable, Answer: Sendable>(
        _ question: Question, into collected: Collected, limit: Duration? = nil,
        _ take: @escaping @Sendable (inout Collected, GatewayMessage) -> Step<Answer>
    ) async throws -> Answer {
        let limit = limit ?? settings.callLimit
        let deadline = session.loop.now + limit
        try await begun(limit: limit)
        let pending = Pending<Collected, Answer>(collected, take: take)
        let (request, route, id) = enter(pending, for: question)
        let timer = session.loop.schedule(at: deadline) {
            pending.finish(
                .failure(ClientError.timedOut(waitingFor: question.name, after: limit)))
        }
        let begin = session.loop.now
        defer { timer.cancel() }
        var isSent = false
        do {
            let answer = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiter in
                    guard pending.wait(waiter) else { return }
                    do throws(SendRefusal) {
                        try ask(question, as: request)
                        isSent = true
                    } catch {
                        pending.finish(.failure(ClientError.notSent(error)))
                    }
                }
            } onCancel: {
                pending.finish(.failure(CancellationError()))
            }
            remove(id, from: route)
            telemetry.answered(question.name, after: session.loop.now - begin)
            if question.goesOn { callOff(question, request) }
            return answer
        } catch {
            remove(id, from: route)
            if isSent { abandon(question, request, because: error) }
            throw error
        }
    }

    /// Puts a waiting call in line.
    private func enter<Collected: Sendable, Answer: Sendable>(
        _ pending: Pending<Collected, Answer>, for question: Question
    ) -> (RequestID, Route, Int) {
        let listener = Listener(
            receive: { pending.receive($0) },
            notice: { notice, reading in
                guard reading.endsRequest else { return false }
                pending.finish(.failure(ClientError.rejected(notice)))
                return true
            },
            disconnected: { fault in
                pending.finish(.failure(ClientError.disconnected(fault)))
                return true
            })
        return state.withLock { state in
            let request = state.router.newRequest()
            let route = question.route(of: request)
            return (request, route, state.router.add(listener, to: route))
        }
    }

    /// A call ended without its answer: it is cancelled where the gateway may still be working.
    private func abandon(
        _ question: Question, _ request: RequestID, because error: any Error
    ) {
        let isOver: Bool
        switch error as? ClientError {
        case .rejected, .notSent, .disconnected, .closed: isOver = true
        default: isOver = false
        }
        guard !isOver, let ending = question.ending, !session.withdraw(request) else { return }
        // The connection may be gone by now: then the request is, too.
        do throws(SendRefusal) {
            try session.send(ending(request))
        } catch {
            telemetry.notCalledOff(question.name, error)
        }
    }

    /// A list whose rows and end carry the request's number.
    func list<Row: Sendable>(
        _ question: Question, limit: Duration? = nil,
        _ take: @escaping @Sendable (GatewayMessage) -> ListStep<Row>
    ) async throws -> [Row] {
        try await call(question, into: [Row](), limit: limit) { rows, message in
            switch take(message) {
            case .row(let row): rows.append(row)
            case .other: break
            case .end: return .done(rows)
            }
            return .more
        }
    }
}

/// What a message is to a list.
enum ListStep<Row: Sendable>: Sendable {
    /// One row.
    case row(Row)
    /// Nothing.
    case other
    /// The end.
    case end
}
