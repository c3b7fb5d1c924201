package import Primitives
import TWSProtocol

/// A subscription to a scan of the market.
struct Scan: Sendable {
    /// Who subscribed.
    let client: Client
    /// What for.
    let request: ReqScannerSubscription
    /// What it ranks by.
    let code: ScanCode
    /// When its rows are looked at next.
    var due: Timestamp
    /// The contracts that were published last, best first; `nil` before the first time.
    var published: [ContractID]?

    /// How often gateways look for new rows.
    static let pause = Duration.seconds(30)
    /// Scans of one client at most.
    static let scansMax = 10
    /// Rows of a scan at most.
    static let rowsMax = 50
}

/// What the market shows of a contract, as scans rank it. What is not known leaves a contract out of the scans
/// that need it.
package struct ScanReading: Hashable, Sendable {
    /// The price of the last trade.
    package var last: Price?
    /// The first price of the day's regular hours.
    package var open: Price?
    /// The last price of the regular hours of the session before.
    package var previousClose: Price?
    /// What was traded on the day so far.
    package var volume = Quantity.zero
    /// How many trades the day has had.
    package var tradeCount: Int64 = 0

    /// Nothing known.
    package init() {}
}

/// What scans rank by.
enum ScanCode: String, CaseIterable, Sendable {
    /// The largest gain since the close before.
    case gain = "TOP_PERC_GAIN"
    /// The largest loss since the close before.
    case loss = "TOP_PERC_LOSE"
    /// The largest gain since the open.
    case gainSinceOpen = "TOP_OPEN_PERC_GAIN"
    /// The largest loss since the open.
    case lossSinceOpen = "TOP_OPEN_PERC_LOSE"
    /// The highest open, against the close before.
    case gapUp = "HIGH_OPEN_GAP"
    /// The lowest open, against the close before.
    case gapDown = "LOW_OPEN_GAP"
    /// The largest volume.
    case volume = "MOST_ACTIVE"
    /// The largest turnover in dollars.
    case turnover = "MOST_ACTIVE_USD"
    /// The largest volume, against a usual day's.
    case unusualVolume = "HOT_BY_VOLUME"
    /// The most trades.
    case trades = "TOP_TRADE_COUNT"

    /// The name people know it under.
    var name: String {
        switch self {
        case .gain: "Top % Gainers"
        case .loss: "Top % Losers"
        case .gainSinceOpen: "Top % Gainers Since Open"
        case .lossSinceOpen: "Top % Losers Since Open"
        case .gapUp: "Top Close-to-Open % Gainers"
        case .gapDown: "Top Close-to-Open % Losers"
        case .volume: "Most Active"
        case .turnover: "Most Active ($)"
        case .unusualVolume: "Hot by Volume"
        case .trades: "Top Trade Count"
        }
    }

    /// The higher, the better; `nil` where the reading does not show it, or nothing happened.
    func score(_ reading: ScanReading, usualVolume: Int64) -> Double? {
        switch self {
        case .gain: change(from: reading.previousClose, to: reading.last)
        case .loss: change(from: reading.previousClose, to: reading.last).map { -$0 }
        case .gainSinceOpen: change(from: reading.open, to: reading.last)
        case .lossSinceOpen: change(from: reading.open, to: reading.last).map { -$0 }
        case .gapUp: change(from: reading.previousClose, to: reading.open)
        case .gapDown: change(from: reading.previousClose, to: reading.open).map { -$0 }
        case .volume: positive(reading.volume.number)
        case .turnover: reading.last.flatMap { positive($0.number * reading.volume.number) }
        case .unusualVolume:
            usualVolume > 0 ? positive(reading.volume.number / Double(usualVolume)) : nil
        case .trades: positive(Double(reading.tradeCount))
        }
    }

    private func change(from: Price?, to: Price?) -> Double? {
        guard let from, let to, from > .zero else { return nil }
        return to.number / from.number - 1
    }

    private func positive(_ number: Double) -> Double? { number > 0 ? number : nil }
}

extension Quantity {
    /// The quantity, as near as a `Double` can be.
    fileprivate var number: Double { Double(units) / Double(Self.unitsPerOne) }
}
