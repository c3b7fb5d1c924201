import MarketSimulation
import MarketState
import Primitives
import TWSProtocol

/// A position and its prices split.
struct SplitFault: Fault {
    static let name = "split"
    static let purpose =
        "Shares are split: later prices, positions and average costs change without a fill; resting orders are cancelled or left as they are."
    /// Which; `nil` for the symbol ordered last.
    var symbol: String?
    /// How many new shares.
    var new = 4
    /// For how many old ones.
    var old = 1
    /// In place of the ratio: a price near which later prices are to lie.
    var near: DecimalValue?
    /// Whether resting orders stay.
    var keepsOrders = false

    mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.integer("new", &new, 1...1_000)
        list.integer("old", &old, 1...1_000)
        list.decimal("near", &near)
        list.flag("keep-orders", &keepsOrders)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        let listed = try gateway.listing(symbol)
        var (new, old) = (new, old)
        if let near {
            guard let targetPrice = near.price, targetPrice > .zero,
                let price = gateway.mark(listed.id)
            else {
                throw FaultRefusal("'near' needs a price above 0, and a market that has one")
            }
            new = Int(min(1_000, max(1, (price.units + targetPrice.units / 2) / targetPrice.units)))
            old = 1
        }
        guard new != old else { throw FaultRefusal("a split of \(new) for \(old) changes nothing") }
        guard gateway.market.split(listed.id, new, for: old) else {
            throw FaultRefusal("\(listed.contract.symbol) cannot be split \(new) for \(old)")
        }
        try gateway.book(.split(listed.id, new: Int64(new), old: Int64(old)), whereHeld: listed.id)
        guard !keepsOrders else { return }
        gateway.orderManager.cancelAtBroker(in: listed.id, reason: "corporate action")
        gateway.publishOrderNotes()
    }
}

/// Money comes or goes.
struct CashFault: Fault {
    static let name = "cash"
    static let purpose =
        "Money comes to an account or leaves it without a trade: deposits, withdrawals, fees, interest."
    /// How much; negative when it leaves.
    var amount: DecimalValue?
    /// Which account; `nil` for the first.
    var account: String?

    mutating func parameters(_ list: inout ParameterList) {
        list.decimal("amount", &amount)
        list.need("amount", amount == nil)
        list.text("account", &account)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        guard let text = amount?.description, let amount = try? Money(text) else {
            throw FaultRefusal("'amount' is no amount: at most 6 decimals, below 9000000000000")
        }
        let account = account.map { AccountID($0) } ?? .none
        let currency = gateway.accounts.ledger(of: account)?.settings.currency ?? "USD"
        try gateway.book(.cash(.deposit, amount, currency: currency), at: account)
    }
}

/// A dividend is paid.
struct DividendFault: Fault {
    static let name = "dividend"
    static let purpose = "A dividend is paid on what is held, and taken from who is short."
    /// On which; `nil` for the symbol ordered last.
    var symbol: String?
    /// For each share.
    var perShare: DecimalValue?

    mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.decimal("per-share", &perShare)
        list.need("per-share", perShare == nil)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        let listed = try gateway.listing(symbol)
        guard let perShare = perShare?.price else {
            throw FaultRefusal("'per-share' is no price: at most 8 decimals, at most 100000000")
        }
        try gateway.book(.dividend(listed.id, perShare: perShare), whereHeld: listed.id)
    }
}

/// Trading is halted.
struct HaltFault: Fault {
    static let name = "halt"
    static let purpose = "Trading in something is halted, or goes on."
    /// Which; `nil` for the symbol ordered last, or SPY.
    var symbol: String?
    /// Whether it is halted.
    var isOn = true

    mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.flag("on", &isOn)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        let id = try gateway.listing(symbol).id
        gateway.market.setHalted(isOn, id)
        gateway.faults.halted.removeAll { $0 == id }
        if isOn { gateway.faults.halted.append(id) }
    }
}

