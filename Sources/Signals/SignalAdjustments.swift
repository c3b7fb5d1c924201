package import Model
package import Primitives

/// Factors from prices as traded to the prices that strategies see, by instrument.
///
/// A factor is 1 at first and changes forward only, on ex-days: a series of past prices stays as it was
/// shown, and no price of the future is needed.
@usableFromInline
package struct SignalAdjustments: ~Copyable {
    /// Whether all factors are 1.
    @usableFromInline package internal(set) var areNone = true
    private var factors: FixedArray<Factors>

    /// Not private: other modules destroy the adjustments and need its description for that.
    struct Factors: BitwiseCopyable {
        /// What a price is multiplied by: grows with splits and dividends.
        var price = 1.0
        /// What a volume is divided by: new shares for one old share.
        var shares = 1.0
    }

    /// No action known yet of that many instruments.
    package init(instrumentCount: Int) {
        factors = FixedArray(repeating: Factors(), count: instrumentCount)
    }

    /// Takes in an action.
    ///
    /// - Parameter close: the last price before the ex-day; without one, a dividend changes nothing.
    package mutating func record(_ action: CorporateAction, close: Price?) {
        switch action.kind {
        case .split(let ratio):
            let factor = Double(ratio.new) / Double(ratio.old)
            factors[action.instrument].price *= factor
            factors[action.instrument].shares *= factor
        case .dividend(let perShare):
            // What is paid out is no loss: the price before it counts as that much lower.
            guard let close, close > perShare, perShare > .zero else { return }
            factors[action.instrument].price *=
                Double(close.units) / Double(close.units - perShare.units)
        }
        areNone = false
    }

    /// A bar as strategies see it.
    package func signal(_ bar: Bar) -> Bar {
        let factors = factors[bar.instrument]
        guard factors.price != 1 || factors.shares != 1 else { return bar }
        return Bar(
            instrument: bar.instrument, start: bar.start, barSize: bar.barSize,
            open: bar.open.scaled(by: factors.price), high: bar.high.scaled(by: factors.price),
            low: bar.low.scaled(by: factors.price), close: bar.close.scaled(by: factors.price),
            volume: bar.volume.divided(by: factors.shares))
    }

    /// A price that a strategy has named, as it is traded.
    package func traded(_ price: Price, of instrument: InstrumentID) -> Price {
        price.scaled(by: 1 / factors[instrument].price)
    }

    /// Takes the factors into a digest.
    package func hash(into hasher: inout StateHasher) {
        for index in 0..<factors.count where !areNone {
            hasher.combine(factors[index].price)
            hasher.combine(factors[index].shares)
        }
    }
}

extension Price {
    /// Rounded to the nearest unit and to what edges accept.
    fileprivate func scaled(by factor: Double) -> Price {
        let scaled = (Double(units) * factor).rounded(.toNearestOrEven)
        let most = Double(Price.magnitudeMax.units)
        return Price(units: Int64(min(max(scaled, -most), most)))
    }
}

extension Quantity {
    /// Rounded to the nearest unit and to what edges accept.
    fileprivate func divided(by factor: Double) -> Quantity {
        let divided = (Double(units) / factor).rounded(.toNearestOrEven)
        let most = Double(Quantity.magnitudeMax.units)
        return Quantity(units: Int64(min(max(divided, -most), most)))
    }
}

/// The factors as records: the topic `adjustment`.
extension SignalAdjustments {
    /// Writes the factors that are not 1. Those of the first instrument say in any case that something was taken
    /// in.
    package func write(to writer: inout RecordWriter) {
        for index in 0..<factors.count where !areNone {
            let factors = factors[index]
            guard index == 0 || factors.price != 1 || factors.shares != 1 else { continue }
            writer.item(.adjustment) { writer in
                writer.write(InstrumentID(index: index))
                writer.write(factors.price)
                writer.write(factors.shares)
            }
        }
    }

    /// Takes in the factors of one instrument. Throws unless they are such that prices can be computed with.
    package mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        guard reader.topic == .adjustment else { throw reader.damage }
        let instrument = try reader.instrument()
        let price = try reader.double()
        let shares = try reader.double()
        try reader.finish()
        let sound = 1e-100...1e100
        guard Int(instrument.index) < factors.count, sound.contains(price), sound.contains(shares)
        else { throw reader.damage }
        factors[instrument] = Factors(price: price, shares: shares)
        areNone = false
    }
}
