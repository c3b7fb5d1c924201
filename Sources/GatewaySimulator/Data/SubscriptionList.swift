import Primitives
import TWSProtocol

/// Names a subscription: each client numbers its own.
struct SubscriptionKey: Hashable, Sendable {
    /// Whose it is.
    let connection: ConnectionID
    /// The number the client gave it.
    let request: RequestID
}

/// Subscriptions of one kind, oldest first.
struct SubscriptionList<Subscription: Sendable>: Sendable {
    /// The subscriptions' names, oldest first.
    private(set) var keys: [SubscriptionKey] = []
    private var entries: [SubscriptionKey: Subscription] = [:]

    /// How many there are.
    var count: Int { keys.count }

    /// Whether there is one of that name.
    func contains(_ key: SubscriptionKey) -> Bool { entries[key] != nil }

    /// A subscription; setting one that is not there does nothing.
    subscript(key: SubscriptionKey) -> Subscription? {
        get { entries[key] }
        _modify {
            guard entries[key] != nil else {
                var nobody: Subscription?
                yield &nobody
                return
            }
            yield &entries[key]
            if entries[key] == nil { keys.removeAll { $0 == key } }
        }
    }

    /// Adds one under a name that is free.
    mutating func add(_ subscription: Subscription, as key: SubscriptionKey) {
        guard entries.updateValue(subscription, forKey: key) == nil else { return }
        keys.append(key)
    }

    /// Takes one out.
    mutating func remove(_ key: SubscriptionKey) -> Subscription? {
        guard let removed = entries.removeValue(forKey: key) else { return nil }
        keys.removeAll { $0 == key }
        return removed
    }

    /// Takes out all of a client, oldest first.
    mutating func removeAll(of connection: ConnectionID) -> [Subscription] {
        keys.filter { $0.connection == connection }.compactMap { remove($0) }
    }

    /// Takes out all, oldest first.
    mutating func removeAll() -> [Subscription] { keys.compactMap { remove($0) } }
}
