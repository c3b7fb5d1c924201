import Model
import Primitives
import TWSProtocol

/// Scans of the market: what can be asked for, and what a scan finds.
///
/// Capitalisation, ratings and what bonds have are not known of any contract: those filters keep all.
enum Scanner {
    /// Places that can be scanned and the exchanges they mean; none for all of the United States.
    static let locations: [(code: String, name: String, exchanges: [String])] = [
        ("STK.US", "US Stocks", []), ("STK.US.MAJOR", "Listed/NASDAQ", []),
        ("STK.NYSE", "NYSE", ["NYSE"]), ("STK.NASDAQ", "NASDAQ", ["NASDAQ"]),
        ("STK.ARCA", "ARCA", ["ARCA"]), ("ETF.EQ.US", "US ETFs", []),
        ("ETF.EQ.US.MAJOR", "US ETFs, Listed/NASDAQ", []),
    ]

    /// Kinds of instruments that can be scanned.
    static let instruments: [(type: String, name: String)] = [
        ("STK", "US Stocks"), ("ETF.EQ.US", "US Equity ETFs"),
    ]

    /// Filters by name, besides those that have fields of their own.
    static let filters = [
        "priceAbove", "priceBelow", "volumeAbove", "changePercAbove", "changePercBelow",
    ]

    /// What a request wants ranked.
    ///
    /// - Throws: what of it the scanner does not know.
    static func code(of request: ReqScannerSubscription) throws(ContractRefusal) -> ScanCode {
        guard instruments.contains(where: { $0.type == request.instrument }) else {
            throw .scan("Unknown instrument type \(request.instrument)")
        }
        guard locations.contains(where: { $0.code == request.locationCode }) else {
            throw .scan("Unknown location code \(request.locationCode)")
        }
        guard let code = ScanCode(rawValue: request.scanCode) else {
            throw .scan("Unknown scan code \(request.scanCode)")
        }
        return code
    }

    /// What a scan finds, best first: by its score, then by the listing's order.
    static func find(
        _ scan: Scan, in contracts: GatewayContractDatabase,
        _ reading: (InstrumentID) -> ScanReading
    ) -> [ListedContract] {
        let found = contracts.listed.compactMap {
            listed -> (listed: ListedContract, score: Double)? in
            guard isInLocation(listed, scan.request) else { return nil }
            let reading = reading(listed.id)
            guard passes(reading, scan.request),
                let score = scan.code.score(reading, usualVolume: listed.prospect.dailyVolume)
            else { return nil }
            return (listed, score)
        }
        let ranked = found.sorted { ($0.score, $1.listed.id) > ($1.score, $0.listed.id) }
        let requested = Int(scan.request.numberOfRows)
        let count = requested > 0 ? min(requested, Scan.rowsMax) : Scan.rowsMax
        return ranked.prefix(count).map(\.listed)
    }

    /// The rows of what was found.
    static func rows(_ found: [ListedContract]) -> [ScannerRow] {
        found.enumerated().map { rank, listed in
            var row = ScannerRow()
            row.rank = Int32(rank)
            row.contract = listed.contract
            row.contract.strike = .zero
            row.marketName = listed.marketName
            return row
        }
    }

    private static func isInLocation(
        _ listed: ListedContract, _ request: ReqScannerSubscription
    ) -> Bool {
        guard listed.contract.secType == .stock, listed.contract.currency == "USD",
            let location = locations.first(where: { $0.code == request.locationCode }),
            location.exchanges.isEmpty
                || location.exchanges.contains(listed.contract.primaryExchange)
        else { return false }
        let isFund = listed.stockType == "ETF"
        guard !request.instrument.hasPrefix("ETF") && !request.locationCode.hasPrefix("ETF")
        else { return isFund }
        switch request.stockTypeFilter {
        case "", "ALL": return true
        case "STOCK": return !isFund
        case "CORP": return listed.stockType == "COMMON"
        default: return listed.stockType == request.stockTypeFilter
        }
    }

    private static func passes(_ reading: ScanReading, _ request: ReqScannerSubscription) -> Bool {
        let price = reading.last.map { DecimalValue($0) }
        let volume = DecimalValue(reading.volume)
        guard isWithin(price, from: request.abovePrice, to: request.belowPrice) else {
            return false
        }
        if let least = request.aboveVolume, volume < DecimalValue(least) { return false }
        for option in request.scannerSubscriptionFilterOptions {
            guard let bound = DecimalValue(option.value) else { continue }
            switch option.tag {
            case "priceAbove": guard isWithin(price, from: bound, to: nil) else { return false }
            case "priceBelow": guard isWithin(price, from: nil, to: bound) else { return false }
            case "volumeAbove": guard volume >= bound else { return false }
            case "changePercAbove":
                guard isWithin(reading.change, from: bound, to: nil) else { return false }
            case "changePercBelow":
                guard isWithin(reading.change, from: nil, to: bound) else { return false }
            default: continue
            }
        }
        return true
    }

    /// Whether a number lies within bounds; one that is not known lies within none.
    private static func isWithin(
        _ number: DecimalValue?, from low: DecimalValue?, to high: DecimalValue?
    ) -> Bool {
        guard low != nil || high != nil else { return true }
        guard let number else { return false }
        return low.map { $0 <= number } ?? true && high.map { number <= $0 } ?? true
    }
}

extension ScanReading {
    /// The change since the close before, in percent.
    fileprivate var change: DecimalValue? {
        guard let last, let previousClose, previousClose > .zero else { return nil }
        return DecimalValue((last.number / previousClose.number - 1) * 100)
    }
}

extension ContractRefusal {
    /// A scan is refused.
    static func scan(_ cause: String) -> ContractRefusal {
        ContractRefusal(
            code: 162, text: "Historical Market Data Service error message:\(cause)")
    }
}
