public import TWSProtocol

extension GatewayClient {
    /// What the scanner can do: instruments, locations, codes and filters as XML, up to 2 MB.
    public func scannerParameters() async throws -> String {
        let question = Question("scanner parameters", topic: .scannerParameters) { _ in
            .reqScannerParameters(ReqScannerParameters())
        }
        return try await call(question, into: (), limit: settings.detailsLimit) { _, message in
            if case .scannerParameters(let answer) = message { .done(answer.xml) } else { .more }
        }
    }

    /// The rows of a search of the market, best first, all of them each time they change: about every
    /// 30 seconds. Ten searches at a time, 50 rows each.
    ///
    /// - Parameter search: what to look for; its `reqId` is not looked at.
    public func scanner(_ search: ReqScannerSubscription) -> Subscription<[ScannerRow]> {
        subscribe(question(search), .newestWins(capacity: settings.quoteCapacity)) { message in
            if case .scannerData(let data) = message { data.rows } else { nil }
        }
    }

    /// One result of a search of the market.
    public func scan(_ search: ReqScannerSubscription) async throws -> [ScannerRow] {
        var question = question(search)
        question.goesOn = true
        return try await call(question, into: (), limit: settings.detailsLimit) { _, message in
            if case .scannerData(let data) = message { .done(data.rows) } else { .more }
        }
    }

    private func question(_ search: ReqScannerSubscription) -> Question {
        Question("scanner") { request in
            var message = search
            message.reqId = request
            return .reqScannerSubscription(message)
        } ending: { request in
            var message = CancelScannerSubscription()
            message.reqId = request
            return .cancelScannerSubscription(message)
        }
    }
}
