import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue

/// Finds the contract of every configured symbol: each must be one that the gateway knows, and only one.
///
/// What was learned a short time ago is not asked again. An answer that stays away is asked for once more.
struct ContractQualification: Sendable {
    /// A symbol's contract and the steps in which its prices move.
    struct Qualified: Sendable {
        let symbol: String
        let contract: Contract
        let tickSize: TickSize
        /// Its regular hours, as far as the broker has listed them.
        let hours: ContractHours?
    }

    /// Why a symbol cannot be traded.
    struct Problem: Sendable {
        let symbol: String
        let words: String
        /// The contract that it had before; `nil` if it never had one.
        let former: Qualified?
    }

    private let symbols: [String]
    private let currency: String
    private let expiry: Duration
    private let answerLimit: Duration
    /// What was learned so far.
    private(set) var file: ContractFile
    /// The index of the symbol that each request asks for.
    private var requests: [RequestID: Int] = [:]
    private var nextRequest = GatewayVenue.firstQualifyingRequest
    private var found: [[ContractData]]
    private var refusals: [String?]
    private var isAnswered: [Bool]
    private var hours: [ContractHours?]
    /// What was found in other currencies, where nothing was in the account's: for people, never to be traded.
    private var elsewhere: [[ContractData]]
    /// True for the symbols that are asked for in any currency.
    private var isAnywhere: [Bool]
    /// When what is missing is asked for again; `nil` while nothing is.
    private(set) var deadline: Timestamp?
    /// How often what is missing was asked for.
    private(set) var askedCount = 0

    /// How long an answer is waited for before it is asked for again.
    static let answerLimit = Duration.seconds(10)

    /// - Parameters:
    ///   - expiry: for how long what `file` says is not asked again.
    ///   - patience: how many times as long answers are waited for.
    init(
        _ symbols: [String], currency: String = "USD", file: ContractFile = ContractFile(nil),
        expiry: Duration = .zero, patience: Int64 = 1
    ) {
        self.symbols = symbols
        self.currency = currency
        self.file = file
        self.expiry = expiry
        answerLimit = Self.answerLimit.times(patience)
        found = Array(repeating: [], count: symbols.count)
        refusals = Array(repeating: nil, count: symbols.count)
        isAnswered = Array(repeating: false, count: symbols.count)
        hours = Array(repeating: nil, count: symbols.count)
        elsewhere = Array(repeating: [], count: symbols.count)
        isAnywhere = Array(repeating: false, count: symbols.count)
    }

    /// The symbols whose answers have not come.
    var missing: [String] { symbols.indices.filter { !isAnswered[$0] }.map { symbols[$0] } }

    /// The questions of a new connection: what was answered, or is known, is not asked again.
    mutating func questions(at now: Timestamp) -> [ClientMessage] {
        for index in symbols.indices where !isAnswered[index] {
            guard let known = file.entry(for: question(index)), known.at <= now,
                now - known.at < expiry
            else { continue }
            found[index] = [ContractData(known)]
            hours[index] = known.terms.hours
            isAnswered[index] = true
        }
        return ask(at: now)
    }

    /// The questions whose answers have stayed away.
    mutating func overdueQuestions(at now: Timestamp) -> [ClientMessage] {
        guard let deadline, now >= deadline, !missing.isEmpty else { return [] }
        return ask(at: now)
    }

    /// The questions about symbols of which nothing was found in the account's currency: in which there is something.
    mutating func followingQuestions(at now: Timestamp) -> [ClientMessage] {
        let asked = Set(requests.values)
        let open = symbols.indices.filter {
            isAnywhere[$0] && !isAnswered[$0] && !asked.contains($0)
        }
        guard !open.isEmpty else { return [] }
        deadline = now + answerLimit
        return open.map { ask(about: $0) }
    }

    private mutating func ask(at now: Timestamp) -> [ClientMessage] {
        requests.removeAll()
        let open = symbols.indices.filter { !isAnswered[$0] }
        guard !open.isEmpty else { return [] }
        deadline = now + answerLimit
        askedCount += 1
        return open.map { ask(about: $0) }
    }

    private mutating func ask(about index: Int) -> ClientMessage {
        found[index].removeAll()
        elsewhere[index].removeAll()
        var message = ReqContractDetails()
        message.reqId = RequestID(rawValue: nextRequest)
        nextRequest += 1
        message.contract = question(index, anywhere: isAnywhere[index])
        requests[message.reqId] = index
        return .reqContractDetails(message)
    }

