import Model
import Primitives
package import TWSProtocol

extension AccountLedger {
    /// All that is needed to go on later.
    package var snapshot: GatewayAccountSnapshot {
        GatewayAccountSnapshot(
            account: settings.account.name, kind: settings.kind,
            startingCash: settings.startingCash.units, currency: settings.currency,
            day: today.number, previousDayEquity: String(previousDayEquity.units),
            holdings: holdings.map(saved),
            movements: movements.map {
                GatewayAccountSnapshot.Movement(
                    cause: $0.cause, amount: $0.amount.units, currency: $0.currency,
                    time: $0.time.nanoseconds)
            },
            rates: rates.keys.sorted().compactMap { currency in
                rates[currency].map {
                    GatewayAccountSnapshot.Rate(currency: currency, price: $0.units)
                }
            },
            dayTrades: dayTrades.map {
                GatewayAccountSnapshot.DayTrades(day: $0.day.number, count: $0.count)
            })
    }

    /// A saved ledger.
    ///
    /// - Parameters:
    ///   - settings: of the account; its kind, currency and starting cash are the saved ones.
    ///   - instrument: a contract by the broker's number, if it is listed.
    package init(
        restoring saved: GatewayAccountSnapshot, settings: GatewayAccountSettings,
        instrument: (ContractID) -> AccountInstrument?
    ) throws(AccountFault) {
        guard saved.account == settings.account.name else {
            throw .unknownAccount(AccountID(saved.account))
        }
        try saved.check()
        var settings = settings
        settings.kind = saved.kind
        settings.currency = saved.currency
        settings.startingCash = Money(units: saved.startingCash)
        self.init(settings: settings, on: Day(number: saved.day))
        for rate in saved.rates { rates[rate.currency] = Price(units: rate.price) }
        for holding in saved.holdings { try restore(holding, instrument) }
        for movement in saved.movements {
            try book(
                CashPotMovement(
                    cause: movement.cause, amount: Money(units: movement.amount),
                    currency: movement.currency, time: Timestamp(nanoseconds: movement.time)))
        }
        previousDayEquity = try Self.amount(saved.previousDayEquity)
        dayTrades = saved.dayTrades.map { DayTrades(day: Day(number: $0.day), count: $0.count) }
    }

    private mutating func restore(
        _ saved: GatewayAccountSnapshot.Holding, _ instrument: (ContractID) -> AccountInstrument?
    ) throws(AccountFault) {
        let conId = ContractID(rawValue: saved.conId)
        guard let instrument = instrument(conId) else { throw .unknownContract(conId) }
        for entry in saved.entries {
            switch entry {
            case .fill(let fill, let original, let isBusted):
                var booked = BookedFill(Self.fill(fill, of: instrument))
                booked.original = original.map { Self.fill($0, of: instrument) }
                booked.isBusted = isBusted
                try restore(booked)
            case .split(let new, let old, let lieu):
                try restoreSplit(of: instrument, new, for: old, at: Price(units: lieu))
            }
        }
        guard let index = holdings.firstIndex(where: { $0.position.instrument == instrument })
        else { return }
        holdings[index].mark(at: Price(units: saved.mark))
        if let mark = saved.underlyingMark, case .option(let terms) = instrument.assetClass {
            underlyings[terms.underlying] = Price(units: mark)
        }
        holdings[index].dayStart = AccountHolding.DayStart(
            worth: try Self.amount(saved.worthBefore),
            realized: try Self.amount(saved.realizedBefore))
        holdings[index].flow = try Self.amount(saved.flow)
        holdings[index].opened = saved.opened.map { Day(number: $0) }
    }

