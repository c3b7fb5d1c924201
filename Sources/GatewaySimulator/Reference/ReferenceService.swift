import Primitives
import TWSProtocol

/// What the gateway keeps for clients that search, scan, read announcements or share windows' contracts.
struct ReferenceService: Sendable {
    /// Scans of the market that are subscribed to, oldest first.
    var scans: [Scan] = []
    /// The groups of windows.
    var groups = DisplayGroups()
    /// Announcements and who reads them.
    var bulletins = BulletinBoard()

    /// Searches by symbol that were asked for and not answered yet, in the order of asking.
    private var searches: [Search] = []
    /// When a connection's last search is answered.
    private var lastSearch: [ConnectionID: Timestamp] = [:]

    /// Gateways answer one search a second and client.
    private static let searchPause = Duration.seconds(1)
    /// Searches that wait for one client; gateways drop what is asked on top of them.
    private static let searchesMax = 100

    private struct Search: Sendable {
        let due: Timestamp
        let client: Client
        let request: ReqMatchingSymbols
    }

    /// A client searches; the answer waits until a second after that of its last search.
    mutating func search(_ request: ReqMatchingSymbols, by client: Client, at now: Timestamp) {
        let waiting = searches.count { $0.client.connection == client.connection }
        guard waiting < Self.searchesMax else { return }
        let due = max(now, lastSearch[client.connection].map { $0 + Self.searchPause } ?? now)
        lastSearch[client.connection] = due
        searches.append(Search(due: due, client: client, request: request))
    }

    /// Answers the searches whose time has come.
    mutating func answerSearches(
        at now: Timestamp, in contracts: GatewayContractDatabase, _ answers: inout Answers
    ) {
        guard searches.contains(where: { $0.due <= now }) else { return }
        for search in searches where search.due <= now {
            var samples = SymbolSamples()
            samples.reqId = search.request.reqId
            samples.contractDescriptions = contracts.samples(matching: search.request.pattern)
            answers.send(.symbolSamples(samples), to: search.client.connection)
        }
        searches.removeAll { $0.due <= now }
    }

    /// A connection ended: nothing of it stays.
    mutating func forget(_ connection: ConnectionID) {
        scans.removeAll { $0.client.connection == connection }
        groups.forget(connection)
        bulletins.forget(connection)
        searches.removeAll { $0.client.connection == connection }
        lastSearch[connection] = nil
    }
}
