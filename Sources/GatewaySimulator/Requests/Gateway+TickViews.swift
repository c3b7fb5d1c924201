import MarketSimulation
import MarketState
import Model
import Primitives
import TWSProtocol

/// What the market shows, as subscriptions need it.
extension Gateway {
    /// When a contract is traded.
    func clock(of listed: ListedContract) -> TradingClock {
        TradingClock(
            hours: MarketHours(listed.instrument.assetClass), calendar: settings.calendar)
    }

    /// Whether a contract is traded at a time.
    func trades(
        _ listed: ListedContract, at timestamp: Timestamp, regularHoursOnly: Bool
    ) -> Bool {
        clock(of: listed).contains(timestamp, regularHoursOnly: regularHoursOnly)
    }

    /// What a subscription may see now; `nil` where it may see nothing.
    func view(for subscription: TickSubscription) -> TickView? {
        let listed = subscription.listed
        let present = market.snapshot(of: listed.id)
        guard let mode = subscription.mode(with: data.settings.access, isOpen: present.isOpen)
        else {
            return nil
        }
        let isDelayed = mode == .delayed || mode == .delayedFrozen
        let snapshot = isDelayed ? past(listed, present) : present
        var view = TickView(snapshot: snapshot, isOpen: snapshot.isOpen)
        if !subscription.generics.isEmpty {
            view.figures = figures(of: listed, for: subscription.generics, snapshot)
        }
        view.option = isDelayed ? nil : market.optionView(of: listed.id)
        return view
    }

    /// What a market showed before the delay of delayed data: its last quote and trade by then, and the
    /// day until then.
    private func past(_ listed: ListedContract, _ present: MarketSnapshot) -> MarketSnapshot {
        let then = now - data.settings.delay
        // What happened at that time had happened.
        let end = then + Duration(nanoseconds: 1)
        var past = MarketSnapshot()
        past.isHalted = present.isHalted
        past.isOpen = trades(listed, at: then, regularHoursOnly: false)
        let quotes = TickRequest(.quotes, from: nil, to: end, limit: 1)
        if case .quote(let quote)? = market.ticks(of: listed.id, quotes).last {
            (past.bid, past.ask) = (quote.bid, quote.ask)
            past.bidSize = quote.bidSize ?? .zero
            past.askSize = quote.askSize ?? .zero
        }
        let made = TickRequest(.trades, from: nil, to: end, limit: 1)
        if case .trade(let trade)? = market.ticks(of: listed.id, made).last {
            past.last = trade.price
            past.lastSize = trade.size
            past.lastTime = trade.at
        }
        let clock = clock(of: listed)
        let days = lastDays(of: listed, 2, until: end, regularHoursOnly: true)
        if let today = days.last, today.day == clock.day(of: then) {
            (past.open, past.high, past.low) = (today.open, today.high, today.low)
            past.previousClose = days.dropLast().last?.close
        } else {
            past.previousClose = days.last?.close
        }
        let all = lastDays(of: listed, 1, until: end, regularHoursOnly: false).last
        if let all, all.day == clock.day(of: then) { past.volume = all.volume }
        return past
    }

    /// The bars of the last trading days up to a time, oldest first.
    private func lastDays(
        of listed: ListedContract, _ count: Int, until end: Timestamp, regularHoursOnly: Bool
    ) -> [HistoryBar] {
        let from = clock(of: listed).start(
            ofTradingDays: count, until: end, regularHoursOnly: regularHoursOnly)
        let kind: BarKind = listed.hasData(BarKind.trades) ? .trades : .midpoint
        return market.bars(
            of: listed.id,
            BarRequest(
                step: .day, from: from, to: end, kind: kind, regularHoursOnly: regularHoursOnly))
    }
}

/// Options.
extension Gateway {
    /// The volatility that the prices of options on an instrument imply; `nil` where there are none.
    private func impliedVolatility(of listed: ListedContract) -> Double? {
        listed.derivatives.contains(.option) ? listed.prospect.volatility : nil
    }
}