    private func saved(_ holding: AccountHolding) -> GatewayAccountSnapshot.Holding {
        let instrument = holding.position.instrument
        var underlyingMark: Int64?
        if case .option(let terms) = instrument.assetClass {
            underlyingMark = underlyings[terms.underlying]?.units
        }
        return GatewayAccountSnapshot.Holding(
            conId: instrument.conId.rawValue, mark: holding.position.mark.units,
            underlyingMark: underlyingMark,
            entries: holding.entries.map { entry in
                switch entry {
                case .fill(let booked):
                    .fill(
                        Self.saved(booked.fill), original: booked.original.map(Self.saved),
                        isBusted: booked.isBusted)
                case .split(let new, let old, let lieu):
                    .split(new: new, old: old, lieu: lieu.units)
                }
            }, worthBefore: String(holding.dayStart.worth.units),
            realizedBefore: String(holding.dayStart.realized.units),
            flow: String(holding.flow.units), opened: holding.opened?.number)
    }

    private static func saved(_ fill: AccountFill) -> GatewayAccountSnapshot.Fill {
        GatewayAccountSnapshot.Fill(
            execution: fill.execution, quantity: fill.signed.units, price: fill.price.units,
            time: fill.time.nanoseconds, commission: fill.commission?.units,
            permId: fill.permId.rawValue, orderRef: fill.orderRef)
    }

    private static func fill(
        _ saved: GatewayAccountSnapshot.Fill, of instrument: AccountInstrument
    ) -> AccountFill {
        let size = Quantity(units: Int64(clamping: saved.quantity.magnitude))
        var fill = AccountFill(
            saved.execution, saved.quantity < 0 ? .sell : .buy, size, of: instrument,
            at: Price(units: saved.price), time: Timestamp(nanoseconds: saved.time))
        fill.commission = saved.commission.map(Money.init(units:))
        fill.permId = PermID(rawValue: saved.permId)
        fill.orderRef = saved.orderRef
        return fill
    }

    private static func amount(_ text: String) throws(AccountFault) -> ExactMoney {
        guard let units = Int128(text),
            units.magnitude < AccountMath.valueMax.units.magnitude * 1_000
        else { throw .malformedAmount(text) }
        return ExactMoney(units: units)
    }
}

extension GatewayAccountSnapshot {
    /// Refuses days, times and counts that no gateway saved: they could not be reckoned with.
    fileprivate func check() throws(AccountFault) {
        // New York's first and last days lie beyond those of UTC.
        let known = Day.supported
        let days = known.lowerBound.advanced(by: -1)...known.upperBound.advanced(by: 1)
        let opened = holdings.compactMap(\.opened) + dayTrades.map(\.day)
        for day in opened + [day] where !days.contains(Day(number: day)) {
            throw .implausible("day \(day)")
        }
        var times = movements.map(\.time)
        for case .fill(let fill, let original, _) in holdings.flatMap(\.entries) {
            times += [fill.time, original?.time ?? fill.time]
        }
        for time in times where !Timestamp.supported.contains(Timestamp(nanoseconds: time)) {
            throw .implausible("time \(time)")
        }
        for trades in dayTrades where !(0...1_000_000).contains(trades.count) {
            throw .implausible("\(trades.count) day trades")
        }
    }
}

extension AccountService {
    /// All that is needed to go on later, in the order of the accounts.
    package var snapshots: [GatewayAccountSnapshot] { ledgers.map(\.snapshot) }

    /// Takes over saved ledgers; accounts of which nothing was saved stay as they are. Subscriptions go on.
    ///
    /// - Parameter instrument: a contract by the broker's number, if it is listed.
    /// - Throws: when a ledger is of another login or holds what is not listed; nothing changed then.
    package mutating func restore(
        _ snapshots: [GatewayAccountSnapshot], instrument: (ContractID) -> AccountInstrument?
    ) throws(AccountFault) {
        var restored = ledgers
        for snapshot in snapshots {
            let account = AccountID(snapshot.account)
            guard let index = index(of: account) else { throw .unknownAccount(account) }
            restored[index] = try AccountLedger(
                restoring: snapshot, settings: ledgers[index].settings, instrument: instrument)
        }
        ledgers = restored
    }
}
