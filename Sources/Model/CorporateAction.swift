public import Primitives

/// Something a company does to its shares that changes what a holder has, without a trade.
///
/// It bears on what was held when the exchange closed before `exDay`, in New York's calendar. When two
/// fall on one day, the split goes first: the day's dividend is told per new share.
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
    /// Old shares they are for; 1 to `oldMax`.
    public let old: Int64

    /// The most old shares a ratio is looked for with.
    public static var oldMax: Int64 { 50 }
    /// How far a source's decimal number may be from the ratio, in steps of 10^-8: 5·10^-7.
    private static var distanceMax: Int128 { 50 }

    /// The ratio a source means by a decimal number of new shares for one old share: the one with the
    /// fewest old shares, at most `oldMax`, that is within 5·10^-7 of it. So 0.166667 is 1 for 6.
    ///
    /// - Returns: `nil` when there is none, which mostly tells a spin-off written as a split, and when
    ///   nothing is split.
    public init?(snapping ratio: Quantity) {
        let whole = Int128(Quantity.unitsPerOne)
        for old in 1...Self.oldMax {
            let scaled = Int128(ratio.units) * Int128(old)
            let new = scaled.dividedHalfToEven(by: whole)
            guard (new * whole - scaled).magnitude <= (Self.distanceMax * Int128(old)).magnitude
            else { continue }
            guard new > 0, new != Int128(old), let fitting = Int64(exactly: new) else { return nil }
            // A smaller number of old shares would have been found before: these are lowest terms.
            self.new = fitting
            self.old = old
            return
        }
        return nil
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
    package func exchanged(_ quantity: Quantity) -> (whole: Quantity, rest: Int128)? {
        let product = Int128(quantity.units) * Int128(new)
        let share = Int128(Quantity.unitsPerOne) * Int128(old)
        let (shares, rest) = product.quotientAndRemainder(dividingBy: share)
        let units = shares * Int128(Quantity.unitsPerOne)
        guard units.magnitude <= UInt128(Quantity.magnitudeMax.units) else { return nil }
        return (Quantity(units: Int64(units)), rest)
    }
}
