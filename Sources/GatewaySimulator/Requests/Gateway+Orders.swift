import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleOrders(_ message: ClientMessage, from client: Client) {
        switch message {
        case .placeOrder(let request): orderManager.place(request, from: client)
        case .cancelOrder(let request): orderManager.cancel(request, from: client)
        case .reqGlobalCancel: orderManager.cancelAll()
        case .reqOpenOrders: orderManager.listOpenOrders(for: client)
        case .reqAllOpenOrders: orderManager.listAllOpenOrders(for: client)
        case .reqAutoOpenOrders(let request):
            orderManager.bindManualOrders(request.autoBind, for: client)
        case .reqCompletedOrders(let request):
            orderManager.listCompletedOrders(request, for: client)
        case .reqExecutions(let request): orderManager.listExecutions(request, for: client)
        case .exerciseOptions(let request): orderManager.exercise(request, from: client)
        default: break
        }
        // Also what was not published to anybody yet is at the broker.
        stateRevision += 1
        publishOrderNotes()
    }

    /// Publishes the order manager's notes.
    func publishOrderNotes() {
        let notes = orderManager.takeNotes()
        defer {
            for news in accountNews.take(at: now) {
                answers.send(news.message, to: news.connection)
            }
        }
        guard !notes.isEmpty else { return }
        let clients = clients
        for note in notes {
            switch note.audience {
            case .connection(let connection): answers.send(note.message, to: connection)
            case .client(let id):
                for client in clients where client.id == id {
                    answers.send(note.message, to: client.connection)
                }
            case .subscribers(of: let id):
                for client in clients where client.id == id || seesAllOrders(client.id) {
                    answers.send(note.message, to: client.connection)
                }
            }
        }
        stateRevision += 1
    }

    /// True for a client that receives the events of every client's orders.
    private func seesAllOrders(_ id: ClientID) -> Bool {
        id == 0 || id == settings.masterClient
    }
}
