import TWSClient

@main struct Quotes {
    static func main() async throws {
        let gateway = GatewayClient(
            settings: ClientSettings(clientID: 21),
            connector: NIOConnector(host: "127.0.0.1", port: 4002))
        try await gateway.connect()
        let apple = try await gateway.qualify(.stock("AAPL"))
        for bar in try await gateway.recentBars(BarQuestion(apple, .oneDay), .days(5)) {
            print(bar.time, bar.close)
        }
        var options = QuoteOptions()
        options.allowsDelayed = true
        for try await signal in gateway.quotes(apple, options) {
            guard case .data(let quote) = signal else { continue }
            print(quote.bid ?? 0, quote.ask ?? 0, quote.mode)
        }
    }
}
