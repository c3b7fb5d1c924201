/// What must hold for an order; never empty.
public struct OrderConditions: Hashable, Sendable {
    /// The conditions; each says how the next one joins it.
    public let conditions: [OrderCondition]
    /// What happens once they hold.
    public var effect = Effect.release
    /// Whether they are looked at outside regular hours, too.
    public var hours = OrderHours.regular

    /// What happens once conditions hold.
    public enum Effect: Hashable, Sendable {
        /// The order begins to work.
        case release
        /// The order is cancelled.
        case cancel
    }

    /// One condition or several.
    public init(_ first: OrderCondition, _ others: OrderCondition...) {
        conditions = [first] + others
    }

    /// Sets them on an order.
    ///
    /// - Throws: when one of them says nothing that could hold.
    func apply(to order: inout Order) throws(OrderRefusal) {
        for (index, condition) in conditions.enumerated() {
            if let reason = condition.problem { throw .condition(index, reason: reason) }
        }
        order.conditions = conditions
        order.conditionsCancelOrder = effect == .cancel
        order.conditionsIgnoreRth = hours == .extended
    }
}

extension OrderCondition {
    /// What makes it impossible to hold or to understand.
    fileprivate var problem: String? {
        if case .unknown = conjunction { return "no known conjunction" }
        switch self {
        case .price(let condition):
            if case .unknown = condition.triggerMethod { return "no known trigger method" }
            guard condition.price.isFinite else { return "no price" }
            return Self.problem(condition.conId, condition.exchange)
        case .time(let condition):
            switch condition.time {
            case .utc: return nil
            case .wall(_, let zone): return zone.isEmpty ? "a time without its zone" : nil
            case .none, .epoch, .day, .other: return "no time with a zone"
            }
        case .margin(let condition):
            return (0...100).contains(condition.percent) ? nil : "no percentage"
        case .execution(let condition):
            let isComplete = !condition.symbol.isEmpty && condition.secType != .none
            return isComplete && !condition.exchange.isEmpty ? nil : "no instrument"
        case .volume(let condition):
            guard condition.volume >= 0 else { return "no volume" }
            return Self.problem(condition.conId, condition.exchange)
        case .percentChange(let condition):
            guard condition.changePercent.isFinite else { return "no percentage" }
            return Self.problem(condition.conId, condition.exchange)
        }
    }

    private static func problem(_ conId: ContractID, _ exchange: String) -> String? {
        conId.rawValue <= 0 || exchange.isEmpty ? "no instrument" : nil
    }
}

/// A group of orders of which a fill in one cancels or reduces the others.
public struct OCAGroup: Hashable, Sendable {
    /// The group's name; the same in each of its orders, new for each group.
    public let name: String
    /// What a fill does to the others.
    public let effect: Effect

    /// What a fill does to the others.
    public enum Effect: Hashable, Sendable {
        /// Cancels them; only one works at a time, so nothing is overfilled. A partial fill cancels
        /// them, too: a stop may be gone while a part of the position is left.
        case cancelWithBlock
        /// Reduces them by what was filled; only one works at a time.
        case reduceWithBlock
        /// Reduces them by what was filled; all of them work, so an overfill can happen.
        case reduceWithoutBlock
    }

    /// A group.
    ///
    /// - Throws: when the name is empty or has other characters than printable ASCII.
    public init(_ name: String, onFill effect: Effect) throws(OrderRefusal) {
        try OrderOwner.check(name, as: "ocaGroup")
        self.name = name
        self.effect = effect
    }

    func apply(to order: inout Order) {
        order.ocaGroup = name
        switch effect {
        case .cancelWithBlock: order.ocaType = .cancelWithBlock
        case .reduceWithBlock: order.ocaType = .reduceWithBlock
        case .reduceWithoutBlock: order.ocaType = .reduceWithoutBlock
        }
    }
}
