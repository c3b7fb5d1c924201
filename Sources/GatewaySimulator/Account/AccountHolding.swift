package import Primitives

/// A position and what it came from.
package struct AccountHolding: Hashable, Sendable {
    /// What changed the position, oldest first.
    package enum Entry: Hashable, Sendable {
        /// A fill, in its newest revision.
        case fill(BookedFill)
        /// `new` for each `old`; what is no whole share any more was paid out at `lieu`.
        case split(new: Int64, old: Int64, lieu: Price)
    }

    /// As of now.
    package internal(set) var position: AccountPosition
    /// As of before the last entry.
    private var before: AccountPosition
    /// What made it.
    package private(set) var entries: [Entry] = []
    /// As of the day's begin.
    var dayStart: DayStart
    /// The money that moved because of it today.
    var flow = ExactMoney.zero

    /// On which day it was last made larger, if nothing was closed since.
    var opened: Day?

    /// What daily profit is counted from.
    struct DayStart: Hashable, Sendable {
        /// The position's worth.
        var worth = ExactMoney.zero
        /// What it had realised until then.
        var realized = ExactMoney.zero
    }

    /// Nothing held.
    init(of instrument: AccountInstrument, mark: Price) {
        position = AccountPosition(of: instrument, mark: mark)
        before = position
        dayStart = DayStart()
    }

    /// Profit and loss since the day's begin, commissions deducted.
    package var dailyProfit: ExactMoney { position.worth - dayStart.worth + flow }

    /// What closing brought today.
    package var realizedToday: ExactMoney { position.realized - dayStart.realized }

    /// Adds an entry.
    ///
    /// - Returns: the profit of a fill that closed something.
    mutating func append(_ entry: Entry) throws(AccountFault) -> ExactMoney? {
        let old = position
        let profit = try Self.apply(entry, to: &position)
        before = old
        flow += position.cash - old.cash
        entries.append(entry)
        return profit
    }

    /// Puts another entry in the place of one and works out everything after it again.
    ///
    /// - Returns: the profit of the entry if it is a fill that closed something.
    mutating func replace(
        _ entryIndex: Int, by entry: Entry
    ) throws(AccountFault) -> ExactMoney? {
        var new = before
        var profit: ExactMoney?
        if entryIndex == entries.count - 1 {
            profit = try Self.apply(entry, to: &new)
        } else {
            new = AccountPosition(of: position.instrument, mark: position.mark)
            for (index, kept) in entries.enumerated() {
                if index == entries.count - 1 { before = new }
                let gain = try Self.apply(index == entryIndex ? entry : kept, to: &new)
                if index == entryIndex { profit = gain }
            }
        }
        new.mark = position.mark
        flow += new.cash - position.cash
        entries[entryIndex] = entry
        position = new
        return profit
    }

    /// Values it at another price.
    mutating func mark(at price: Price) { position.mark = price }

    /// Begins a day.
    mutating func beginDay() {
        dayStart = DayStart(worth: position.worth, realized: position.realized)
        flow = .zero
    }

    private static func apply(
        _ entry: Entry, to position: inout AccountPosition
    ) throws(AccountFault) -> ExactMoney? {
        switch entry {
        case .fill(let booked):
            guard !booked.isBusted else { return nil }
            return try position.apply(
                booked.fill.signed, at: booked.fill.price,
                commission: ExactMoney(booked.fill.commission ?? .zero))
        case .split(let new, let old, let lieu):
            try position.split(new, for: old, lieu: lieu)
            return nil
        }
    }
}

/// A fill in the ledger.
package struct BookedFill: Hashable, Sendable {
    /// The fill, in its newest revision.
    package internal(set) var fill: AccountFill
    /// What it was when it was first booked, where it was corrected since.
    package internal(set) var original: AccountFill?
    /// Whether it was taken back.
    package internal(set) var isBusted = false
    /// When its proceeds are there; `nil` where nothing has to wait.
    package internal(set) var settles: Day?
    /// What waits, or waited, for that day.
    package internal(set) var proceeds = ExactMoney.zero

    /// A fill as it came.
    init(_ fill: AccountFill) { self.fill = fill }
}
