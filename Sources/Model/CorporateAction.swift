public import Primitives

/// Something a company does to its shares that changes what a holder has, without a trade.
///
/// It bears on what was held when the exchange closed before `exDay`, in New York's calendar. When two
/// fall on one day, the split goes first: the day's dividend is stated per new share.
public struct CorporateAction: Hashable, Sendable, BitwiseCopyable {
    /// Whose shares.
    public let instrument: InstrumentID
    /// The first day on which a buyer has no part in it.
    public let exDay: Day
    /// What is done.
    public let kind: Kind

    /// What can be done.
    public enum Kind: Hashable, Sendable, BitwiseCopyable {
        /// Cash for each share held, in the instrument's currency; who is short pays it.
        case dividend(perShare: Price)
        /// New shares for old ones.
        case split(SplitRatio)
    }

    /// An action as its source gives it.
    public init(instrument: InstrumentID, exDay: Day, kind: Kind) {
        self.instrument = instrument
        self.exDay = exDay
        self.kind = kind
    }
}

/// How many new shares there are for how many old ones, in lowest terms: 7 for 1, or 1 for 10.
public struct SplitRatio: Hashable, Sendable, BitwiseCopyable {
    /// New shares; positive.
    public let new: Int64
    /// Old shares they are for; positive.
    public let old: Int64

    /// The largest n for which n:1 and 1:n are looked for in decimal text.
    public static var sharesMax: Int64 { 10_000 }
    /// The most old shares of other forward ratios, such as 3:2. More would take spin-offs for splits.
    public static var oldMax: Int64 { 50 }
    /// The most old shares of reverse ratios with up to ten new ones, such as 3:100.
    public static var reverseOldMax: Int64 { 200 }
    /// The part of a ratio that its source's decimal number may be off: one in a million.
    private static var partsMax: Int128 { 1_000_000 }

    /// The ratio a source means by a decimal number of new shares for one old share.
    ///
    /// Candidates are n:1 and 1:n to `sharesMax`, and p:q within the bounds above. Of those within a
    /// relative 10^-6 of the number, the one with the smallest sum of new and old shares counts. A ratio
    /// below 1 has few digits left where decimals are cut, so below 1 one more rule holds: a candidate also
    /// counts that gives the number when it is rounded or cut to the decimals the number is written with.
    /// For 1:n that takes four digits behind the leading zeros and a single such n; for p:q, six decimals.
    /// So 0.0033333333, 0.00333333 and 0.0033333 are 1 for 300, 0.133333 is 2 for 15, 0.166667 is 1 for 6.
    ///
    /// - Parameters:
    ///   - ratio: the number.
    ///   - decimals: how many the source wrote, at most eight; `nil` when it is not known whether zeros were
    ///     left out at the end.
    /// - Returns: `nil` when there is none, and when nothing is split. Above 1 that mostly means a spin-off
    ///   written as a split; below 1 the number makes no sense.
    public init?(snapping ratio: Quantity, decimals: Int? = nil) {
        let one = Quantity.unitsPerOne
        guard ratio.units > 0, ratio.units != one else { return nil }
        let found =
            ratio.units > one ? Self.forward(ratio.units) : Self.reverse(ratio.units, decimals)
        guard let found, found.new != found.old else { return nil }
        // A smaller number of shares would have been found before: these are lowest terms.
        (new, old) = found
    }

    /// The simplest candidate near a number of units above 1.
    private static func forward(_ units: Int64) -> (new: Int64, old: Int64)? {
        for old in 1...oldMax {
            let new = (Int128(units) * Int128(old)).dividedHalfToEven(
                by: Int128(Quantity.unitsPerOne))
            guard isNear(units, Int64(new), old) else { continue }
            return (Int64(new), old)
        }
        return nil
    }

