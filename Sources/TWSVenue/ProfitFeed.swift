package import Model
package import Primitives
package import TWSProtocol

/// The broker's streams of profit: of the account, and of each position that is held. The account's figures become
/// events, at most one of each in a minute; those of positions are for the user alone.
///
/// The streams are asked for once in each connection, and anew where the gateway says that subscriptions were lost.
package struct ProfitFeed: Sendable {
    /// The broker's profit of a position, or of the account.
    package struct Figures: Hashable, Sendable {
        /// Since the last session's close; `nil` where the broker has no figure.
        package var daily: Money?
        /// Of what is held; `nil` where the broker has no figure.
        package var unrealized: Money?
        /// Of what was closed today; `nil` where the broker has no figure.
        package var realized: Money?
    }

    /// A stream of one position.
    private struct Single: Sendable {
        let request: RequestID
        let contract: ContractID
        var figures: Figures?
    }

    private let account: AccountID
    private var contracts: [TradedContract]
    /// The stream of the account; `nil` before it was asked for.
    private var whole: RequestID?
    /// When the account's stream is asked for again, where nothing has come.
    private var askAgain = Timestamp.distantPast
    /// The account's newest figures; `nil` before any have come.
    package private(set) var newest: Figures?
    private var published: Figures?
    private var publishedAt = Timestamp.distantPast
    private var singles: [Single] = []
    /// When the positions are looked at again.
    private var nextLook = Timestamp.distantPast
    private var cancels: [ClientMessage] = []
    private var nextRequest = Self.firstRequest

    /// The first number of its requests: behind those that find contracts.
    private static let firstRequest: Int32 = GatewayVenue.firstQualifyingRequest + 1 << 28
    /// How often a figure of the account becomes an event at most.
    package static let interval = Duration.minutes(1)
    /// How often one that does not change becomes an event: it may differ from ours all the same.
    package static let repetition = Duration.minutes(10)
    /// How long figures of the account are waited for before they are asked for again.
    package static let answerLimit = Duration.minutes(5)
    /// How often it is looked at which positions are held.
    package static let lookInterval = Duration.seconds(5)
    /// How many positions have a stream of their own at most.
    package static let singlesMax = 100

    /// No streams.
    package init(account: AccountID, contracts: [TradedContract]) {
        self.account = account
        self.contracts = contracts
    }

    /// Goes on with instruments that have other numbers.
    package mutating func trade(_ contracts: [TradedContract]) { self.contracts = contracts }

    /// When `takeEvents` is to be called at the latest; `nil` while nothing has come.
    package var wake: Timestamp? {
        newest.map { publishedAt + ($0 == published ? Self.repetition : Self.interval) }
    }

    /// True if it is to be looked at which positions are held.
    package func isDue(at now: Timestamp) -> Bool { now >= nextLook }

    /// The broker's profit of a position; `nil` where none has come.
    package func figures(of instrument: InstrumentID) -> Figures? {
        guard let contract = contract(of: instrument) else { return nil }
        return singles.first { $0.contract == contract }?.figures
    }

    /// The messages that begin and end streams, so that there is one of the account and one of each position.
    ///
    /// - Parameter held: what is held.
    package mutating func questions(
        holding held: [InstrumentID], at now: Timestamp
    ) -> [ClientMessage] {
        nextLook = now + Self.lookInterval
        let requested = held.compactMap { contract(of: $0) }.prefix(Self.singlesMax)
        for single in singles where !requested.contains(single.contract) {
            cancels.append(Self.cancel(single))
        }
        singles.removeAll { !requested.contains($0.contract) }
        if let whole, newest == nil, now >= askAgain {
            cancels.append(Self.cancel(whole))
            self.whole = nil
        }
        var messages = cancels
        cancels.removeAll()
        if whole == nil, now >= askAgain {
            var message = ReqPnL()
            message.reqId = makeRequest()
            message.account = account
            whole = message.reqId
            askAgain = now + Self.answerLimit
            messages.append(.reqPnL(message))
        }
        for contract in requested where !singles.contains(where: { $0.contract == contract }) {
            var message = ReqPnLSingle()
            message.reqId = makeRequest()
            message.account = account
            message.conId = contract
            singles.append(Single(request: message.reqId, contract: contract))
            messages.append(.reqPnLSingle(message))
        }
        return messages
    }

    /// Takes in an event of the session.
    package mutating func take(_ event: SessionEvent) {
        switch event {
        case .message(.pnl(let message), _):
            guard message.reqId == whole else { return }
            newest = Figures(
                daily: message.dailyPnL?.money, unrealized: message.unrealizedPnL?.money,
                realized: message.realizedPnL?.money)
        case .message(.pnlSingle(let message), _):
            guard let index = singles.firstIndex(where: { $0.request == message.reqId }) else {
                return
            }
            singles[index].figures = Figures(
                daily: message.dailyPnL?.money, unrealized: message.unrealizedPnL?.money,
                realized: message.realizedPnL?.money)
        case .message(.error(let error), _):
            // One that is refused has no stream to end: it is asked for again in its time.
            guard let id = error.id, let whole, id == whole.rawValue else { return }
            self.whole = nil
            newest = nil
        case .disconnected:
            cancels.removeAll()
            forget()
        case .resubscribe(.all):
            if let whole { cancels.append(Self.cancel(whole)) }
            cancels += singles.map { Self.cancel($0) }
            forget()
        default: break
        }
    }

    /// Takes what the account's figures have become since the last call, once it is time for it.
    package mutating func takeEvents(at now: Timestamp) -> [Event.Kind] {
        guard let newest, let wake, now >= wake else { return [] }
        published = newest
        publishedAt = now
        let figures: [(AccountValue.Key, Money?)] = [
            (.unrealizedProfit, newest.unrealized), (.realizedProfit, newest.realized),
        ]
        return figures.compactMap { key, amount in
            amount.map {
                .accountValue(AccountValue(account: GatewayVenue.ownAccount, key, $0))
            }
        }
    }

    /// Streams end with their connection.
    private mutating func forget() {
        whole = nil
        askAgain = .distantPast
        newest = nil
        published = nil
        singles.removeAll()
        nextLook = .distantPast
    }

    private func contract(of instrument: InstrumentID) -> ContractID? {
        contracts.first { $0.instrument == instrument }?.contract.conId
    }

    private mutating func makeRequest() -> RequestID {
        defer { nextRequest += 1 }
        return RequestID(rawValue: nextRequest)
    }

    private static func cancel(_ request: RequestID) -> ClientMessage {
        var message = CancelPnL()
        message.reqId = request
        return .cancelPnL(message)
    }

    private static func cancel(_ single: Single) -> ClientMessage {
        var message = CancelPnLSingle()
        message.reqId = single.request
        return .cancelPnLSingle(message)
    }
}
