import Model
import Primitives
import Testing

@testable import MarketSimulation

/// Option values, against numbers from J. Hull, "Options, Futures, and Other Derivatives".
@Suite struct BlackScholesTests {
    private static func option(_ right: OptionTerms.Right) -> BlackScholes {
        BlackScholes(
            underlying: 49, strike: 50, years: 0.3846, volatility: 0.2, rate: 0.05, right: right)
    }

    private static func isNear(_ value: Double?, _ expected: Double, _ error: Double) -> Bool {
        value.map { ($0 - expected).magnitude <= error } ?? false
    }

    /// Example 15.6.
    @Test func valuesAreTheTextbooks() {
        var option = BlackScholes(
            underlying: 42, strike: 40, years: 0.5, volatility: 0.2, rate: 0.1, right: .call)
        #expect(Self.isNear(option.value, 4.76, 0.005))
        option.right = .put
        #expect(Self.isNear(option.value, 0.81, 0.005))
    }

    /// Chapter 19: delta 0.522, gamma 0.066, vega 12.1 for the whole volatility, theta -4.31 a year.
    @Test func greeksAreTheTextbooks() {
        let greeks = Self.option(.call).greeks
        #expect(Self.isNear(greeks.value, 2.40, 0.005))
        #expect(Self.isNear(greeks.delta, 0.522, 0.0005))
        #expect(Self.isNear(greeks.gamma, 0.066, 0.0005))
        #expect(Self.isNear(greeks.vega, 0.121, 0.0005))
        #expect(Self.isNear(greeks.theta * 365, -4.31, 0.005))
    }

    /// C - P = S - K e^(-rT), whatever the rest.
    @Test(arguments: [10, 49, 50, 51, 400] as [Double], [0, 0.01, 0.3846, 3] as [Double])
    func callsAndPutsKeepParity(underlying: Double, years: Double) {
        var (call, put) = (Self.option(.call), Self.option(.put))
        (call.underlying, put.underlying) = (underlying, underlying)
        (call.years, put.years) = (years, years)
        let forward = underlying - 50 * Natural.exp(-0.05 * years)
        #expect(Self.isNear(call.value - put.value, forward, 1e-9))
        #expect(Self.isNear(call.greeks.delta - put.greeks.delta, 1, 1e-12) || years == 0)
    }

    @Test func greeksAreTheValuesSlopes() {
        for right in [OptionTerms.Right.call, .put] {
            let option = Self.option(right)
            func slope(_ step: Double, _ change: (inout BlackScholes, Double) -> Void) -> Double {
                var (up, down) = (option, option)
                change(&up, step)
                change(&down, -step)
                return (up.value - down.value) / (2 * step)
            }
            let greeks = option.greeks
            #expect(Self.isNear(slope(1e-4) { $0.underlying += $1 }, greeks.delta, 1e-7))
            #expect(Self.isNear(slope(1e-5) { $0.volatility += $1 } / 100, greeks.vega, 1e-7))
            #expect(Self.isNear(-slope(1e-5) { $0.years += $1 } / 365, greeks.theta, 1e-7))
        }
    }

    @Test func theVolatilityOfAValueIsFoundAgain() {
        for volatility in [0.05, 0.2, 0.8, 3] {
            var option = Self.option(.put)
            option.volatility = volatility
            let found = option.impliedVolatility(at: option.value)
            #expect(Self.isNear(found, volatility, 1e-6))
        }
        #expect(Self.option(.call).impliedVolatility(at: -1) == nil)
        #expect(Self.option(.call).impliedVolatility(at: 60) == nil)
        #expect(Self.option(.call).impliedVolatility(at: .nan) == nil)
    }

    @Test func theEndIsWhatExercisingPays() {
        var option = Self.option(.put)
        option.years = 0
        #expect(option.value == 1)
        #expect(option.greeks.delta == -1)
        option.underlying = .nan
        #expect(option.value.isNaN)
    }

    /// Tables of the normal distribution.
    @Test func theNormalDistributionIsTheTables() {
        #expect(Self.isNear(Normal.below(0), 0.5, 1e-15))
        #expect(Self.isNear(Normal.below(1.96), 0.975_002_104_851_779_5, 1e-14))
        #expect(Self.isNear(Normal.below(-3), 0.001_349_898_031_630_094_5, 1e-15))
        #expect(Self.isNear(Normal.below(8), 1, 1e-15))
        #expect(Normal.below(-40) == 0 && Normal.below(40) == 1 && Normal.below(.nan).isNaN)
    }

    @Test func optionsFollowTheirUnderlying() throws {
        var market = MarketFixture.market(MarketFixture.at("2024-03-05", 12))
        let views = (
            market.optionView(of: MarketFixture.call), market.optionView(of: MarketFixture.put)
        )
        let (call, put) = (try #require(views.0), try #require(views.1))
        #expect(call.underlying == put.underlying)
        #expect(Self.isNear(call.greeks.delta - put.greeks.delta, 1, 1e-12))
        let shown = market.snapshot(of: MarketFixture.call)
        let value = call.greeks.value
        let bid = Double(try #require(shown.bid).units) / 1e8
        let ask = Double(try #require(shown.ask).units) / 1e8
        // A minute's path begins from the underlying's minute: the quote is a spread away at most.
        #expect(bid - (ask - bid) < value && value < ask + (ask - bid))
        #expect(Self.isNear(call.bidVolatility, call.volatility, 0.05))
        #expect(market.optionView(of: MarketFixture.a) == nil)
        // On the evening of its last day it is gone.
        market = MarketFixture.market(MarketFixture.at("2024-06-21", 15, 59))
        market.follow(MarketFixture.call)
        #expect(!market.events(to: MarketFixture.at("2024-06-21", 16)).isEmpty)
        #expect(market.events(to: MarketFixture.at("2024-06-25", 12)).isEmpty)
    }
}
