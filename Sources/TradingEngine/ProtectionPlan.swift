import Model
import Orders
import Primitives

/// The protection of one strategy's position in one instrument: what shall rest to close it, and the orders
/// for that.
///
/// A machine without an engine: it is given what is known of the position and of one leg, and answers with
/// what is to be done. Nothing has to be remembered in between: a change or cancellation under way is waited
/// for, and its answer asks again.
struct ProtectionPlan: Sendable, BitwiseCopyable {
    /// Which way the position was opened.
    let side: Side
    /// The group of the newest orders, once there were any.
    private(set) var group: OrderGroupID?
    /// True if nothing is sent any more until a person has looked.
    private(set) var isGivenUp = false

    private var prices: ProtectionPrices
    /// The newest stop and target, whether they still work or not.
    private var stop: OrderID?
    private var target: OrderID?
    /// How many that the venue has ended were sent again since `day` began.
    private var losses = 0
    /// The day of the newest of these.
    private var day: Day?

    /// How often a day what the venue has ended is sent again.
    static let lossesMax = 5

    /// One of the pair.
    enum Leg: CaseIterable {
        case stop
        case target
    }

    /// Protection of which nothing was sent yet.
    init(side: Side, prices: ProtectionPrices) {
        self.side = side
        self.prices = prices
    }

    /// The newest order of a leg, whether it still works or not.
    func order(of leg: Leg) -> OrderID? {
        switch leg {
        case .stop: stop
        case .target: target
        }
    }

    /// True if a stop belongs to it.
    var hasStop: Bool { prices[.stop] != nil }

    /// The newest orders, stop first.
    var orders: [OrderID] { Leg.allCases.compactMap(order(of:)) }

    // MARK: Inputs

    /// The prices are others from now on.
    mutating func reprice(_ prices: ProtectionPrices) { self.prices = prices }

    /// Makes an order that works one of the legs, at the price that it has.
    mutating func adopt(_ id: OrderID, _ type: OrderType, in group: OrderGroupID) {
        self.group = group
        if type.limitPrice != nil, type.stopPrice == nil {
            target = id
            prices = ProtectionPrices(stop: prices.stop, target: type)
        } else {
            stop = id
            prices = ProtectionPrices(stop: type, target: prices.target)
        }
    }

    /// Others have moved the price of one of its orders: it is the plan's from now on.
    mutating func adopt(_ type: OrderType, of order: OrderID) {
        if stop == order { prices = ProtectionPrices(stop: type, target: prices.target) }
        if target == order { prices = ProtectionPrices(stop: prices.stop, target: type) }
    }

    /// A leg to be sent behind an entry, which it waits for; nothing where the plan has none.
    func bracket(_ leg: Leg, behind parent: OrderID, _ quantity: Quantity) -> ProtectionAction {
        submission(of: leg, quantity, parent: parent)
    }

    /// Compares what is held with the side that was opened: no order of ours means the other one.
    ///
    /// - Parameter held: positive on the plan's side.
    func audit(held: Quantity, isLatched: Bool) -> ProtectionAction {
        held < .zero && !isLatched ? .latchWrongSide(held: held) : .none
    }

    /// Compares a leg with what it shall be.
    mutating func keep(_ leg: Leg, _ facts: LegFacts) -> ProtectionAction {
        let cover = facts.position.cover
        switch facts.order {
        case .unsettled: return .none
        case .working(let order):
            return adjust(leg, order, cover, isLeaving: facts.position.isLeaving)
        case .missing(let missing):
            guard prices[leg] != nil, cover > .zero else { return .none }
            return restore(leg, missing, cover)
        }
    }

    /// Takes in what became of a leg that was to be sent.
    ///
    /// - Parameters:
    ///   - id: its number; `nil` where the gate did not let it pass.
    ///   - group: the group in which it was sent.
    mutating func record(
        _ ticket: LegTicket, as id: OrderID?, in group: OrderGroupID
    ) -> ProtectionAction {
        self.group = group
        guard let id else {
            // Behind its parent it is not needed yet, and is asked for again when the parent fills.
            return ticket.parent == nil ? giveUp() : .none
        }
        // Counted once it has left: what cannot leave yet is asked for again.
        if ticket.isLost { losses += 1 }
        switch ticket.leg {
        case .stop: stop = id
        case .target: target = id
        }
        return .none
    }

    /// Brings the prices to those of split shares, as the venue does its orders.
    mutating func split(by ratio: SplitRatio, _ ticks: TickSize) -> ProtectionAction {
        guard let adjusted = prices.adjusted(by: ratio, ticks, side) else { return giveUp() }
        prices = adjusted
        losses = 0
        return .none
    }

    /// A person has looked: what was given up is tried again.
    ///
    /// - Parameter endedAt: orders that work no more.
    mutating func retry(without endedAt: [OrderID]) {
        isGivenUp = false
        losses = 0
        if let id = stop, endedAt.contains(id) { stop = nil }
        if let id = target, endedAt.contains(id) { target = nil }
    }

    // MARK: Rules

