import Primitives
import TWSProtocol

/// What orders are built with in tests.
enum Drafts {
    /// 2026-11-23 at 15:00:00 UTC.
    static let monday = Timestamp(
        day: Day(year: 2026, month: 11, day: 23) ?? Day(number: 0),
        sinceMidnight: .hours(15))

    static func owner() throws -> OrderOwner {
        try OrderOwner(account: "DU1234567", reference: "momentum/17")
    }

    static func buy(_ quantity: DecimalValue = 100) throws -> WireOrderTicket {
        try WireOrderTicket(.buy, quantity, for: owner())
    }

    static func sell(_ quantity: DecimalValue = 100) throws -> WireOrderTicket {
        try WireOrderTicket(.sell, quantity, for: owner())
    }

    /// A stock with steps of a cent above a dollar and of a hundredth of it below.
    static func stock(exchange: String = "SMART") throws -> TradableContract {
        var low = PriceIncrement()
        low.increment = 0.0001
        var high = PriceIncrement()
        high.lowEdge = 1
        high.increment = 0.01
        return try TradableContract(
            .stock("AAPL", exchange: exchange), on: PriceLadder([low, high]))
    }

    /// The refusal of what `build` does; `nil` when it succeeds.
    static func refusal<T>(_ build: () throws -> T) -> OrderRefusal? {
        do {
            _ = try build()
            return nil
        } catch { return error as? OrderRefusal }
    }
}
