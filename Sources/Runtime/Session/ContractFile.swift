import Foundation
import Primitives
import TWSClient
import TWSProtocol

/// What the broker has said of contracts, kept beside a journal, so that a restart need not ask again.
///
/// The contracts are in the text form of `ContractDatabase`; a line with a contract's terms stands below them, and one with
/// the newest day on which the calendar agreed with their hours. A file that cannot be read counts as none: everything is
/// asked for.
struct ContractFile: Sendable {
    /// A contract's terms.
    struct Terms: Hashable, Sendable {
        /// The smallest step of its prices.
        var minTick: DecimalValue?
        /// The days on which it is traded in regular hours, and when.
        var hours: ContractHours?
    }

    /// A contract as it was learned.
    struct Entry: Sendable {
        let contract: Contract
        /// When the broker reported it.
        let at: Timestamp
        let terms: Terms
    }

    private let path: String?
    private var entries: [(asked: Contract, entry: Entry)] = []
    /// The newest day on which the calendar agreed with the hours of a contract; `nil` if none is known.
    var confirmed: Day?

    /// A file that is read if there is one; `nil` for none.
    init(_ path: String?) {
        self.path = path
        guard let path, let text = try? String(contentsOfFile: path, encoding: .utf8),
            let database = ContractDatabase(text: text)
        else { return }
        var terms: [ContractID: Terms] = [:]
        for line in text.split(separator: "\n") {
            if let (id, one) = Self.terms(of: line) { terms[id] = one }
            if let day = Self.confirmed(by: line) { confirmed = day }
        }
        entries = database.entries.map { asked, found in
            let terms = terms[found.contract.conId] ?? Terms()
            return (asked, Entry(contract: found.contract, at: found.at, terms: terms))
        }
    }

    /// What was learned of a contract; `nil` for one that was never found.
    func entry(for asked: Contract) -> Entry? { entries.last { $0.asked == asked }?.entry }

    /// Keeps what was learned in place of what was known.
    mutating func keep(_ entry: Entry, for asked: Contract) {
        entries.removeAll { $0.asked == asked }
        entries.append((asked, entry))
    }

    /// Keeps a contract's hours of a later day.
    mutating func keep(_ hours: ContractHours, of contract: ContractID) {
        for index in entries.indices where entries[index].entry.contract.conId == contract {
            let known = entries[index].entry
            var terms = known.terms
            terms.hours = hours
            entries[index].entry = Entry(contract: known.contract, at: known.at, terms: terms)
        }
    }

    /// Writes the file. One that cannot be written is done without: everything is asked for at the next start.
    func write() {
        guard let path else { return }
        let database = ContractDatabase(
            entries: entries.map {
                ($0.asked, QualifiedContract($0.entry.contract, at: $0.entry.at))
            })
        let lines = entries.map { Self.line(of: $0.entry) + "\n" }
        let calendar = confirmed.map { "\(Self.calendarMark)\t\($0)\n" } ?? ""
        let text = database.text + lines.joined() + calendar
        do { try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            return
        }
    }

    private static let mark = "terms"
    private static let calendarMark = "calendar"

    private static func confirmed(by line: Substring) -> Day? {
        let fields = line.split(separator: "\t")
        guard fields.count == 2, fields[0] == calendarMark else { return nil }
        return Day(String(fields[1]))
    }

    private static func line(of entry: Entry) -> String {
        let hours = entry.terms.hours
        let fields = [
            mark, "\(entry.contract.conId)", entry.terms.minTick?.description ?? "",
            hours.map { "\($0.day)" } ?? "", hours?.zone ?? "", hours?.text ?? "",
        ]
        return fields.map { $0.filter { $0 != "\t" && $0 != "\n" } }.joined(separator: "\t")
    }

    private static func terms(of line: Substring) -> (ContractID, Terms)? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 6, fields[0] == mark, let number = Int32(fields[1]) else {
            return nil
        }
        var terms = Terms()
        terms.minTick = DecimalValue(fields[2])
        if let day = Day(fields[3]) {
            terms.hours = ContractHours(day: day, zone: fields[4], text: fields[5])
        }
        return (ContractID(rawValue: number), terms)
    }
}