    private func question(_ index: Int, anywhere: Bool = false) -> Contract {
        // The gateway writes a class of shares behind a blank: BRK B.
        let name = String(symbols[index].map { $0 == "." ? " " : $0 })
        return .stock(name, currency: anywhere ? "" : currency)
    }

    /// Takes in an event of the session.
    ///
    /// - Returns: the request that is over with it.
    mutating func take(_ event: SessionEvent, at now: Timestamp) -> RequestID? {
        guard case .message(let message, _) = event else { return nil }
        switch message {
        case .contractData(let data):
            guard let index = requests[data.reqId] else { return nil }
            if isAnywhere[index] {
                elsewhere[index].append(data)
            } else {
                found[index].append(data)
            }
            return nil
        case .contractDataEnd(let end):
            guard let index = requests.removeValue(forKey: end.reqId) else { return nil }
            answered(index, at: now)
            return end.reqId
        case .error(let error):
            guard let id = error.id,
                let index = requests.removeValue(forKey: RequestID(rawValue: id))
            else { return nil }
            if refusals[index] == nil {
                refusals[index] = "\(error.errorString) (\(error.errorCode))"
            }
            answered(index, at: now)
            return RequestID(rawValue: id)
        default: return nil
        }
    }

    private mutating func answered(_ index: Int, at now: Timestamp) {
        let fitting = fitting(index)
        guard !fitting.isEmpty || isAnywhere[index] else { return isAnywhere[index] = true }
        isAnswered[index] = true
        guard fitting.count == 1, let data = fitting.first else { return }
        hours[index] = data.hours(asked: now)
        let terms = ContractFile.Terms(minTick: data.minTick, hours: hours[index])
        file.keep(
            ContractFile.Entry(contract: data.contract, at: now, terms: terms),
            for: question(index))
    }

    private func fitting(_ index: Int) -> [ContractData] {
        found[index].filter { $0.contract.currency == currency }
    }

    /// The contracts by symbol, and what is wrong with the others.
    var outcome: (qualified: [Qualified], problems: [Problem]) {
        var qualified: [Qualified] = []
        var problems: [Problem] = []
        for (index, symbol) in symbols.enumerated() {
            let fitting = fitting(index)
            if fitting.count == 1 {
                qualified.append(Qualified(symbol, fitting[0], hours[index]))
            } else {
                let former = file.entry(for: question(index)).map {
                    Qualified(symbol, ContractData($0), $0.terms.hours)
                }
                problems.append(
                    Problem(symbol: symbol, words: words(index, fitting), former: former))
            }
        }
        return (qualified, problems)
    }

    private func words(_ index: Int, _ fitting: [ContractData]) -> String {
        guard fitting.isEmpty else {
            return "\(fitting.count) contracts fit: \(Self.candidates(fitting))"
        }
        let others = elsewhere[index].filter { $0.contract.currency != currency }
        guard !others.isEmpty else {
            return refusals[index] ?? "the gateway knows no such stock in \(currency)"
        }
        return
            "not in the account's currency, \(currency), which would have to be exchanged or lent: "
            + Self.candidates(others) + (refusals[index].map { "; \($0)" } ?? "")
    }

    private static func candidates(_ contracts: [ContractData]) -> String {
        contracts.map(\.contract).map {
            "\($0.localSymbol) at \($0.primaryExchange) in \($0.currency) (\($0.conId))"
        }.joined(separator: ", ")
    }
}

extension ContractQualification.Qualified {
    fileprivate init(_ symbol: String, _ data: ContractData, _ hours: ContractHours?) {
        self.symbol = symbol
        var contract = data.contract
        contract.exchange = "SMART"
        self.contract = contract
        self.hours = hours
        let step = data.minTick?.roundedPrice ?? Price(cents: 1)
        tickSize = step <= Price(cents: 1) || step <= .zero ? .usShares : .fixed(step)
    }
}

extension ContractData {
    /// A contract as it was learned earlier.
    fileprivate init(_ entry: ContractFile.Entry) {
        self.init()
        contract = entry.contract
        minTick = entry.terms.minTick
    }

    /// Its regular hours; `nil` where none are listed.
    func hours(asked time: Timestamp) -> ContractHours? {
        guard !liquidHours.isEmpty else { return nil }
        return ContractHours(day: NewYork.day(at: time), zone: timeZoneId, text: liquidHours)
    }
}