    /// The simplest candidate near a number of units below 1.
    private static func reverse(_ units: Int64, _ decimals: Int?) -> (new: Int64, old: Int64)? {
        for new in 1..<oldMax {
            let old = Int64(
                (Int128(Quantity.unitsPerOne) * Int128(new)).dividedHalfToEven(by: Int128(units)))
            let most = new == 1 ? sharesMax : new <= 10 ? reverseOldMax : oldMax
            if old <= most, isNear(units, new, old) { return (new, old) }
        }
        if let decimals {
            let step = (decimals..<max(decimals, Quantity.digits)).reduce(1) { step, _ in step * 10
            }
            return written(units, step: Int64(step))
        }
        // Zeros at the end may be written or not: from eight decimals to those needed.
        var step: Int64 = 1
        repeat {
            if let found = written(units, step: step) { return found }
            step *= 10
        } while units % step == 0
        return nil
    }

    private static func isNear(_ units: Int64, _ new: Int64, _ old: Int64) -> Bool {
        let exact = Int128(Quantity.unitsPerOne) * Int128(new)
        return (Int128(units) * Int128(old) - exact).magnitude * partsMax.magnitude
            <= exact.magnitude
    }

    /// The candidate below 1 that was rounded or cut to steps of so many units.
    private static func written(_ units: Int64, step: Int64) -> (new: Int64, old: Int64)? {
        for isCut in [false, true] {
            let low = 2 * units - (isCut ? 0 : step)
            let high = 2 * units + (isCut ? 2 * step : step)
            guard low > 0 else { continue }
            if units / step >= 1_000 {
                let fitting = olds(between: low, high)
                // With two that fit, the number does not decide.
                guard fitting.count <= 1 else { return nil }
                if let old = fitting.first, old <= sharesMax { return (1, old) }
            }
            if step <= 100, let found = simple(between: low, high) { return found }
        }
        return nil
    }

    /// The n for which 1:n lies between two numbers of half units.
    private static func olds(between low: Int64, _ high: Int64) -> Range<Int64> {
        let one = 2 * Quantity.unitsPerOne
        let first = (one + high - 1) / high
        return first..<max(first, one / low + 1)
    }

    /// The simplest p:q, q at most `oldMax`, that lies between two numbers of half units.
    private static func simple(between low: Int64, _ high: Int64) -> (new: Int64, old: Int64)? {
        let one = 2 * Quantity.unitsPerOne
        for new in 1..<oldMax {
            let first = (one * new + high - 1) / high
            if first <= oldMax, first == one * new / low { return (new, first) }
        }
        return nil
    }

    /// The ratio as a decimal number of new shares for one old share, rounded half to even to 10^-8. It snaps
    /// to the ratio again.
    public var decimal: Quantity {
        let units = Int128(new) * Int128(Quantity.unitsPerOne)
        return Quantity(units: Int64(clamping: units.dividedHalfToEven(by: Int128(old))))
    }

    /// What a price from before the split is for one new share, rounded half to even to 10^-8; `nil`
    /// beyond `Price.magnitudeMax`.
    public func adjusted(_ price: Price) -> Price? {
        let units = (Int128(price.units) * Int128(old)).dividedHalfToEven(by: Int128(new))
        guard units.magnitude <= UInt128(Price.magnitudeMax.units) else { return nil }
        return Int64(exactly: units).map(Price.init(units:))
    }

    /// What a quantity of old shares is in new ones: whole shares, and what is left of a share.
    ///
    /// - Returns: the whole shares towards zero, with the quantity's sign, and the rest in units of
    ///   `Quantity` times `old`, from which nothing was rounded away; `nil` when the whole shares are
    ///   beyond `Quantity.magnitudeMax`.
    package func exchanged(_ quantity: Quantity) -> (whole: Quantity, remainder: Int128)? {
        let product = Int128(quantity.units) * Int128(new)
        let share = Int128(Quantity.unitsPerOne) * Int128(old)
        let (shares, remainder) = product.quotientAndRemainder(dividingBy: share)
        let units = shares * Int128(Quantity.unitsPerOne)
        guard units.magnitude <= UInt128(Quantity.magnitudeMax.units) else { return nil }
        return (Quantity(units: Int64(units)), remainder)
    }
}