    /// Changes a leg that works, or ends it.
    private func adjust(
        _ leg: Leg, _ order: WorkingLeg, _ cover: Quantity, isLeaving: Bool
    ) -> ProtectionAction {
        let isAwaited = !isLeaving && order.parentOpen > .zero
        guard let type = prices[leg], cover > .zero || isAwaited else {
            // Where nothing is open its end is on its way.
            return order.open > .zero ? .cancel(order.id) : .none
        }
        let terms = LegTerms(
            type: type, quantity: cover.adding(order.groupFilled).adding(order.parentUnfilled))
        guard order.terms != terms else { return .none }
        if PlantedBug.stopNotGrown.isPlanted, terms.quantity > order.terms.quantity {
            return .none
        }
        // A broker releases a child in proportion to what its parent has filled: while that may still fill, only
        // one of the parent's own quantity fits every fill. A pair without a parent takes its place.
        let isDetached = order.parentOpen > .zero && order.terms.quantity != terms.quantity
        return isDetached ? .cancel(order.id) : .change(order.id, terms)
    }

    /// Sends a leg that is missing, unless it is on its way or the venue keeps ending it.
    private mutating func restore(
        _ leg: Leg, _ missing: MissingLeg, _ cover: Quantity
    ) -> ProtectionAction {
        guard !isGivenUp else { return .none }
        var isLost = false
        // A new group begins once nothing of this one works; a target alone waits for that.
        if missing.isGroupLive, missing.groupFilled > .zero, !missing.mayJoinLate {
            guard leg == .stop, let target else { return .none }
            return .cancel(target)
        }
        switch missing.end?.loss ?? .none {
        case .none: break
        case .unexplained: return .none
        case .byVenue:
            if day != missing.today { losses = 0 }
            day = missing.today
            if losses >= Self.lossesMax { return giveUp() }
            isLost = true
        case .rejected: return giveUp()
        }
        // With no order of the group left all it has filled is known: the next pair begins anew.
        if !missing.isGroupLive { group = nil }
        let quantity = group == nil ? cover : cover.adding(missing.groupFilled)
        return submission(of: leg, quantity, parent: nil, isLost: isLost)
    }

    private func submission(
        of leg: Leg, _ quantity: Quantity, parent: OrderID?, isLost: Bool = false
    ) -> ProtectionAction {
        guard let type = prices[leg] else { return .none }
        return .place(
            LegTicket(
                leg: leg, side: side.opposite, terms: LegTerms(type: type, quantity: quantity),
                parent: parent, group: group, isLost: isLost))
    }

    private mutating func giveUp() -> ProtectionAction {
        isGivenUp = true
        return .giveUp
    }

    /// Takes the plan into a digest.
    func hash(into hasher: inout StateHasher) {
        hasher.combine(side == .buy)
        prices.hash(into: &hasher)
        hasher.combine(group?.number ?? 0)
        hasher.combine(stop?.number ?? 0)
        hasher.combine(target?.number ?? 0)
        hasher.combine(losses)
        hasher.combine(day?.number ?? .min)
        hasher.combine(isGivenUp)
    }
}

/// What is to be done for the protection of a position.
enum ProtectionAction: Equatable {
    /// Nothing.
    case none
    /// Send a leg if the gate allows it, and record what became of it.
    case place(LegTicket)
    /// Change an order to what the gate allows of these terms.
    case change(OrderID, LegTerms)
    /// Ask for an order's end.
    case cancel(OrderID)
    /// Call a person: nothing more is sent for the position.
    case giveUp
    /// Call a person: the position is on the other side, by so much.
    case latchWrongSide(held: Quantity)
}

/// How much an order of a pair is for, and how it finds its price.
struct LegTerms: Equatable {
    /// A stop, trailing or not, or a limit.
    let type: OrderType
    /// In its group: what all of the group shall have filled when this one is done.
    let quantity: Quantity
}

/// An order of a pair that is to be sent.
struct LegTicket: Equatable {
    /// Which of the pair.
    let leg: ProtectionPlan.Leg
    /// The side that reduces the position.
    let side: Side
    /// Its price and quantity.
    let terms: LegTerms
    /// The entry that it waits for; `nil` for a position that is there.
    let parent: OrderID?
    /// Its group; `nil` for a new one.
    let group: OrderGroupID?
    /// True for one in the place of an order that the venue has ended.
    var isLost = false
}

// MARK: - What a plan is given

/// A leg, and the position that it is to cover.
struct LegFacts {
    /// The position.
    var position: CoverFacts
    /// What is known of the leg's newest order.
    var order: LegOrder
}

/// A position and what else leaves it.
struct CoverFacts {
    /// The position; positive on the plan's side.
    var held: Quantity
    /// What orders outside the plan's group have working to reduce it.
    var otherExits = Quantity.zero
    /// The exit of it that waits for orders in its way, if there is one.
    var waiting: WaitingExit?

    /// An exit that waits.
    struct WaitingExit {
        /// How much of the position, without its sign, it does not sell.
        var kept: Quantity
        /// How much of that is covered by exits at a price outside the plan's group.
        var beside: Quantity
    }

