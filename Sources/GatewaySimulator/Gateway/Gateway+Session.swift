import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleSession(_ message: ClientMessage, from client: Client) {}
}
