import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleContracts(_ message: ClientMessage, from client: Client) {}
}