    /// How much of the position its own orders shall cover: what no other exit sells.
    var cover: Quantity {
        let isBeside = PlantedBug.exitBesideStop.isPlanted || PlantedBug.stopBesideExit.isPlanted
        let left = max(isBeside ? held : held - otherExits, .zero)
        guard let waiting else { return left }
        return min(left, max(waiting.kept - waiting.beside, .zero))
    }

    /// True if all of the position is to leave as soon as nothing is in the way.
    var isLeaving: Bool { waiting?.kept == .zero }
}

/// What is known of a leg's newest order.
enum LegOrder {
    /// It works, and an answer of the venue about it is under way.
    case unsettled
    /// It works.
    case working(WorkingLeg)
    /// There is none that works.
    case missing(MissingLeg)
}

/// An order of a pair that works.
struct WorkingLeg {
    /// Its number.
    let id: OrderID
    /// Its terms in force.
    let terms: LegTerms
    /// What of it may fill by what is known now.
    var open = Quantity.zero
    /// What its parent may still add to the position.
    var parentOpen = Quantity.zero
    /// What of its quantity its parent has not filled.
    var parentUnfilled = Quantity.zero
    /// What its group has filled.
    var groupFilled = Quantity.zero
}

/// A leg of which no order works.
struct MissingLeg {
    /// How its newest order ended, if there was one.
    var end: LegEnd?
    /// True if any order of the plan's group works.
    var isGroupLive = false
    /// What the plan's group has filled.
    var groupFilled = Quantity.zero
    /// True where the venue takes an order that joins a group for what the group has filled already. Of a broker that
    /// is not known.
    var mayJoinLate = true
    /// The day.
    var today: Day?
}

/// How an order of a pair ended.
struct LegEnd {
    /// Why the venue has rejected it, if it has.
    var rejected: RejectCause?
    /// Why it was cancelled, if it was.
    var cancelled: CancelCause?
    /// True if fills of its group and an unfilled rest of its parent account for all of its quantity.
    var isExplained = true

    /// What it means for the leg.
    enum Loss {
        /// We ended it, or it filled.
        case none
        /// Another of its group filled in its place, and that has not been reported yet.
        case unexplained
        /// The venue ended it.
        case byVenue
        /// The venue refused it.
        case rejected
    }

    /// What it means for the leg.
    var loss: Loss {
        if let rejected {
            switch rejected {
            // What it waited for never came; the position is from elsewhere.
            case .noParent: return .none
            // Its number says nothing about its terms: it is sent under another.
            case .numberInUse: return .byVenue
            case .priceNotOnTick, .invalidTerms, .notTradable, .byBroker, .unknownContract,
                .readOnly, .notPermitted, .funds, .size, .price, .shortSale, .dayTrading, .hours,
                .algorithm:
                return .rejected
            }
        }
        switch cancelled {
        case nil, .requested: return .none
        case .linked: return isExplained ? .none : .unexplained
        case .expired, .external:
            return PlantedBug.stopNotReplaced.isPlanted ? .unexplained : .byVenue
        }
    }
}

/// What follows when the gate has allowed a change of an order of a pair.
enum LegChange: Equatable {
    /// Nothing: what it allows is what works.
    case none
    /// The venue is asked for the change.
    case modify
    /// The venue has refused that change before: what cannot be changed is sent anew at its end.
    case cancel

    /// - Parameters:
    ///   - allowed: what the gate allows.
    ///   - current: the terms in force.
    ///   - refused: the newest change that the venue has refused, if it was the newest.
    init(to allowed: OrderRequest, from current: OrderRequest, refused: OrderRequest?) {
        if allowed == current {
            self = .none
        } else {
            self = refused == allowed ? .cancel : .modify
        }
    }
}

extension Quantity {
    /// The sum, at most what an edge accepts.
    func adding(_ other: Quantity) -> Quantity {
        let sum = Int128(units) + Int128(other.units)
        return min(Quantity(units: Int64(clamping: sum)), .magnitudeMax)
    }
}

// MARK: - Records

extension ProtectionPlan: RecordValue {
    /// Writes the plan and what was lost of its orders.
    func write(to writer: inout RecordWriter) {
        writer.write(side)
        writer.write(prices)
        writer.write(optional: group) { $0.write($1.number) }
        writer.write(isGivenUp)
        writer.write(optional: stop) { $0.write($1) }
        writer.write(optional: target) { $0.write($1) }
        writer.write(losses)
        writer.write(optional: day) { $0.write($1) }
    }

    /// The plan as it was written.
    init(from reader: inout RecordReader) throws(RecordError) {
        side = try reader.value(Side.self)
        prices = try reader.value(ProtectionPrices.self)
        group = try reader.optional { (reader) throws(RecordError) in
            OrderGroupID(number: try reader.count())
        }
        isGivenUp = try reader.flag()
        stop = try reader.optional { (reader) throws(RecordError) in try reader.order() }
        target = try reader.optional { (reader) throws(RecordError) in try reader.order() }
        losses = try reader.count()
        day = try reader.optional { (reader) throws(RecordError) in try reader.day() }
    }
}
