package import MarketState
package import Primitives

/// Something that works orders and can be held to the cases.
package protocol ConformanceVenue {
    /// An order is placed at a time, under its number.
    func place(_ order: ConformanceOrder, as number: Int, at time: Timestamp)
    /// An order's terms become others.
    func modify(_ number: Int, to order: ConformanceOrder, at time: Timestamp)
    /// An order is cancelled.
    func cancel(_ number: Int, at time: Timestamp)
    /// The market trades through a minute.
    func trade(_ minute: ConformanceMinute)
    /// Nothing trades until a time.
    func pass(to time: Timestamp)
    /// What has followed since the last time.
    func takeOutcomes() -> [ConformanceCase.Outcome]
}

/// A minute in which the market trades.
package struct ConformanceMinute: Sendable {
    /// When it begins.
    package let start: Timestamp
    /// The price at its beginning, and at its end; nothing but what lies between is traded.
    package let from: Price
    package let to: Price
    /// How much may be had.
    package let size: Quantity
    /// Whether the session opens with it.
    package var isFirst = false
    /// Whether the session closes at its end.
    package var isLast = false

    /// Its end.
    package var end: Timestamp { start + .minutes(1) }
}

/// When a case's steps happen: in order, from twenty minutes before the close of a session to the next one.
package struct ConformanceSchedule: Sendable {
    /// The steps with their times; those in which the market trades with their minutes.
    package private(set) var steps:
        [(step: ConformanceCase.Step, time: Timestamp, minute: ConformanceMinute?)] = []

    /// The session in which cases begin: 2 January 2024, a Tuesday.
    package static let session = SessionCalendar.newYork.session(
        on: Day(year: 2024, month: 1, day: 2) ?? Day(number: 0))
    /// The next one.
    private static let next = SessionCalendar.newYork.session(
        on: Day(year: 2024, month: 1, day: 3) ?? Day(number: 0))

    /// When cases begin.
    package static var start: Timestamp { (session?.close ?? .distantPast) - .minutes(20) }

    /// The schedule of a case.
    package init(_ steps: [ConformanceCase.Step]) {
        guard let session = Self.session, let next = Self.next else {
            preconditionFailure("two days with sessions")
        }
        // Late in the session: what is between is of no account.
        var now = Self.start
        var last = Price(cents: 100_00)
        for step in steps {
            let minute: ConformanceMinute?
            switch step {
            case .submit, .modify, .cancel: minute = nil
            case .price(let price, let size):
                minute = Self.minute(now, last, price, size)
            case .gap(let price): minute = Self.minute(now, Price(cents: price), price)
            case .lastPrice(let price):
                now = session.close - .minutes(1)
                var own = Self.minute(now, last, price)
                own.isLast = true
                minute = own
            case .evening(let price):
                now = max(now, session.close + .minutes(5))
                minute = Self.minute(now, last, price)
            case .night:
                now = session.close + .hours(4)
                minute = nil
            case .morning:
                now = next.open - .minutes(30)
                minute = nil
            case .nextOpen(let price):
                now = next.open
                var own = Self.minute(now, Price(cents: price), price)
                own.isFirst = true
                minute = own
            }
            self.steps.append((step, now, minute))
            guard let minute else { continue }
            last = minute.to
            now = minute.end
        }
    }

    private static func minute(
        _ start: Timestamp, _ from: Price, _ to: Int64, _ size: Int64 = 1_000
    ) -> ConformanceMinute {
        ConformanceMinute(
            start: start, from: from, to: Price(cents: to), size: Quantity(shares: size))
    }
}

extension ConformanceCase {
    /// Plays the case.
    ///
    /// - Returns: what differs from what must follow, a line each.
    package func play(on venue: some ConformanceVenue) -> [String] {
        var differences: [String] = []
        var placedCount = 0
        for (index, (step, time, minute)) in ConformanceSchedule(steps).steps.enumerated() {
            switch step {
            case .submit(let order):
                placedCount += 1
                venue.place(order, as: placedCount, at: time)
            case .modify(let number, let order): venue.modify(number, to: order, at: time)
            case .cancel(let number): venue.cancel(number, at: time)
            case .price, .gap, .lastPrice, .evening, .nextOpen:
                if let minute { venue.trade(minute) }
            case .night, .morning: venue.pass(to: time)
            }
            let found = venue.takeOutcomes()
            let expected = outcomes[index] ?? []
            guard Set(found) != Set(expected) || found.count != expected.count else { continue }
            differences.append("step \(index), \(step): \(found), not \(expected)")
        }
        return differences
    }
}
