import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleAccount(_ message: ClientMessage, from client: Client) {}
}
