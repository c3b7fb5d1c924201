package import Simulation

/// What becomes of orders in a market, as the broker's and our own pages have it: written once, and held to by
/// everything that works orders.
///
/// Prices are in cents, quantities in shares; orders have the numbers 1, 2, 3 as they are placed.
package struct ConformanceCase: Sendable, CustomStringConvertible {
    /// What it is about.
    package let name: String
    /// Whether a limit fills when its price is touched.
    package var limitFill = VenueRules.LimitFill.through
    /// Whether it is another one the other way round.
    package private(set) var isMirrored = false
    /// What happens.
    package let steps: [Step]
    /// What follows from each step that something follows from, by its index.
    package let outcomes: [Int: [Outcome]]

    /// The name.
    package var description: String { name }

    /// Something that happens.
    package enum Step: Sendable {
        /// An order is placed.
        case submit(ConformanceOrder)
        /// An order's terms become others.
        case modify(Int, ConformanceOrder)
        /// An order is cancelled by whoever placed it.
        case cancel(Int)
        /// The market goes to a price, over all prices between, and so much may be had there.
        case price(Int64, size: Int64 = 1_000)
        /// The market jumps to a price.
        case gap(Int64)
        /// The market goes to a price in the session's last minute, and closes there.
        case lastPrice(Int64)
        /// The market goes to a price after the close.
        case evening(Int64)
        /// It is 20:00.
        case night
        /// It is 09:00 of the next session.
        case morning
        /// The next session opens at a price.
        case nextOpen(Int64)
    }

    /// Something that follows.
    package enum Outcome: Hashable, Sendable {
        /// An order fills so many shares at a price.
        case fill(Int, Int64, at: Int64)
        /// An order's time was over.
        case expired(Int)
        /// An order's group or parent left it nothing to do.
        case linked(Int)
        /// An order was cancelled as asked.
        case cancelled(Int)
    }

    /// A case for purchases.
    init(
        _ name: String, _ steps: [Step], _ outcomes: [Int: [Outcome]],
        limitFill: VenueRules.LimitFill = .through
    ) {
        self.name = name
        self.steps = steps
        self.outcomes = outcomes
        self.limitFill = limitFill
    }

    /// The same case the other way round: purchases are sales, and what lies above 100 dollars lies below.
    var mirrored: ConformanceCase {
        var mirrored = ConformanceCase(
            name + ", sold", steps.map(\.mirrored),
            outcomes.mapValues { $0.map(\.mirrored) }, limitFill: limitFill)
        mirrored.isMirrored = true
        return mirrored
    }

    /// Whether it goes on in the next session.
    package var lastsOvernight: Bool {
        steps.contains { step in
            switch step {
            case .night, .morning, .nextOpen: true
            case .submit, .modify, .cancel, .price, .gap, .lastPrice, .evening: false
            }
        }
    }
}

extension ConformanceCase.Step {
    fileprivate var mirrored: Self {
        switch self {
        case .submit(let order): .submit(order.mirrored)
        case .modify(let number, let order): .modify(number, order.mirrored)
        case .cancel, .night, .morning: self
        case .price(let price, let size): .price(200_00 - price, size: size)
        case .gap(let price): .gap(200_00 - price)
        case .lastPrice(let price): .lastPrice(200_00 - price)
        case .evening(let price): .evening(200_00 - price)
        case .nextOpen(let price): .nextOpen(200_00 - price)
        }
    }
}

extension ConformanceCase.Outcome {
    fileprivate var mirrored: Self {
        guard case .fill(let number, let shares, let price) = self else { return self }
        return .fill(number, shares, at: 200_00 - price)
    }
}

/// An order in the words of a case.
package struct ConformanceOrder: Sendable {
    /// Whether it buys.
    package var isPurchase = true
    /// How many shares.
    package var shares: Int64 = 100
    /// How it finds its price.
    package let kind: Kind
    /// For how long it works.
    package var time = Time.day
    /// Whether it works outside regular hours.
    package var isOutside = false
    /// The order that must fill first.
    package var parent: Int?
    /// The group in which it and others take each other's place.
    package var group: Int?
    /// What a fill does to its group.
    package var rule = BrokerTerms.GroupRule.reduceWithBlock
    /// What its stop goes by.
    package var trigger: VenueRules.StopTrigger?

    /// How an order finds its price.
    package enum Kind: Sendable {
        case market
        case limit(Int64)
        case stop(Int64)
        case stopLimit(Int64, limit: Int64)
        /// A stop that follows at an amount.
        case trail(Int64)
        /// A stop that follows at an amount, and begins at a price.
        case trailFrom(Int64, start: Int64)
        /// A stop that follows at an amount, with a limit that lies so much behind it.
        case trailLimit(Int64, start: Int64, offset: Int64)
        /// At the market once a better price is touched.
        case touch(Int64)
        /// At a limit once a better price is touched.
        case touchLimit(Int64, limit: Int64)
        /// At the market, and what is left at the price of the first fill.
        case marketToLimit
        case marketOnOpen
        case limitOnOpen(Int64)
        case marketOnClose
        case limitOnClose(Int64)
    }

    /// For how long an order works.
    package enum Time: Sendable {
        case day
        case goodTillCancelled
        /// Until so many minutes after the first order may come.
        case goodTill(minutes: Int64)
        case immediateOrCancel
        case fillOrKill
        /// Until it can be filled whole.
        case allOrNone
    }

    /// A purchase of 100 shares for the day.
    init(_ kind: Kind, _ change: (inout ConformanceOrder) -> Void = { _ in }) {
        self.kind = kind
        change(&self)
    }

    fileprivate var mirrored: ConformanceOrder {
        func mirror(_ price: Int64) -> Int64 { 200_00 - price }
        let kind: Kind =
            switch self.kind {
            case .market, .trail, .marketToLimit, .marketOnOpen, .marketOnClose: self.kind
            case .limit(let price): .limit(mirror(price))
            case .stop(let price): .stop(mirror(price))
            case .stopLimit(let price, let limit): .stopLimit(mirror(price), limit: mirror(limit))
            case .trailFrom(let amount, let start): .trailFrom(amount, start: mirror(start))
            case .trailLimit(let amount, let start, let offset):
                .trailLimit(amount, start: mirror(start), offset: offset)
            case .touch(let price): .touch(mirror(price))
            case .touchLimit(let price, let limit): .touchLimit(mirror(price), limit: mirror(limit))
            case .limitOnOpen(let price): .limitOnOpen(mirror(price))
            case .limitOnClose(let price): .limitOnClose(mirror(price))
            }
        return ConformanceOrder(kind) {
            $0 = ConformanceOrder(kind)
            $0.isPurchase = !isPurchase
            $0.shares = shares
            $0.time = time
            $0.isOutside = isOutside
            $0.parent = parent
            $0.group = group
            $0.rule = rule
            $0.trigger = trigger
        }
    }
}
