import Accounting
import Configuration
import Foundation
import MarketState
import Model
import Primitives
import TradingEngine

/// The user's file of corporate actions: lines of `day,symbol,kind,value` behind a header, such as
/// `2020-08-31,AAPL,split,4:1` and `2020-08-07,AAPL,dividend,0.82`.
struct SessionActions: Sendable {
    /// Those to come, by day, of two on one day the split first.
    private var pending: [CorporateAction] = []
    /// When the day of the next begins.
    private(set) var next: Timestamp?

    /// How many lines a file has at most.
    private static let linesMax = 1_000_000

    /// The actions that are to come for a session's instruments.
    ///
    /// What took effect before the session's state is in it, or bears on nothing that is held. A split is taken in late
    /// where orders wait because it was suspected.
    ///
    /// - Throws: when the file cannot be read, or a line of it makes no sense.
    init(
        _ settings: Settings, _ start: borrowing SessionStart, _ calendar: SessionCalendar,
        at now: Timestamp
    ) throws(RunFailure) {
        guard let path = settings.trading.corporateActions?.resolved else { return }
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw .file("The corporate actions in \(path) cannot be read: \(error)")
        }
        let isRecovered = start.past.recovery != nil
        let known = isRecovered ? calendar.day(of: start.past.state.at) : calendar.day(of: now)
        for (symbol, day, kind) in try Self.rows(text, of: path) {
            guard let instrument = start.instruments.first(where: { $0.symbol == symbol }) else {
                continue
            }
            let action = CorporateAction(instrument: instrument.id, exDay: day, kind: kind)
            let isLate =
                day <= known && day > known.advanced(by: -7)
                && start.engine.isSuspended(instrument.id) && kind.isSplit
            let isBooked = start.engine.portfolio.actions(in: instrument.id).contains {
                $0.action == action
            }
            if (day > known || isLate) && !isBooked { pending.append(action) }
        }
        pending.sort { ($0.exDay, $0.kind.rank) < ($1.exDay, $1.kind.rank) }
        next = pending.first.map { calendar.dayEnd(of: $0.exDay.advanced(by: -1)) }
    }

    /// Takes those whose day has come.
    mutating func takeDue(on today: Day, _ calendar: SessionCalendar) -> [CorporateAction] {
        let due = pending.prefix { $0.exDay <= today }
        guard !due.isEmpty else { return [] }
        pending.removeFirst(due.count)
        next = pending.first.map { calendar.dayEnd(of: $0.exDay.advanced(by: -1)) }
        return Array(due)
    }

    // MARK: The file

    /// The lines of a file.
    static func rows(
        _ text: String, of path: String
    ) throws(RunFailure) -> [(symbol: String, day: Day, kind: CorporateAction.Kind)] {
        var rows: [(symbol: String, day: Day, kind: CorporateAction.Kind)] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            guard index < linesMax else {
                throw .file("The corporate actions in \(path) have more than \(linesMax) lines.")
            }
            if line.isEmpty || line.hasPrefix("#") || line == header { continue }
            guard let row = row(line) else {
                throw .file(
                    "Line \(index + 1) of \(path) is no corporate action: found '\(line)', expected "
                        + "\(header), such as 2020-08-31,AAPL,split,4:1 or 2020-08-07,AAPL,dividend,0.82."
                )
            }
            rows.append(row)
        }
        return rows
    }

    private static let header = "day,symbol,kind,value"

    private static func row(
        _ line: Substring
    ) -> (symbol: String, day: Day, kind: CorporateAction.Kind)? {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard fields.count == 4, let day = Day(fields[0]), !fields[1].isEmpty else {
            return nil
        }
        switch fields[2] {
        case "split":
            return ratio(fields[3]).map { (fields[1], day, .split($0)) }
        case "dividend":
            guard let amount = try? Price(fields[3]), amount > .zero, amount <= .magnitudeMax
            else { return nil }
            return (fields[1], day, .dividend(perShare: amount))
        case _: return nil
        }
    }

    /// A ratio of new to old shares: `4:1`, or as a decimal number.
    static func ratio(_ text: String) -> SplitRatio? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            let decimals = text.split(separator: ".").dropFirst().first?.count ?? 0
            return (try? Quantity(text)).flatMap { SplitRatio(snapping: $0, decimals: decimals) }
        }
        guard let new = Int64(parts[0]), let old = Int64(parts[1]),
            (1...SplitRatio.sharesMax).contains(new), (1...SplitRatio.sharesMax).contains(old)
        else { return nil }
        let units = (Int128(new) * Int128(Quantity.unitsPerOne)) / Int128(old)
        return Int64(exactly: units).flatMap { SplitRatio(snapping: Quantity(units: $0)) }
    }
}

extension CorporateAction.Kind {
    fileprivate var isSplit: Bool {
        switch self {
        case .split: true
        case .dividend: false
        }
    }

    fileprivate var rank: Int { isSplit ? 0 : 1 }
}
