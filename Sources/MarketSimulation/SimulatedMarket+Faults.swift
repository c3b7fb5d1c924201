package import Primitives

/// What is done to the market from outside.
extension SimulatedMarket {
    /// Halts trading in an instrument from now on, or lets it go on. A halted instrument has no quotes and
    /// no trades, in its stream and in its history.
    package mutating func setHalted(_ isHalted: Bool, _ id: InstrumentID) {
        guard let index = index(of: id), faults[index].isHaltedNow != isHalted else { return }
        // What happens now has been published.
        let next = following(now)
        if isHalted {
            faults[index].halts.append(next..<Timestamp.distantFuture)
        } else if let last = faults[index].halts.popLast() {
            faults[index].halts.append(last.lowerBound..<next)
        }
        startOver(index)
    }

    /// Splits an instrument from the first minute on that begins after now: later prices are divided, and
    /// sizes multiplied. Bars of the time before are in new shares from then on, as the broker's are; the ticks of that
    /// time and the close of the day before stay as they were.
    ///
    /// - Parameters:
    ///   - numerator: how many new shares there are; 1 to 1000.
    ///   - denominator: for how many old ones; 1 to 1000.
    /// - Returns: whether the numbers and the instrument can be.
    package mutating func split(_ id: InstrumentID, _ numerator: Int, for denominator: Int) -> Bool
    {
        guard let index = index(of: id), (1...1_000).contains(numerator),
            (1...1_000).contains(denominator)
        else { return false }
        faults[index].splits.append(
            (at: following(now), numerator: Int64(numerator), denominator: Int64(denominator)))
        startOver(index)
        return true
    }

    /// Publishes something wrong instead of a followed instrument's next tick; history stays right. Several are
    /// published one after the other.
    package mutating func distort(_ id: InstrumentID, _ tick: BadTick) {
        guard let index = index(of: id), faults[index].badTicks.count < 10_000 else { return }
        faults[index].badTicks.append(tick)
    }

    /// Ends an instrument's streams without a word, or lets them go on: its market goes on, and so do its
    /// events here, but they are not to be published.
    ///
    /// - Parameter id: the instrument; `nil` for all.
    package mutating func setSilent(_ isSilent: Bool, _ id: InstrumentID?) {
        if let id {
            guard let index = index(of: id) else { return }
            faults[index].isSilent = isSilent
        } else {
            for index in faults.indices { faults[index].isSilent = isSilent }
        }
    }

    /// Whether streams of an instrument are dead.
    package func isSilent(_ id: InstrumentID) -> Bool {
        index(of: id).map { faults[$0].isSilent } ?? false
    }

    private func following(_ timestamp: Timestamp) -> Timestamp {
        timestamp == .distantFuture ? timestamp : timestamp + Duration(nanoseconds: 1)
    }

    /// Makes what was made before once more: of the instrument and of the options on it.
    private mutating func startOver(_ changed: Int) {
        cache.removeAll()
        for index in listings.indices
        where index == changed || prices[index].option?.underlying == changed {
            cursors[index] = MarketCursor()
            catchUp(index)
        }
    }
}
