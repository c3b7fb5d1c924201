import Primitives
import Synchronization
import TWSProtocol

extension GatewayClient {
    /// Today's fills with what they cost; those that were corrected come in their newest form only.
    ///
    /// The gateway sends costs behind the fills: they are waited for a moment.
    public func fills(_ filter: FillFilter = FillFilter()) async throws -> [Fill] {
        let costs = CostCollector()
        let route = Route.topic(.commissions)
        let listener = state.withLock { $0.router.add(costs.listener, to: route) }
        defer { remove(listener, from: route) }
        let question = Question("executions") { request in
            var message = ReqExecutions()
            message.reqId = request
            message.clientId = filter.clientID
            message.acctCode = filter.account
            message.time = filter.since.map { WireTime(utc: $0) } ?? .none
            message.symbol = filter.symbol
            message.secType = filter.secType
            message.exchange = filter.exchange
            message.side = filter.side
            return .reqExecutions(message)
        }
        let executions = try await list(question) { message in
            switch message {
            case .execDetails(let execution): .row(execution)
            case .execDetailsEnd: .end
            default: .other
            }
        }
        let newest = executions.newestRevisions
        try await costs.wait(
            for: newest.map(\.execId),
            timer: { [session] expire in
                session.loop.schedule(at: session.loop.now + Self.costLimit, expire)
            })
        let reports = costs.reports
        return newest.map { Fill(execution: $0, commission: reports[$0.execId]) }
    }

    /// How long costs are waited for behind the last fill.
    private static var costLimit: Duration { .seconds(2) }
}

extension [ExecDetails] {
    /// Each fill once, in its newest form: a correction has the same id but for its last part, which is
    /// higher.
    var newestRevisions: [ExecDetails] {
        var indexes: [Substring: Int] = [:]
        var kept: [ExecDetails] = []
        for execution in self {
            let (root, revision) = execution.revision
            if let index = indexes[root] {
                if revision >= kept[index].revision.number { kept[index] = execution }
            } else {
                indexes[root] = kept.count
                kept.append(execution)
            }
        }
        return kept
    }
}

extension ExecDetails {
    /// What is the same for all forms of a fill, and the number of this form.
    fileprivate var revision: (root: Substring, number: Int) {
        guard let dot = execId.lastIndex(of: "."),
            let number = Int(execId[execId.index(after: dot)...])
        else { return (execId[...], 0) }
        return (execId[..<dot], number)
    }
}

/// Gathers reports of costs, which carry no request's number.
private final class CostCollector: Sendable {
    private let state = Mutex(State())

    private struct State {
        var reports: [String: CommissionAndFeesReport] = [:]
        var missing: Set<String> = []
        var waiter: Pending<Void, Void>?
    }

    var reports: [String: CommissionAndFeesReport] { state.withLock { $0.reports } }

    var listener: Listener {
        Listener(
            receive: { message in
                if case .commissionAndFeesReport(let report) = message { self.take(report) }
                return false
            },
            notice: { _, _ in false },
            disconnected: { _ in
                self.state.withLock { $0.waiter }?.finish(.success(()))
                return false
            })
    }

    private func take(_ report: CommissionAndFeesReport) {
        let waiter = state.withLock { state -> Pending<Void, Void>? in
            state.reports[report.execId] = report
            state.missing.remove(report.execId)
            return state.missing.isEmpty ? state.waiter : nil
        }
        waiter?.finish(.success(()))
    }

    /// Waits until all of `ids` are there, or the timer ends the wait.
    func wait(
        for ids: [String], timer: (@escaping @Sendable () -> Void) -> any SessionTimer
    ) async throws {
        let waiter = Pending<Void, Void>(()) { _, _ in .more }
        let isComplete = state.withLock { state in
            state.missing = Set(ids.filter { state.reports[$0] == nil })
            state.waiter = waiter
            return state.missing.isEmpty
        }
        guard !isComplete else { return }
        let timer = timer { waiter.finish(.success(())) }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter.wait($0) }
        } onCancel: {
            waiter.finish(.failure(CancellationError()))
        }
    }
}
