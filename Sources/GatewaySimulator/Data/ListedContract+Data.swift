import Model
import Primitives
import TWSProtocol

/// An exchange that quotes US stocks, and its letter on the tape.
struct QuoteVenue: Hashable, Sendable {
    /// Its name at the broker.
    let name: String
    /// Its letter, by the participant codes of the consolidated tape (CTA plan).
    let letter: String

    /// Those with books, in the order of their letters.
    static let all: [QuoteVenue] = [
        QuoteVenue(name: "AMEX", letter: "A"), QuoteVenue(name: "BEX", letter: "B"),
        QuoteVenue(name: "NYSENAT", letter: "C"), QuoteVenue(name: "EDGEA", letter: "J"),
        QuoteVenue(name: "DRCTEDGE", letter: "K"), QuoteVenue(name: "CHX", letter: "M"),
        QuoteVenue(name: "NYSE", letter: "N"), QuoteVenue(name: "ARCA", letter: "P"),
        QuoteVenue(name: "NASDAQ", letter: "Q"), QuoteVenue(name: "MEMX", letter: "U"),
        QuoteVenue(name: "IEX", letter: "V"), QuoteVenue(name: "PSX", letter: "X"),
        QuoteVenue(name: "BYX", letter: "Y"), QuoteVenue(name: "BATS", letter: "Z"),
    ]
}

extension ListedContract {
    /// What a simulated market makes its prices of.
    var marketListing: MarketListing {
        MarketListing(
            instrument: instrument, startPrice: prospect.price, volatility: prospect.volatility,
            dailyVolume: prospect.dailyVolume)
    }

    /// The exchanges that quote it, with their letters; none where there is one exchange only.
    var quoteVenues: [QuoteVenue] {
        isSmart ? QuoteVenue.all.filter { exchanges.contains($0.name) } : []
    }

    /// The code by which clients ask for `quoteVenues`; empty where there are none. Stocks listed on one
    /// exchange share it.
    var bboExchange: String {
        guard contract.secType == .stock, isSmart else { return "" }
        switch contract.primaryExchange {
        case "NASDAQ": return "9c0001"
        case "NYSE": return "a60001"
        case "ARCA": return "c70001"
        case "BATS": return "f30001"
        default: return "b10001"
        }
    }

    /// The letter of the exchange that has a price. Which one it is follows from the price.
    func letter(at price: Price?) -> String {
        guard let price, let venue = quoteVenue(at: price) else { return "" }
        return venue.letter
    }

    /// The name of the exchange that has a price.
    func venue(at price: Price) -> String {
        quoteVenue(at: price)?.name ?? exchanges.first ?? contract.exchange
    }

    private func quoteVenue(at price: Price) -> QuoteVenue? {
        let venues = quoteVenues
        guard !venues.isEmpty else { return nil }
        var generator = SeededGenerator(seed: UInt64(bitPattern: price.units))
        return venues[Int(generator.next() % UInt64(venues.count))]
    }

    /// The exchanges whose books are gathered.
    var bookExchanges: [String] {
        contract.secType == .stock ? quoteVenues.map(\.name) : []
    }

    /// Whether there is an order book of it at an exchange: stocks have a gathered one at `SMART`, all but
    /// indices and options one at each of their exchanges.
    func hasBook(by exchange: String, isSmart asksSmart: Bool) -> Bool {
        switch contract.secType {
        case .stock where exchange == "SMART": asksSmart && !quoteVenues.isEmpty
        case .index, .option: false
        default: !asksSmart || contract.secType == .stock
        }
    }

    /// Where it is listed and what it is, as refusals name it.
    var placeAndKind: String {
        let place = contract.primaryExchange.isEmpty ? contract.exchange : contract.primaryExchange
        return "\(place) \(contract.secType.word)"
    }

    /// Shares that can be borrowed: as many as are traded in a tenth of a usual day.
    var shortableShares: Int64 { max(0, prospect.dailyVolume / 10) }

    /// Whether there are data of a kind: indices have no quotes, currencies no trades.
    func tells(_ kind: BarKind) -> Bool {
        switch contract.secType {
        case .index: kind == .trades
        case .forex: kind != .trades
        default: true
        }
    }

    /// Whether there are ticks of a kind.
    func tells(_ kind: TickByTickKind) -> Bool {
        switch kind {
        case .last, .allLast: tells(BarKind.trades)
        case .bidAsk, .midPoint: tells(BarKind.midpoint)
        case .unknown: false
        }
    }

    /// Whether there is history of a kind.
    func tells(_ kind: WhatToShow) -> Bool { BarKind(kind).map { tells($0) } ?? false }
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
    init?(_ size: BarSize) {
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