/// Numbers that change slowly.
extension Gateway {
    /// The numbers that a subscription's further ticks publish, as of the last full minute; `nil` where it
    /// wants none of them.
    private func figures(
        of listed: ListedContract, for generics: GenericTicks, _ snapshot: MarketSnapshot
    ) -> TickFigures? {
        guard generics.includes(104, 106, 165, 293, 294, 295, 318, 411, 595) else { return nil }
        let minute = Duration.minutes(1).nanoseconds
        let asOf = Timestamp(nanoseconds: now.nanoseconds / minute * minute)
        if let known = data.figures[listed.id], known.asOf == asOf { return known.figures }
        let day = clock(of: listed).day(of: now)
        var figures = TickFigures()
        if let known = data.figures[listed.id], known.day == day {
            figures = known.figures
        } else {
            reckonDays(&figures, of: listed, before: day)
        }
        reckonMinutes(&figures, of: listed, until: asOf)
        figures.tradeCount = snapshot.tradeCount
        figures.lastRegularHours = snapshot.isRegular ? snapshot.last : nil
        if figures.lastRegularHours == nil {
            figures.lastRegularHours =
                lastDays(of: listed, 1, until: now, regularHoursOnly: true).last?.close
        }
        data.figures[listed.id] = KnownFigures(day: day, asOf: asOf, figures: figures)
        return figures
    }

    /// What follows from the days of a year before today.
    private func reckonDays(
        _ figures: inout TickFigures, of listed: ListedContract, before day: Day
    ) {
        let end = clock(of: listed).midnight(of: day)
        let days = lastDays(of: listed, 252, until: end, regularHoursOnly: true)
        for weeks in [13, 26, 52] {
            let part = days.suffix(weeks * 5)
            guard let low = part.map(\.low).min(), let high = part.map(\.high).max() else {
                continue
            }
            figures.ranges.append(TickFigures.PriceUnitRange(low: low, high: high))
        }
        let volumes = days.suffix(90).map(\.volume.units)
        if !volumes.isEmpty {
            let sum = volumes.reduce(Int128(0)) { $0 + Int128($1) }
            let shares = sum / Int128(volumes.count) / Int128(Quantity.unitsPerOne)
            figures.averageVolume = Quantity(shares: Int64(clamping: min(shares, 90_000_000_000)))
        }
        figures.historicalVolatility = Volatility.yearly(ofCloses: days.suffix(31).map(\.close))
        figures.impliedVolatility = impliedVolatility(of: listed)
    }

    /// What follows from the last minutes.
    private func reckonMinutes(
        _ figures: inout TickFigures, of listed: ListedContract, until end: Timestamp
    ) {
        let minutes = market.bars(
            of: listed.id,
            BarRequest(
                step: .seconds(60), from: end - .minutes(10), to: end, kind: .trades,
                regularHoursOnly: false))
        func volume(ofLast count: Int64) -> Quantity {
            let start = end - .minutes(count)
            return minutes.filter { $0.start >= start }.reduce(Quantity.zero) { $0 + $1.volume }
        }
        let last = minutes.last.flatMap { $0.start >= end - .minutes(1) ? $0 : nil }
        figures.tradesPerMinute = last?.count ?? 0
        figures.volumePerMinute = last?.volume ?? .zero
        figures.recentVolumes = [3, 5, 10].map { volume(ofLast: $0) }
    }

    /// Bars of volatility in place of prices: one for each day, reckoned from 30 closes before its end.
    func volatilities(
        _ request: ReqHistoricalData, of listed: ListedContract, _ range: HistoryRange
    ) -> [HistoryBar] {
        guard let step = BarStep(request.barSizeSetting), step.isWholeDays else { return [] }
        let from = clock(of: listed).start(
            ofTradingDays: 32, until: range.from, regularHoursOnly: true)
        let days = market.bars(
            of: listed.id,
            BarRequest(
                step: step, from: from, to: range.to, kind: .trades, regularHoursOnly: true))
        let implied = impliedVolatility(of: listed)
        return days.indices.compactMap { index in
            guard days[index].start >= range.from else { return nil }
            let value =
                request.whatToShow == .optionImpliedVolatility
                ? implied
                : Volatility.yearly(ofCloses: days[...index].suffix(31).map(\.close))
            guard let value, let price = Price(rounding: value) else { return nil }
            var bar = days[index]
            (bar.open, bar.high, bar.low, bar.close, bar.wap) = (price, price, price, price, price)
            return bar
        }
    }
}
