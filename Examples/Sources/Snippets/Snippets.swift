import Primitives
import TWSClient
import TWSProtocol

/// What docs/client.md shows, so that it compiles. A test holds the page to this file.
enum Snippets {
    static func connect() async throws -> GatewayClient {
        var settings = ClientSettings(clientID: 21)
        settings.callLimit = .seconds(10)
        let gateway = GatewayClient(
            settings: settings, connector: NIOConnector(host: "127.0.0.1", port: 4002))
        try await gateway.connect()
        print(gateway.serverVersion?.number ?? 0, gateway.accounts)
        return gateway
    }

    static func follow(_ gateway: GatewayClient) async throws {
        for try await event in gateway.connectionEvents() {
            switch event {
            case .link(let state, let cause): print(state, cause)
            case .disconnected(let fault, let wait): print(fault, wait?.description ?? "for good")
            default: break
            }
        }
    }

    static func contracts(_ gateway: GatewayClient) async throws {
        do {
            let stock = try await gateway.qualify(.stock("IBM", primaryExchange: "NYSE"))
            print(stock.conId)
        } catch ClientError.ambiguousContract(_, let candidates) {
            for candidate in candidates { print(candidate.summary) }
        }
    }

    static func quotes(_ gateway: GatewayClient, _ stock: Contract) async throws {
        var options = QuoteOptions()
        options.allowsDelayed = true
        let quotes = gateway.quotes(stock, options)
        for try await signal in quotes {
            switch signal {
            case .data(let quote): print(quote.bid ?? 0, quote.ask ?? 0, quote.isDelayed)
            case .notice(let notice): print(notice)
            case .gap(let gap): print("data may be missing:", gap)
            }
        }
    }

    static func latest(_ quotes: QuoteStream) {
        if let latest = quotes.latest, !latest.isStale {
            print(latest.value.last ?? 0, "as of", latest.age, "ago")
        }
    }

    static func history(_ gateway: GatewayClient, _ stock: Contract) async throws {
        var question = BarQuestion(stock, .oneMinute)
        question.regularHours = false
        guard let from = Day("2024-01-02"), let to = Day("2024-02-01") else { return }
        do {
            let bars = try await gateway.bars(
                question, from: Timestamp(day: from), to: Timestamp(day: to))
            print(bars.count)
        } catch let incomplete as IncompleteHistory {
            print(incomplete.bars.count, "bars; missing:", incomplete.missing)
        }
    }

    static func live(_ gateway: GatewayClient, _ stock: Contract) async throws {
        let updates = gateway.liveBars(BarQuestion(stock, .fiveMinutes), .days(1))
        for try await signal in updates {
            if case .data(.closed(let bar)) = signal { print(bar.time, bar.close) }
        }
    }

    static func orders() async throws {
        var settings = ClientSettings(clientID: 22)
        settings.session.placesOrders = true
        let gateway = GatewayClient(
            settings: settings, connector: NIOConnector(host: "127.0.0.1", port: 4002),
            orderNumbers: OrderNumberFile(path: "order-numbers"))
        try await gateway.connect()
        try await gateway.ready()
        let stock = try await gateway.tradable(.stock("AAPL"))
        let owner = try OrderOwner(account: gateway.accounts[0], reference: "demo-1")
        let exits = BracketExits(stop: .stop(180), target: 210, for: .goodTillCancelled)
        let events = gateway.orderEvents()
        try gateway.place(
            BracketDraft(.limit(190, for: .day, in: .regular), exits),
            for: WireOrderTicket(.buy, 10, for: owner), in: stock)
        for try await event in events {
            if case .status(let status) = event { print(status.orderId, status.status) }
        }
    }

    static func account(_ gateway: GatewayClient) async throws {
        for position in try await gateway.positions() {
            print(position.contract.symbol, position.position)
        }
        for fill in try await gateway.fills() {
            print(fill.execution.shares, fill.execution.price, fill.commission?.commission ?? 0)
        }
        print(try await gateway.clockReading().skew)
    }
}
