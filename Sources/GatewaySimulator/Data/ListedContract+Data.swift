import MarketSimulation
import Model
import Primitives
import TWSProtocol

extension ListedContract {
    /// What a simulated market makes its prices of.
    var marketListing: MarketListing {
        var listing = MarketListing(
            instrument: instrument, startPrice: prospect.price, volatility: prospect.volatility,
            dailyVolume: prospect.dailyVolume)
        listing.reversion = prospect.reversion
        // The contracts of all months move alike.
        if case .future = instrument.assetClass { listing.family = "\(contract.symbol) future" }
        return listing
    }

    /// Whether there is an order book of it at an exchange: stocks have a gathered one at `SMART`, all but
    /// indices and options one at each of their exchanges.
    func hasOrderBook(by exchange: String, isSmart asksSmart: Bool) -> Bool {
        switch contract.secType {
        case .stock where exchange == "SMART": asksSmart && isSmart
        case .index, .option: false
        default: !asksSmart || contract.secType == .stock
        }
    }

    /// Where it is listed and what it is, as refusals name it.
    var listingAndKind: String {
        let exchange =
            contract.primaryExchange.isEmpty ? contract.exchange : contract.primaryExchange
        return "\(exchange) \(contract.secType.word)"
    }

    /// Shares that can be borrowed: as many as are traded in a tenth of a usual day.
    var shortableShares: Int64 { max(0, prospect.dailyVolume / 10) }

    /// Whether there are data of a kind: indices have no quotes, currencies no trades.
    func hasData(_ kind: BarKind) -> Bool {
        switch contract.secType {
        case .index: kind == .trades
        case .forex: kind != .trades
        default: true
        }
    }

    /// Whether there are ticks of a kind.
    func hasData(_ kind: TickByTickKind) -> Bool {
        switch kind {
        case .last, .allLast: hasData(BarKind.trades)
        case .bidAsk, .midPoint: hasData(BarKind.midpoint)
        case .unknown: false
        }
    }

    /// Whether there is history of a kind.
    func hasData(_ kind: WhatToShow) -> Bool { BarKind(kind).map { hasData($0) } ?? false }
}

extension BarKind {
    /// What bars of a word of the wire are made of; `nil` where the market has no such data.
    init?(_ whatToShow: WhatToShow) {
        switch whatToShow {
        case .trades: self = .trades
        case .midpoint: self = .midpoint
        case .bid: self = .bid
        case .ask: self = .ask
        case .bidAsk: self = .bidAsk
        case .adjustedLast, .historicalVolatility, .optionImpliedVolatility, .feeRate, .yieldBid,
            .yieldAsk, .yieldBidAsk, .yieldLast, .schedule, .aggregatedTrades, .unknown:
            return nil
        }
    }
}

extension BarStep {
    /// The step of bars of a length; `nil` for one that is not known.
    init?(_ size: WireBarSize) {
        switch size {
        case .oneDay: self = .day
        case .oneWeek: self = .week
        case .oneMonth: self = .month
        default:
            guard let seconds = size.seconds else { return nil }
            self = .seconds(seconds)
        }
    }
}

extension BarStep {
    /// Whether bars consist of whole trading days.
    var isWholeDays: Bool {
        switch self {
        case .day, .week, .month: true
        case .seconds: false
        }
    }
}

extension MarketSnapshot {
    /// What a position is valued at: the last price, moved into the quote where it lies outside.
    var mark: Price? {
        guard let last else { return middle }
        if let bid, last < bid { return bid }
        if let ask, last > ask { return ask }
        return last
    }

    /// The middle of the quote, rounded down; `nil` without one.
    var middle: Price? {
        guard let bid, let ask, bid <= ask else { return nil }
        let (width, isTooWide) = ask.units.subtractingReportingOverflow(bid.units)
        return isTooWide ? nil : Price(units: bid.units + width / 2)
    }

    /// The price that bars of a kind would end with now.
    func price(of kind: BarKind) -> Price? {
        switch kind {
        case .trades: last
        case .midpoint, .bidAsk: middle
        case .bid: bid
        case .ask: ask
        }
    }
}
