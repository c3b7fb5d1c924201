import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleHistory(_ message: ClientMessage, from client: Client) {}
}
