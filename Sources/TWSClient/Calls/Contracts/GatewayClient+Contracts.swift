public import Primitives
public import TWSProtocol

extension GatewayClient {
    /// Everything the broker knows of the contracts that fit a description: hours, tick sizes, names.
    /// Bonds are not among them.
    ///
    /// A description by symbol, kind, exchange and currency fits one stock, and all strikes of an option
    /// class.
    ///
    /// - Returns: one for each contract that fits, in the gateway's order; none where nothing fits.
    /// - Throws: `ClientError`.
    public func contractDetails(
        _ contract: Contract, includeExpired: Bool = false
    ) async throws -> [ContractData] {
        let question = Question("contract details") { request in
            var message = ReqContractDetails()
            message.reqId = request
            message.contract = contract
            message.includeExpired = includeExpired
            return .reqContractDetails(message)
        }
        do {
            return try await list(question, limit: settings.detailsLimit) { message in
                switch message {
                case .contractData(let details): .row(details)
                case .contractDataEnd: .end
                default: .other
                }
            }
        } catch ClientError.rejected(let notice) where notice.code == 200 {
            // No security definition: an answer, not a failure.
            return []
        }
    }

    /// Fills in a contract until the broker can mean one instrument only: afterwards it has its number
    /// (`conId`). Asked once; the answer is kept for the client's life, and on disk where the program
    /// keeps `contractDatabase()`.
    ///
    /// - Returns: the contract with all fields that identify it, and the exchange that was asked for.
    /// - Throws: `ClientError.noContract` when nothing fits, `ClientError.ambiguousContract` with all
    ///   candidates when several do.
    public func qualify(_ contract: Contract) async throws -> Contract {
        try await calls.contracts.answer(contract) { [self] in
            let found = try await contractDetails(contract).map(\.contract)
            guard let one = found.first else { throw ClientError.noContract(contract) }
            guard found.count == 1 else {
                throw ClientError.ambiguousContract(contract, candidates: found)
            }
            var answer = one
            if !contract.exchange.isEmpty { answer.exchange = contract.exchange }
            return QualifiedContract(answer, at: session.loop.timeOfDay)
        }.contract
    }

    /// Qualifies several contracts at once.
    ///
    /// - Returns: an answer or an error for each, in the same order.
    public func qualify(all contracts: [Contract]) async -> [Result<Contract, any Error>] {
        let calls = contracts.map { contract in
            Task { try await self.qualify(contract) }
        }
        return await withTaskCancellationHandler {
            var answers: [Result<Contract, any Error>] = []
            for call in calls { answers.append(await call.result) }
            return answers
        } onCancel: {
            for call in calls { call.cancel() }
        }
    }

    /// What `qualify` has learned so far, for keeping on disk.
    public func contractDatabase() -> ContractDatabase {
        ContractDatabase(entries: calls.contracts.all.map { ($0.key, $0.answer) })
    }

    /// Lets `qualify` know what was learned before.
    ///
    /// - Parameter expiry: what is older has to be asked again: contracts change their numbers after
    ///   some corporate actions.
    public func learn(_ database: ContractDatabase, expiry: Duration = .days(7)) {
        let now = session.loop.timeOfDay
        for (asked, found) in database.entries where found.at + expiry > now && found.at <= now {
            calls.contracts.keep(found, for: asked)
        }
    }

    /// Instruments whose symbol or name begins with `pattern`; at most 16.
    ///
    /// The gateway answers at most one such question a second.
    public func matchingSymbols(_ pattern: String) async throws -> [SymbolSample] {
        let question = Question("matching symbols") { request in
            var message = ReqMatchingSymbols()
            message.reqId = request
            message.pattern = pattern
            return .reqMatchingSymbols(message)
        }
        return try await call(question, into: ()) { _, message in
            if case .symbolSamples(let samples) = message {
                .done(samples.contractDescriptions)
            } else {
                .more
            }
        }
    }

    /// Expirations and strikes of the options on an instrument, one row for each exchange and class. Not
    /// every pair of an expiration and a strike exists.
    ///
    /// - Parameters:
    ///   - underlying: with its number: see `qualify`.
    ///   - futuresExchange: where options on a future trade; empty for other underlyings.
    public func optionParameters(
        _ underlying: Contract, futuresExchange: String = ""
    ) async throws -> [SecDefOptParameter] {
        guard underlying.conId != 0 else {
            throw ClientError.badQuestion(
                "option parameters need the underlying's number: qualify \(underlying.summary)")
        }
        let question = Question("option parameters") { request in
            var message = ReqSecDefOptParams()
            message.reqId = request
            message.underlyingSymbol = underlying.symbol
            message.futFopExchange = futuresExchange
            message.underlyingSecType = underlying.secType
            message.underlyingConId = underlying.conId
            return .reqSecDefOptParams(message)
        }
        return try await list(question, limit: settings.detailsLimit) { message in
            switch message {
            case .secDefOptParameter(let row): .row(row)
            case .secDefOptParameterEnd: .end
            default: .other
            }
        }
    }
}
