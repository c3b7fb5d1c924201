import MarketSimulation
import MarketState
import Model
import Primitives
import TWSProtocol

/// Options reckoned for clients.
extension Gateway {
    /// The yearly interest options are reckoned with.
    static let interestRate = 0.04

    /// Answers which volatility gives an option a price.
    func calculate(_ request: CalculateImpliedVolatility, for client: Client) {
        let refusal = ContractRefusal(
            code: 2114,
            text: "Calculation of Implied Volatility supported for option securities only")
        reckon(request.contract, request.reqId, client, orRefuse: refusal) { option in
            option.underlying = Double(request.underPrice)
            let price = Double(request.optionPrice)
            guard let volatility = option.impliedVolatility(at: price) else { return false }
            option.volatility = volatility
            return true
        }
    }

    /// Answers which price a volatility gives an option.
    func calculate(_ request: CalculateOptionPrice, for client: Client) {
        let refusal = ContractRefusal(
            code: 2116, text: "Calculation of Option Price supported for option securities only")
        reckon(request.contract, request.reqId, client, orRefuse: refusal) { option in
            option.underlying = Double(request.underPrice)
            option.volatility = Double(request.volatility)
            return option.volatility > 0
        }
    }

    /// Sends what `complete` makes of an option's terms; where it says no, nothing was computed.
    private func reckon(
        _ contract: Contract, _ id: RequestID, _ client: Client,
        orRefuse refusal: ContractRefusal, complete: (inout BlackScholes) -> Bool
    ) {
        do throws(ContractRefusal) {
            let listed = try contracts.resolve(contract)
            guard case .option(let terms) = listed.instrument.assetClass else { throw refusal }
            var option = BlackScholes(
                underlying: 0, strike: terms.strike.number, years: years(until: terms.expiry),
                volatility: 0, rate: Self.interestRate, right: terms.right)
            let isComputed = complete(&option)
            var message = TickOptionComputation()
            message.reqId = id
            message.tickType = .customOptionComputation
            // Not by returns but by prices.
            message.tickAttrib = 1
            message.undPrice = DecimalValue(option.underlying)
            let greeks = isComputed ? option.greeks : nil
            if let greeks, greeks.value.isFinite {
                message.impliedVol = DecimalValue(option.volatility)
                message.optPrice = DecimalValue(greeks.value)
                message.pvDividend = .zero
                message.delta = DecimalValue(greeks.delta)
                message.gamma = DecimalValue(greeks.gamma)
                message.vega = DecimalValue(greeks.vega)
                message.theta = DecimalValue(greeks.theta)
            }
            answers.send(.tickOptionComputation(message), to: client.connection)
        } catch { refuse(error, about: id, to: client) }
    }

    /// The years that are left of an option.
    private func years(until expiry: Day) -> Double {
        let remaining = settings.calendar.close(on: expiry) - now
        return max(0, Double(remaining.nanoseconds) / (365 * 86_400e9))
    }
}

extension Price {
    /// The price in units of the currency, as near as a `Double` can be.
    var number: Double { Double(units) / Double(Self.unitsPerOne) }
}
