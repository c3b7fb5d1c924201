import Model
package import Primitives

/// What an option is worth and why.
package struct OptionView: Hashable, Sendable {
    /// The underlying's price: the middle of its quote, or its last.
    package let underlying: Price
    /// Value and derivatives with the market's fixed volatility.
    package let greeks: BlackScholes.Greeks
    /// That volatility.
    package let volatility: Double
    /// The volatility at which the option is worth its bid; `nil` where none does.
    package let bidVolatility: Double?
    /// The volatility at which the option is worth its ask.
    package let askVolatility: Double?
    /// The volatility at which the option is worth its last trade's price.
    package let lastVolatility: Double?
    /// The option's terms and market, for what else is to be known.
    package let model: BlackScholes
}

/// Options.
extension SimulatedMarket {
    /// An option's present worth; `nil` for what is no option and while its underlying has no price.
    package mutating func optionView(of id: InstrumentID) -> OptionView? {
        guard let index = index(of: id), let option = prices[index].option else { return nil }
        let under = snapshot(of: listings[option.underlying].instrument.id)
        guard let price = middle(under) ?? under.last, price > .zero else { return nil }
        let model = option.model(at: now, underlying: Self.number(price))
        let own = snapshot(of: id)
        func volatility(_ price: Price?) -> Double? {
            price.flatMap { model.impliedVolatility(at: Self.number($0)) }
        }
        return OptionView(
            underlying: price, greeks: model.greeks, volatility: option.volatility,
            bidVolatility: volatility(own.bid), askVolatility: volatility(own.ask),
            lastVolatility: volatility(own.last), model: model)
    }

    private func middle(_ snapshot: MarketSnapshot) -> Price? {
        guard let bid = snapshot.bid, let ask = snapshot.ask, bid <= ask else { return nil }
        return Price(units: Int64((Int128(bid.units) + Int128(ask.units)) / 2))
    }

    private static func number(_ price: Price) -> Double {
        Double(price.units) / Double(Price.unitsPerOne)
    }
}
