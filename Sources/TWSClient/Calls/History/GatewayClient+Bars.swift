public import Primitives
public import TWSProtocol

extension GatewayClient {
    /// The bars that begin in a range of any length, oldest first, without a hole or a repetition: asked
    /// for in pieces, at the pace the broker allows, over lost connections.
    ///
    /// Bars of 30 seconds and shorter come slowly: 60 pieces in ten minutes. A bar of the present that
    /// is still growing is among them if `end` lies behind its beginning. Bars of a day belong to the
    /// range if its midnight in UTC does; one at its very end is left out.
    ///
    /// - Parameters:
    ///   - from: the first time. Asked for before `headTimestamp`, the broker answers that it has no
    ///     data, which takes time and brings nothing.
    ///   - end: the first time behind the range.
    /// - Throws: `IncompleteHistory` with the bars that are there and the range that is missing.
    public func bars(
        _ question: BarQuestion, from: Timestamp, to end: Timestamp
    ) async throws -> [WireBar] {
        guard from < end else { return [] }
        guard question.size.seconds != nil else {
            throw ClientError.badQuestion("bars of \(question.size.word) are not known")
        }
        if question.what == .adjustedLast {
            return try await adjustedBars(question, from: from, to: end)
        }
        var plan = HistoryPlan(
            size: question.size, from: from, to: min(end, session.loop.timeOfDay + .seconds(1)))
        // The pieces, newest first.
        var pieces: [[WireBar]] = []
        while !plan.isComplete {
            do {
                let piece = try await piece(question, end: plan.end, plan.duration)
                    .filter { $0.time.order < plan.end }
                plan.answered(first: piece.first?.time)
                pieces.append(piece)
            } catch {
                if error is CancellationError { throw error }
                throw IncompleteHistory(
                    bars: Self.joined(pieces, from: from, to: end), missing: from..<plan.end,
                    cause: error)
            }
        }
        return Self.joined(pieces, from: from, to: end)
    }

    /// The newest bars, as far back as `duration`.
    public func recentBars(
        _ question: BarQuestion, _ duration: HistoryDuration
    ) async throws -> [WireBar] {
        try await piece(question, end: nil, duration)
    }

    /// Prices adjusted for splits and dividends can be asked for up to now only, in one piece.
    private func adjustedBars(
        _ question: BarQuestion, from: Timestamp, to end: Timestamp
    ) async throws -> [WireBar] {
        let length = session.loop.timeOfDay - from
        guard length > .zero else { return [] }
        let duration = HistoryPlan.duration(
            seconds: length.nanoseconds / 1_000_000_000 + 86_400,
            step: Int64(question.size.seconds ?? 86_400))
        let bars = try await piece(question, end: nil, duration)
        return Self.joined([bars], from: from, to: end)
    }

    /// One piece of history, asked for again after what may pass. Empty where the broker has no data.
    private func piece(
        _ question: BarQuestion, end: Timestamp?, _ duration: HistoryDuration
    ) async throws -> [WireBar] {
        let asking = Question("history") { request in
            .reqHistoricalData(question.message(request, end: end, duration))
        } ending: { request in
            var message = CancelHistoricalData()
            message.reqId = request
            return .cancelHistoricalData(message)
        }
        let answer = try await retried(asking, emptyAnswer: [HistoricalBar]()) { asking in
            try await self.call(asking, into: [HistoricalBar](), limit: self.settings.historyLimit)
            {
                bars, message in
                switch message {
                case .historicalData(let message):
                    bars += message.bars
                    // From version 196 on an end follows.
                    return self.endsApart ? .more : .done(bars)
                case .historicalDataEnd: return .done(bars)
                default: return .more
                }
            }
        }
        let clock = clock
        let bars = answer.compactMap { bar in
            WireBar(bar, clock: clock, isMadeOfTrades: question.isMadeOfTrades)
        }
        guard bars.count == answer.count else {
            throw ClientError.badQuestion(
                "the gateway's times cannot be read: \(answer.first?.date.description ?? "")")
        }
        return Self.joined([bars], from: .distantPast, to: .distantFuture)
    }

    /// A message of its own ends a history's answer.
    private var endsApart: Bool { (serverVersion?.number ?? 0) >= 196 }

    /// Pieces as one row: ordered, each bar once. Where two pieces have the same bar, the first piece has
    /// it whole: it ends later.
    private static func joined(
        _ pieces: [[WireBar]], from: Timestamp, to end: Timestamp
    ) -> [WireBar] {
        var known: Set<BarTime> = []
        var bars: [WireBar] = []
        for piece in pieces {
            for bar in piece
            where bar.time.order >= from && bar.time.order < end
                && known.insert(bar.time).inserted
            {
                bars.append(bar)
            }
        }
        return bars.sorted { $0.time < $1.time }
    }

    /// Asks until there is an answer, up to the settings' number of retries: after a lost connection, a
    /// missing answer, the word that the service is not connected, or that history was asked for too often,
    /// which makes the session wait.
    ///
    /// - Parameter emptyAnswer: the answer where the broker has no data.
    func retried<Answer: Sendable>(
        _ question: Question, emptyAnswer: Answer?,
        _ ask: @escaping @Sendable (Question) async throws -> Answer
    ) async throws -> Answer {
        var retries = 0
        while true {
            do {
                try await pace(question)
                return try await ask(question)
            } catch let error as ClientError {
                switch outcome(of: error) {
                case .noData:
                    guard let emptyAnswer else { throw error }
                    return emptyAnswer
                case .retry where retries < settings.historyRetriesMax: retries += 1
                case .retryAfterPause where retries < settings.historyRetriesMax:
                    // 1, 2, 4 ... 30 seconds: the service comes back by itself.
                    try await pause(.seconds(min(30, 1 << Int64(min(retries, 5)))))
                    retries += 1
                case .retry, .retryAfterPause, .final: throw error
                }
            }
        }
    }

    private enum HistoryOutcome {
        case noData
        case retry
        case retryAfterPause
        case final
    }

    private func outcome(of error: ClientError) -> HistoryOutcome {
        switch error {
        case .rejected(let notice):
            let reading = codes.reading(of: notice.code, text: notice.text)
            if reading.cause == .noData { return .noData }
            if reading.cause == .noService { return .retryAfterPause }
            return reading.effect == .backOff ? .retry : .final
        case .timedOut, .disconnected, .notSent(.link): return .retry
        case .notSent, .notConnected, .noContract, .ambiguousContract, .orderNumbers, .badQuestion,
            .closed, .overflow:
            return .final
        }
    }

    /// Waits until the limits on requests let a question leave: the wait is no part of the time its
    /// answer may take.
    private func pace(_ question: Question) async throws {
        let probe = question.asking(RequestID(rawValue: ClientSession.firstOwnRequest - 1))
        // Others may go first each time; then it is left to the queue.
        for _ in 0..<Self.pausesMax {
            guard case .after(let wait, _) = session.delay(for: probe) else { return }
            try await pause(wait)
        }
    }

    private static let pausesMax = 64

    /// Waits on the session's clock.
    func pause(_ length: Duration) async throws {
        let pending = Pending<Void, Void>(()) { _, _ in .more }
        let timer = session.loop.schedule(at: session.loop.now + length) {
            pending.finish(.success(()))
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { pending.wait($0) }
        } onCancel: {
            pending.finish(.failure(CancellationError()))
        }
    }
}
