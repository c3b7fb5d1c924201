import TWSProtocol

/// Groups of windows that share a contract: what a client sets, all subscribers of the group receive.
struct DisplayGroups: Sendable {
    /// The groups' numbers.
    static let numbers: ClosedRange<Int32> = 1...7

    private var contracts: [Int32: String] = [:]
    private var subscriptions: [Subscription] = []

    private struct Subscription: Sendable {
        let connection: ConnectionID
        let id: RequestID
        let group: Int32
    }

    /// The numbers as a list's text.
    static var list: String { numbers.map(String.init).joined(separator: "|") }

    /// Subscribes to a group and publishes its contract.
    ///
    /// - Throws: for a group that does not exist and a number in use.
    mutating func subscribe(
        _ request: SubscribeToGroupEvents, by client: Client, _ answers: inout Answers
    ) throws(ContractRefusal) {
        guard Self.numbers.contains(request.groupId) else {
            throw .invalid("Invalid display group id")
        }
        guard group(of: request.reqId, client.connection) == nil else {
            throw .invalid("Duplicate display group subscription id")
        }
        let subscription = Subscription(
            connection: client.connection, id: request.reqId, group: request.groupId)
        subscriptions.append(subscription)
        notify(subscription, &answers)
    }

    /// Changes the contract of a subscription's group, and notifies all of the group's subscribers.
    ///
    /// - Throws: for a number without subscription and a text that is no contract.
    mutating func update(
        _ request: UpdateDisplayGroup, by client: Client, _ answers: inout Answers
    ) throws(ContractRefusal) {
        guard let group = group(of: request.reqId, client.connection) else {
            throw .invalid("Display group subscription is not found")
        }
        guard Self.isContract(request.contractInfo) else {
            throw .invalid("Invalid contract info")
        }
        contracts[group] = request.contractInfo
        for subscription in subscriptions where subscription.group == group {
            notify(subscription, &answers)
        }
    }

    /// Ends a subscription; a number without one changes nothing.
    mutating func unsubscribe(_ id: RequestID, by client: Client) {
        subscriptions.removeAll { $0.connection == client.connection && $0.id == id }
    }

    /// A connection ended.
    mutating func forget(_ connection: ConnectionID) {
        subscriptions.removeAll { $0.connection == connection }
    }

    private func group(of id: RequestID, _ connection: ConnectionID) -> Int32? {
        subscriptions.first { $0.connection == connection && $0.id == id }?.group
    }

    private func notify(_ subscription: Subscription, _ answers: inout Answers) {
        var update = DisplayGroupUpdated()
        update.reqId = subscription.id
        update.contractInfo = contracts[subscription.group] ?? "none"
        answers.send(.displayGroupUpdated(update), to: subscription.connection)
    }

    /// `none`, `combo`, or a contract's number with or without `@` and an exchange.
    private static func isContract(_ text: String) -> Bool {
        guard text != "none", text != "combo" else { return true }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let number = Int32(parts[0]), number > 0 else {
            return false
        }
        return parts.last?.isEmpty == false
    }
}
