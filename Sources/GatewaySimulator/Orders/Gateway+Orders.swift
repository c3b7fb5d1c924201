import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleOrders(_ message: ClientMessage, from client: Client) {}
}
