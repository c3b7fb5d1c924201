import Model
import Orders
import Primitives

extension Intent {
    /// The intent in new shares; `nil` beyond what can be held or is a price.
    func converted(by ratio: SplitRatio) -> Intent? {
        var isPossible = true
        var intent = mapPrices { price in
            guard let adjusted = ratio.adjusted(price) else {
                isPossible = false
                return price
            }
            return adjusted
        }
        if case .target(let quantity) = goal {
            guard let exchanged = ratio.exchanged(quantity) else { return nil }
            intent = intent.with(goal: .target(exchanged.whole))
        }
        return isPossible ? intent : nil
    }

    /// What of the intent reduces a position; `nil` when nothing does.
    ///
    /// - Parameters:
    ///   - held: the position; negative is short.
    ///   - weighed: the position that a weight asks for, if that is known.
    func reducing(_ held: Quantity, towards weighed: Quantity?) -> Intent? {
        let target: Quantity
        switch goal {
        case .enter: return nil
        case .exit, .cancelEntries, .withdraw, .protect: return self
        case .target(let quantity): target = quantity
        case .weight:
            guard let weighed else { return nil }
            target = weighed
        }
        if target == .zero { return self }
        guard held != .zero else { return nil }
        guard (target > .zero) == (held > .zero) else { return with(goal: .exit) }
        let isWithin = held > .zero ? target <= held : target >= held
        return isWithin ? self : nil
    }

    /// Takes the intent into a digest.
    func hash(into hasher: inout StateHasher) {
        hasher.combine(strategy.index)
        hasher.combine(instrument.index)
        switch goal {
        case .enter(let side): hasher.combine(side == .buy ? 1 : 2)
        case .exit: hasher.combine(3)
        case .target(let quantity):
            hasher.combine(4)
            hasher.combine(quantity)
        case .weight(let weight):
            hasher.combine(5)
            hasher.combine(weight)
        case .cancelEntries: hasher.combine(6)
        case .protect: hasher.combine(7)
        case .withdraw: hasher.combine(8)
        }
        hasher.combine(reason.index)
        hasher.combine(group)
        terms.hash(into: &hasher)
        hasher.combine(protection != nil)
        protection?.hash(into: &hasher)
    }
}

extension OrderTerms {
    fileprivate func hash(into hasher: inout StateHasher) {
        type.combine(into: &hasher)
        timeInForce.combine(into: &hasher)
        hasher.combine(hours.map { $0 == .regular ? 1 : 2 } ?? 0)
        hasher.combine(isLeftToWindow)
    }
}

extension Protection {
    fileprivate func hash(into hasher: inout StateHasher) {
        switch stop {
        case .price(let price):
            hasher.combine(1)
            hasher.combine(price)
        case .away(let distance):
            hasher.combine(2)
            distance.hash(into: &hasher)
        case .trailing(let distance):
            hasher.combine(3)
            distance.hash(into: &hasher)
        case nil: hasher.combine(0)
        }
        switch target {
        case .price(let price):
            hasher.combine(1)
            hasher.combine(price)
        case .away(let distance):
            hasher.combine(2)
            distance.hash(into: &hasher)
        case nil: hasher.combine(0)
        }
    }
}

extension Protection.Distance {
    fileprivate func hash(into hasher: inout StateHasher) {
        switch self {
        case .amount(let amount):
            hasher.combine(1)
            hasher.combine(amount)
        case .percent(let percent):
            hasher.combine(2)
            hasher.combine(percent.units)
        case .range(let range):
            hasher.combine(3)
            hasher.combine(range.length)
            hasher.combine(range.times.units)
        }
    }
}
