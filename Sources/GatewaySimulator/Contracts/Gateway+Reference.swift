import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleReference(_ message: ClientMessage, from client: Client) {}
}
