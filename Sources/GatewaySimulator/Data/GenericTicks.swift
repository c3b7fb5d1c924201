import TWSProtocol

/// The further ticks that a subscription wants, beside the usual ones.
struct GenericTicks: Hashable, Sendable {
    /// Whether the usual ticks come too.
    let hasUsual: Bool
    private let numbers: Set<Int32>

    /// Why a list is refused.
    struct Refusal: Error, Hashable {
        /// The gateway's message.
        let text: String
    }

    /// Reads a request's list: numbers and `mdoff`, joined by commas. A number may name its sources
    /// behind a colon, as news do.
    init(_ list: String, for kind: SecurityType) throws(Refusal) {
        var numbers: Set<Int32> = []
        var hasUsual = true
        for item in list.split(separator: ",") {
            let word = item.filter { $0 != " " }
            if word == "mdoff" {
                hasUsual = false
                continue
            }
            let digits = word.prefix { $0 != ":" }
            guard let number = Int32(digits), Self.isLegal(number, for: kind) else {
                throw Refusal(text: Self.advice(list, kind))
            }
            numbers.insert(number)
        }
        self.hasUsual = hasUsual
        self.numbers = numbers
    }

    /// Whether any of some numbers is wanted.
    func includes(_ any: Int32...) -> Bool { any.contains { numbers.contains($0) } }

    /// Whether none is wanted.
    var isEmpty: Bool { numbers.isEmpty }

    private static func isLegal(_ number: Int32, for kind: SecurityType) -> Bool {
        known.contains { $0.numbers.contains(number) && serves($0, kind) }
    }

    private static func serves(_ entry: Entry, _ kind: SecurityType) -> Bool {
        entry.kinds.isEmpty || entry.kinds.contains(kind)
    }

    private static func advice(_ list: String, _ kind: SecurityType) -> String {
        let legal = known.filter { serves($0, kind) }.map { entry in
            entry.numbers.map(String.init).joined(separator: "/") + "(\(entry.name))"
        }
        return "Error validating request.-'bW' : cause - Incorrect generic tick list of \(list).  "
            + "Legal ones for (\(kind.word)) are: \(legal.joined(separator: ","))"
    }

    private typealias Entry = (numbers: [Int32], name: String, kinds: [SecurityType])

    /// The numbers a gateway takes, and for which kinds of contract; for all where none is named.
    private static let known: [Entry] = [
        ([100], "Option Volume", [.stock, .index]),
        ([101], "Option Open Interest", [.stock, .index]),
        ([104], "Historical Volatility", [.stock, .index]),
        ([105], "Average Opt Volume", [.stock, .index]),
        ([106], "impvolat", [.stock, .index]),
        ([162], "Index Future Premium", [.index]),
        ([165], "Misc. Stats", []),
        ([221, 220], "Creditman Mark Price", []),
        ([225], "Auction", [.stock, .option, .future, .futureOption]),
        ([232, 221], "Pl Price", []),
        ([233], "RTVolume", []),
        ([236], "inventory", [.stock]),
        ([292], "Wide_news", []),
        ([293], "TradeCount", []),
        ([294], "TradeRate", []),
        ([295], "VolumeRate", []),
        ([318], "LastRTHTrade", []),
        ([375], "RTTrdVolume", []),
        ([411], "rthistvol", [.stock, .index]),
        ([456, 59], "IBDividends", [.stock, .index]),
        ([460], "Bond Factor Multiplier", []),
        ([576], "EtfNavBidAsk(navbidask)", [.stock]),
        ([577], "EtfNavLast(navlast)", [.stock]),
        ([578], "EtfNavClose(navclose)", [.stock]),
        ([586], "IPOHLMPRC", [.stock]),
        ([587], "Pl Price Delayed", []),
        ([588], "Futures Open Interest", []),
        ([595], "Short-Term Volume X Mins", []),
        ([614], "EtfNavMisc(high/low)", [.stock]),
        ([619], "Creditman Slow Mark Price", []),
        ([623], "EtfFrozenNavLast(fznavlast)", [.stock]),
    ]
}