/// An exchange announces that it closes earlier.
struct EarlyCloseFault: Fault {
    static let name = "early-close"
    static let purpose =
        "The exchange announces that it closes earlier today: contract details say so from now on. Trading goes on; 'halt' ends it."
    /// What; `nil` for everything that is traded in stocks' hours.
    var symbol: String?
    /// When, by New York's clock: hours and minutes as one number.
    var time = 1_300

    mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.integer("time", &time, 931...1_559)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        guard time % 100 < 60 else { throw FaultRefusal("'time' is no time of day: 1300 is one") }
        let id = try symbol.map { symbol throws(FaultRefusal) in try gateway.listing(symbol).id }
        gateway.faults.earlyCloses.append(
            FaultState.EarlyClose(
                instrument: id, day: gateway.settings.calendar.day(of: gateway.now), time: time))
    }
}

/// Streams stop.
struct FreezeFault: Fault {
    static let name = "freeze"
    static let purpose =
        "Data of something, or of everything, stop without a word, or go on; trading goes on."
    /// Which; `nil` for everything.
    var symbol: String?
    /// Whether they stop.
    var isOn = true

    mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.flag("on", &isOn)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        gateway.market.setSilent(isOn, symbol == nil ? nil : try gateway.listing(symbol).id)
    }
}

/// Subscriptions die.
struct StreamsFault: Fault {
    static let name = "streams"
    static let purpose =
        "Subscriptions there are die without a word, some histories with 10182, or all are lost, or order books begin anew (317)."
    /// What becomes of them.
    var fate = Fate.dead
    /// Of which kinds; all where none is named. Only for `dead`.
    var kinds: [String] = []
    /// With `failed`: 1 for every history that is kept up to date, 2 for every second.
    var every = 1

    /// What becomes of subscriptions.
    enum Fate: String, CaseIterable, Sendable {
        /// Nothing comes any more; their numbers stay taken.
        case dead
        /// Histories that are kept up to date end with 10182.
        case failed
        /// They are gone.
        case lost
        /// Order books begin anew.
        case reset
    }

    mutating func parameters(_ list: inout ParameterList) {
        list.word("fate", &fate)
        list.texts("kinds", &kinds)
        list.integer("every", &every, 1...1_000)
        for kind in kinds where DataStream(rawValue: kind) == nil {
            let known = DataStream.allCases.map(\.rawValue).joined(separator: ", ")
            list.refuse("'kinds' are of \(known), not '\(kind)'")
        }
    }

    func perform(on gateway: Gateway) {
        switch fate {
        case .dead:
            let named = kinds.compactMap { DataStream(rawValue: $0) }
            gateway.silence(Set(kinds.isEmpty ? DataStream.allCases : named))
        case .failed: gateway.failHistoryUpdates(every: every)
        case .lost: gateway.loseSubscriptions()
        case .reset: gateway.resetOrderBooks()
        }
    }
}

/// Other data may be seen.
struct AccessFault: Fault {
    static let name = "access"
    static let purpose =
        "Changes which market data the login may see: live, delayed (10168), unsubscribed (354), programSubscriptionMissing (10089), competingSession (10197)."
    /// Which.
    var access = DataAccess.unsubscribed

    mutating func parameters(_ list: inout ParameterList) {
        list.word("access", &access)
    }

    func perform(on gateway: Gateway) {
        gateway.setAccess(access)
    }
}

/// Who asks too much is warned.
struct PacingFault: Fault {
    static let name = "pacing"
    static let purpose =
        "Punishes haste: more than so many messages a second bring 100, the third time the connection ends; requests for history too soon bring 162. Or lets it pass, and counts it."
    /// Whether it is punished.
    var isStrict = true
    /// Messages a second that are no haste.
    var perSecond = 50

    mutating func parameters(_ list: inout ParameterList) {
        list.flag("strict", &isStrict)
        list.integer("per-second", &perSecond, 1...1_000_000)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.punishesPacingViolations = isStrict
        gateway.pacingAudit.limits.messagesPerSecond = perSecond
        gateway.data.settings.refusesHistoryBreaches = isStrict
    }
}
