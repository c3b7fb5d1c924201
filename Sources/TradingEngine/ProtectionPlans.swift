import Model
import Orders
import Primitives

/// The protection of all positions: at most one plan for each strategy in each instrument.
///
/// A plan is found by its index, which `place` returns.
struct ProtectionPlans: ~Copyable {
    /// How many there are: mostly none, and that is asked several times an order.
    private(set) var count = 0

    private let instrumentCount: Int
    private var plans: FixedArray<ProtectionPlan?>

    /// None yet.
    init(strategyCount: Int, instrumentCount: Int) {
        self.instrumentCount = instrumentCount
        plans = FixedArray(repeating: nil, count: strategyCount * instrumentCount)
    }

    /// The place of a strategy's plan in an instrument, whether there is one or not.
    func place(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int {
        Int(strategy.index) * instrumentCount + Int(instrument.index)
    }

    /// Whose position a place is for.
    func owner(of index: Int) -> OrderLedger.Owner {
        OrderLedger.Owner(
            strategy: StrategyID(index: index / instrumentCount),
            instrument: InstrumentID(index: index % instrumentCount))
    }

    /// The plan at a place, if there is one.
    subscript(index: Int) -> ProtectionPlan? { plans[index] }

    /// The newest orders of all plans.
    var orders: [OrderID] { all.flatMap(\.orders) }

    /// The groups of all plans.
    var groups: [OrderGroupID] { all.compactMap(\.group) }

    private var all: [ProtectionPlan] {
        count == 0 ? [] : (0..<plans.count).compactMap { plans[$0] }
    }

    /// The places of plans that were given up, in order.
    var placesGivenUp: [Int] { (0..<plans.count).filter { plans[$0]?.isGivenUp == true } }

    /// True if an entry adds to the position that a plan is for, rather than opening another.
    ///
    /// - Parameter isEntered: whether the strategy holds or is opening something on that side.
    func isAddition(on side: Side, isEntered: Bool, at index: Int) -> Bool {
        isEntered && plans[index]?.side == side
    }

    // MARK: Inputs

    /// Puts a plan in the place of another.
    ///
    /// - Returns: the orders of the other, which have nothing left to do.
    mutating func begin(_ plan: ProtectionPlan, at index: Int) -> [OrderID] {
        let former = end(at: index)
        plans[index] = plan
        count += 1
        return former
    }

    /// Forgets a plan, if there is one.
    ///
    /// - Returns: its orders, which have nothing left to do.
    mutating func end(at index: Int) -> [OrderID] {
        guard let plan = plans[index] else { return [] }
        plans[index] = nil
        count -= 1
        return plan.orders
    }

    /// Forgets a plan whose position is gone for good: nothing is held, entering or working for it.
    mutating func endIfOver(at index: Int, held: Quantity, isEntering: Bool, isWorking: Bool) {
        if held == .zero, !isEntering, !isWorking { _ = end(at: index) }
    }

    /// The prices are others from now on.
    mutating func reprice(_ prices: ProtectionPrices, at index: Int) {
        plans[index]?.reprice(prices)
    }

    /// Makes an order that works a leg of the plan at a place, which begins with it if there is none.
    mutating func adopt(
        _ id: OrderID, _ request: OrderRequest, in group: OrderGroupID, at index: Int
    ) {
        var plan =
            self[index] ?? ProtectionPlan(side: request.side.opposite, prices: ProtectionPrices())
        plan.adopt(id, request.type, in: group)
        if plans[index] == nil { count += 1 }
        plans[index] = plan
    }

    /// See `ProtectionPlan.adopt(_:of:)`.
    mutating func adopt(_ type: OrderType, of order: OrderID, at index: Int) {
        plans[index]?.adopt(type, of: order)
    }

    /// See `ProtectionPlan.keep`.
    mutating func keep(
        _ leg: ProtectionPlan.Leg, _ facts: LegFacts, at index: Int
    ) -> ProtectionAction {
        plans[index]?.keep(leg, facts) ?? .none
    }

    /// See `ProtectionPlan.record`.
    mutating func record(
        _ ticket: LegTicket, as id: OrderID?, in group: OrderGroupID, at index: Int
    ) -> ProtectionAction {
        plans[index]?.record(ticket, as: id, in: group) ?? .none
    }

    /// See `ProtectionPlan.split`.
    mutating func split(by ratio: SplitRatio, _ ticks: TickSize, at index: Int) -> ProtectionAction
    {
        plans[index]?.split(by: ratio, ticks) ?? .none
    }

    /// See `ProtectionPlan.retry`.
    mutating func retry(at index: Int, without endedAt: [OrderID]) {
        plans[index]?.retry(without: endedAt)
    }

    /// Takes the plans into a digest.
    func hash(into hasher: inout StateHasher) {
        guard count > 0 else { return }
        for index in 0..<plans.count {
            guard let plan = plans[index] else { continue }
            hasher.combine(index)
            plan.hash(into: &hasher)
        }
    }
}

// MARK: - Records

extension ProtectionPlans {
    /// Writes every plan with whose position it protects.
    func write(to writer: inout RecordWriter) {
        guard count > 0 else { return }
        for index in 0..<plans.count {
            guard let plan = plans[index] else { continue }
            let owner = owner(of: index)
            writer.item(.plan) { item in
                item.write(owner.strategy)
                item.write(owner.instrument)
                item.write(plan)
            }
        }
    }

    /// Reads a plan back.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        let index = place(try reader.strategy(), try reader.instrument())
        let plan = try reader.value(ProtectionPlan.self)
        guard plans[index] == nil else { throw reader.damage }
        _ = begin(plan, at: index)
    }
}
