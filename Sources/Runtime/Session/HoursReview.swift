import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue

/// Compares the calendar with the contracts' own hours: the narrower hold, and a difference is an alarm.
///
/// They are asked for on each session day as soon as there is a connection, half an hour before the open, and every two
/// hours from then on until the close: a close that is announced later is known within two hours.
struct HoursReview: Sendable {
    /// A contract whose hours are looked at.
    struct Contract: Sendable {
        let instrument: InstrumentID
        let contract: TWSProtocol.Contract
        /// Its hours, as far as they are known.
        var hours: ContractHours?
    }

    private let calendar: SessionCalendar
    private let answerLimit: Duration
    private var contracts: [Contract]
    /// The day of which the differences were looked for.
    private var comparedDay: [Day?]
    private var isDifferent: [Bool]
    private var isClosed: [Bool]
    private var requests: [RequestID: Int] = [:]
    private var nextRequest = GatewayVenue.firstQualifyingRequest + 1 << 20
    /// When hours were asked for last.
    private var askedAt: [Timestamp?]
    /// The round that the hours of each contract are of; `nil` before any of today's are known.
    private var rounds: [Round?]
    private var finished: [RequestID] = []
    private var learned: [(ContractID, ContractHours)] = []
    private var isOld = false
    /// The newest day on which the broker's hours were those of the calendar, or the first that was looked at; `nil` before.
    private var confirmed: Day?
    private var newConfirmed: Day?

    /// The questions of a day are asked in rounds.
    private struct Round: Hashable, Sendable {
        let day: Day
        /// How many times of the day to ask at have passed.
        let number: Int64
    }

    /// How long before the open hours are asked for once more.
    static let lead = Duration.minutes(30)
    /// How often from then on.
    static let interval = Duration.hours(2)
    /// How long an answer is waited for.
    static let answerLimit = Duration.seconds(60)
    /// How many are asked for at a time.
    static let openMax = 20
    /// How many days behind its newest agreement with the broker's hours the calendar is old.
    static let confirmedDays: Int32 = 30

    /// - Parameters:
    ///   - patience: how many times as long answers are waited for.
    ///   - confirmed: the newest day on which the calendar agreed with the broker's hours; `nil` if none is known.
    init(
        _ contracts: [Contract], _ calendar: SessionCalendar, patience: Int64,
        confirmed: Day? = nil
    ) {
        self.confirmed = confirmed
        self.calendar = calendar
        answerLimit = Self.answerLimit.times(patience)
        self.contracts = contracts
        comparedDay = contracts.map { _ in nil }
        isDifferent = contracts.map { _ in false }
        isClosed = isDifferent
        askedAt = contracts.map { _ in nil }
        rounds = askedAt.map { _ in nil }
    }

    /// The round of a time on a session day.
    private func round(of day: Day, at now: Timestamp) -> Round {
        let first = calendar.open(on: day) - Self.lead
        let newest = min(now, calendar.close(on: day))
        guard newest >= first else { return Round(day: day, number: 0) }
        return Round(
            day: day, number: 1 + (newest - first).nanoseconds / Self.interval.nanoseconds)
    }

    /// The questions for hours of this round that are not known.
    mutating func questions(at now: Timestamp) -> [ClientMessage] {
        let today = calendar.day(of: now)
        guard case .newYork = calendar, calendar.hasSession(on: today) else { return [] }
        var questions: [ClientMessage] = []
        let round = round(of: today, at: now)
        for index in contracts.indices where requests.count < Self.openMax {
            // Hours that a start has found of the day count for the round in which it is.
            if rounds[index] == nil, contracts[index].hours?.day == today { rounds[index] = round }
            guard rounds[index] != round,
                askedAt[index].map({ now - $0 > answerLimit }) ?? true
            else { continue }
            askedAt[index] = now
            var message = ReqContractDetails()
            message.reqId = RequestID(rawValue: nextRequest)
            nextRequest += 1
            message.contract = contracts[index].contract
            requests[message.reqId] = index
            questions.append(.reqContractDetails(message))
        }
        return questions
    }

    /// Takes in an event of the session.
    mutating func take(_ event: SessionEvent, at now: Timestamp) {
        switch event {
        case .disconnected:
            requests.removeAll()
            askedAt = askedAt.map { _ in nil }
        case .message(.contractData(let data), _):
            guard let index = requests[data.reqId], !data.liquidHours.isEmpty else { return }
            let hours = ContractHours(
                day: calendar.day(of: now), zone: data.timeZoneId, text: data.liquidHours)
            contracts[index].hours = hours
            rounds[index] = round(of: hours.day, at: now)
            comparedDay[index] = nil
            learned.append((contracts[index].contract.conId, hours))
        case .message(.contractDataEnd(let end), _): finish(end.reqId)
        case .message(.error(let error), _):
            if let id = error.id { finish(RequestID(rawValue: id)) }
        default: break
        }
    }

    private mutating func finish(_ request: RequestID) {
        if requests.removeValue(forKey: request) != nil { finished.append(request) }
    }

    /// Takes the requests that are over.
    mutating func takeFinished() -> [RequestID] {
        defer { finished.removeAll() }
        return finished
    }

    /// Takes the hours that came since the last call.
    mutating func takeLearned() -> [(ContractID, ContractHours)] {
        defer { learned.removeAll() }
        return learned
    }

    /// Takes the newest day on which the calendar agreed with the broker's hours, where it has changed since the last call.
    mutating func takeConfirmed() -> Day? {
        defer { newConfirmed = nil }
        return newConfirmed
    }

    private mutating func confirm(on day: Day) {
        guard confirmed.map({ $0 < day }) ?? true else { return }
        confirmed = day
        newConfirmed = day
    }

    /// Compares, and looks at what is closed now.
    mutating func review(at now: Timestamp) -> [ConditionReport] {
        guard case .newYork = calendar else { return [] }
        let today = calendar.day(of: now)
        let isOpen = calendar.session(containing: now) != nil
        var reports: [ConditionReport] = []
        for (index, one) in contracts.enumerated() {
            let instrument = one.instrument
            let isKnown = one.hours?.lists(today) == true
            if let hours = one.hours, isKnown, comparedDay[index] != today {
                comparedDay[index] = today
                let differs = !hours.agree(with: calendar.session(on: today), on: today)
                if !differs { confirm(on: today) }
                if differs != isDifferent[index] {
                    isDifferent[index] = differs
                    reports.append(
                        ConditionReport(.hoursDiffer, isPresent: differs, of: instrument))
                }
            }
            let closes = isOpen && isKnown && one.hours?.contains(now) == false
            if closes != isClosed[index] {
                isClosed[index] = closes
                reports.append(ConditionReport(.marketClosed, isPresent: closes, of: instrument))
            }
        }
        // Without any agreement the days count from the first look.
        if confirmed == nil { confirm(on: today) }
        let age = confirmed.map { today.number - $0.number } ?? 0
        let isOld = !USMarketHolidays.isPublished(today) || age > Self.confirmedDays
        if isOld != self.isOld {
            self.isOld = isOld
            reports.append(
                ConditionReport(.calendarOld, isPresent: isOld, value: isOld ? Int64(age) : 0))
        }
        return reports
    }
}
