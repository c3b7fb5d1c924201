import Model
import Primitives
import TestSupport

/// Days, sums and executions as these tests write them.
enum On {
    /// A day as text.
    static func day(_ text: String) -> Day {
        guard let day = Day(text) else { preconditionFailure("'\(text)' is no day") }
        return day
    }

    /// Noon in New York.
    static func noon(_ day: String) -> Timestamp {
        NewYork.timestamp(on: On.day(day), at: .hours(12))
    }

    /// Whole shares at noon of a day.
    static func execution(
        _ base: Int64, _ side: Side, _ shares: Int64, at price: String, on day: String
    ) throws -> Execution {
        Execution(
            id: ExecutionID(base: base), instrument: InstrumentID(index: 0), side: side,
            quantity: Quantity(shares: shares), price: try Price(price), time: noon(day))
    }

    /// A split of the first instrument.
    static func split(_ ratio: String, exDay: String) throws -> CorporateAction {
        guard let split = SplitRatio(snapping: try Quantity(ratio)) else {
            preconditionFailure("'\(ratio)' is no split")
        }
        return CorporateAction(
            instrument: InstrumentID(index: 0), exDay: day(exDay), kind: .split(split))
    }

    /// A dividend of the first instrument.
    static func dividend(_ perShare: String, exDay: String) throws -> CorporateAction {
        CorporateAction(
            instrument: InstrumentID(index: 0), exDay: day(exDay),
            kind: .dividend(perShare: try Price(perShare)))
    }

    /// An exact amount as text.
    static func dollars(_ text: String) throws -> ExactMoney { ExactMoney(try Money(text)) }
}
