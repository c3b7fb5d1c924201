import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleMarketData(_ message: ClientMessage, from client: Client) {}
}
