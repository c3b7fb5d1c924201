import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue
import Testing

@testable import Runtime

/// When daily bars are asked for, and shown, message by message.
@Suite struct DailyBarsTests {
    private static let calendar = SessionCalendar.newYork
    /// A Tuesday; the day behind it has a session.
    private static let day = Day(number: 19_787)
    private static var close: Timestamp { calendar.close(on: day) }

    /// Two instruments, in the middle of the day's session, their past read.
    private var reading: DailyBars {
        let instruments = (0..<2).map { InstrumentID(index: $0) }
        let contracts = instruments.map { instrument in
            var contract = Contract.stock("S\(instrument.index)", currency: "USD")
            contract.conId = ContractID(rawValue: instrument.index + 1)
            return TradedContract(instrument, contract)
        }
        var bars = DailyBars(
            SessionBars.Plan(
                instruments: instruments, barSize: .days(1), warmupBars: 1,
                calendar: Self.calendar, outsideRTH: false),
            MarketDataFeed(contracts), cutoff: .minutes(2))
        let start = Self.close - .hours(1)
        connect(&bars, at: start)
        _ = bars.takeEvents(at: start)
        return bars
    }

    /// A connection in which everything asked for is answered.
    private func connect(_ bars: inout DailyBars, at now: Timestamp) {
        for question in bars.take(.resubscribe(.ofNewConnection), at: now).questions {
            answer(question, &bars, at: now)
        }
    }

    /// The gateway's answer to a question: a bar for each of the two newest sessions that are over.
    private func answer(
        _ question: ClientMessage, _ bars: inout DailyBars, close price: Int64 = 100,
        at now: Timestamp
    ) {
        guard case .reqHistoricalData(let request) = question else { return }
        var message = HistoricalData()
        message.reqId = request.reqId
        for day in [Self.day.advanced(by: -1), Self.day] where Self.calendar.close(on: day) <= now {
            var bar = HistoricalBar()
            bar.date = .day(day)
            let value = DecimalValue(Price(cents: price * 100))
            (bar.open, bar.high, bar.low, bar.close) = (value, value, value, value)
            bar.volume = DecimalValue(Quantity(shares: 1_000))
            message.bars.append(bar)
        }
        _ = bars.take(.message(.historicalData(message), leftover: 0), at: now)
        var end = HistoricalDataEnd()
        end.reqId = request.reqId
        _ = bars.take(.message(.historicalDataEnd(end), leftover: 0), at: now)
    }

    private func shown(_ events: [Event.Kind]) -> [InstrumentID] {
        events.compactMap { if case .bar(let bar) = $0 { bar.instrument } else { nil } }
    }

    private func number(of question: ClientMessage) -> RequestID? {
        if case .reqHistoricalData(let request) = question { request.reqId } else { nil }
    }

    private func symbol(of question: ClientMessage) -> String? {
        if case .reqHistoricalData(let request) = question { request.contract.symbol } else { nil }
    }

    private static func nothingIsQueued(_ request: RequestID) -> Bool { false }

    /// L11: an instrument that is never answered is asked for so many times a round, and the others are decided about.
    @Test func whatIsNeverAnsweredHoldsNothingUp() throws {
        var bars = reading
        var questions: [RequestID] = []
        var abandoned: [RequestID] = []
        var decided: (instruments: [InstrumentID], at: Timestamp)?
        var missing: [InstrumentID?] = []
        var now = Self.close
        while now < Self.close + .hours(3), decided == nil {
            now = now + .seconds(10)
            for question in bars.review(at: now, Self.nothingIsQueued) {
                if symbol(of: question) == "S0" {
                    answer(question, &bars, at: now)
                } else {
                    questions.append(try #require(number(of: question)))
                }
            }
            abandoned += bars.takeAbandoned()
            missing += bars.takeReports().filter(\.isPresent).map(\.instrument)
            let instruments = shown(bars.takeEvents(at: now))
            if !instruments.isEmpty { decided = (instruments, now) }
        }
        #expect(decided?.instruments == [InstrumentID(index: 0)])
        #expect(decided.map { $0.at >= Self.close + DailyBars.patience } == true)
        #expect(decided.map { $0.at <= Self.close + DailyBars.patience + .minutes(15) } == true)
        #expect(missing == [InstrumentID(index: 1)])
        // Every one of them is given up, and no round has more than so many.
        #expect(abandoned == questions)
        let roundsMax = 1 + DailyBars.patience.nanoseconds / DailyBars.interval.nanoseconds
        #expect(questions.count <= Int(roundsMax) * WarmupReview.askedMax)
        #expect(questions.count > WarmupReview.askedMax)
    }

    /// Two answers of which the second comes with a new connection, seconds behind the first, confirm nothing.
    @Test func aNewConnectionConfirmsNoBar() {
        var bars = reading
        let first = Self.close + DailyBars.interval
        for question in bars.review(at: first, Self.nothingIsQueued) {
            answer(question, &bars, at: first)
        }
        #expect(shown(bars.takeEvents(at: first)).isEmpty)
        let reconnected = first + .seconds(5)
        connect(&bars, at: reconnected)
        #expect(shown(bars.takeEvents(at: reconnected)).isEmpty)
        // Ten minutes behind that it does.
        let later = reconnected + DailyBars.interval
        for question in bars.review(at: later, Self.nothingIsQueued) {
            answer(question, &bars, at: later)
        }
        #expect(shown(bars.takeEvents(at: later)).count == 2)
    }

    /// A bar that changes between two answers is asked for once more.
    @Test func aBarThatChangesIsNotFinal() {
        var bars = reading
        var now = Self.close
        for price in [100, 101, 101] as [Int64] {
            #expect(shown(bars.takeEvents(at: now)).isEmpty)
            now = now + DailyBars.interval
            let questions = bars.review(at: now, Self.nothingIsQueued)
            #expect(questions.count == 2)
            for question in questions { answer(question, &bars, close: price, at: now) }
        }
        #expect(shown(bars.takeEvents(at: now)).count == 2)
    }
}
