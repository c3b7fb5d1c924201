import Accounting
package import Model
package import Primitives

/// A limit on the whole account that was reached.
package struct LimitBreach: Hashable, Sendable {
    /// Which.
    package let cause: HaltCause
    /// When it was seen.
    package let at: Timestamp
    /// The limit and what there was instead.
    package let figures: Figures

    /// A limit and the value that reached it, in one unit.
    package enum Figures: Hashable, Sendable {
        /// A loss as a part of what it is measured against.
        case percent(limit: Percent, value: Percent)
        /// Amounts of money.
        case amount(limit: Money, value: Money)
    }

    /// A breach as it was seen.
    package init(_ cause: HaltCause, at time: Timestamp, _ figures: Figures) {
        self.cause = cause
        at = time
        self.figures = figures
    }
}

/// Watches equity for losses. Profit that is realised and profit that is not count alike; money paid in
/// or out is neither.
package struct LossMonitor: Sendable {
    /// What is allowed.
    package let limits: LossLimits

    private var dayStart: ExactMoney
    private var highWater: ExactMoney
    // Reached at or below these. Kept, since a division at every timestamp costs more than all the rest.
    private var dayFloor: ExactMoney?
    private var drawdownFloor: ExactMoney?

    /// A monitor of an account that begins with that equity.
    package init(_ limits: LossLimits, equity: ExactMoney) {
        self.limits = limits
        dayStart = equity
        highWater = equity
        setFloors()
    }

    /// The highest equity so far.
    package var highest: ExactMoney { highWater }

    /// A trading day begins with that equity.
    package mutating func beginDay(with equity: ExactMoney) {
        dayStart = equity
        setFloors()
    }

    /// Money is paid in or out: it is neither profit nor loss.
    package mutating func shift(by amount: ExactMoney) {
        dayStart += amount
        highWater += amount
        setFloors()
    }

    /// A person lets trading go on after a fall: the next one is measured from here.
    package mutating func resume(with equity: ExactMoney) {
        highWater = equity
        setFloors()
    }

    /// Looks at equity after all that belongs to a slice.
    package mutating func observe(_ equity: ExactMoney) {
        guard equity > highWater else { return }
        highWater = equity
        setFloors()
    }

    /// The limit on a day's loss, if that equity reaches it: a loss of exactly the limit does.
    package func dailyBreach(with equity: ExactMoney, at time: Timestamp) -> LimitBreach? {
        guard let dayFloor, equity <= dayFloor, equity < dayStart else { return nil }
        let loss = dayStart - equity
        let figures: LimitBreach.Figures? =
            if let percent = limits.dailyPercent, loss >= Self.part(percent, of: dayStart) {
                .percent(limit: percent, value: Self.percent(loss, of: dayStart))
            } else {
                limits.dailyAmount.map { .amount(limit: $0, value: Money(clamping: loss)) }
            }
        return figures.map { LimitBreach(.dailyLoss, at: time, $0) }
    }

    /// The limit on the fall from the highest value, if that equity reaches it.
    package func drawdownBreach(with equity: ExactMoney, at time: Timestamp) -> LimitBreach? {
        guard let drawdownFloor, equity <= drawdownFloor, equity < highWater,
            let percent = limits.drawdownPercent
        else { return nil }
        let value = Self.percent(highWater - equity, of: highWater)
        return LimitBreach(.drawdown, at: time, .percent(limit: percent, value: value))
    }

    /// Equities between which no limit can be reached, whatever they are one after the other; `nil` when there are
    /// none around `equity`.
    ///
    /// - Parameters:
    ///   - checksDay: true if the limit on a day's loss is looked at.
    ///   - checksDrawdown: true if the limit on the fall from the highest equity is.
    package func quietRange(
        around equity: ExactMoney, checksDay: Bool, checksDrawdown: Bool
    ) -> (above: ExactMoney, most: ExactMoney)? {
        var floor = checksDay ? dayFloor : nil
        // A new high lifts the floor below it: up to a quarter of the way that is counted with.
        let highest = max(highWater, equity)
        var most = ExactMoney(units: .max / 4)
        if checksDrawdown, let drawdownFloor, let percent = limits.drawdownPercent {
            guard highest > .zero else { return nil }
            most = highest + ExactMoney(units: (highest - drawdownFloor).units / 4)
            let lifted = most - Self.part(percent, of: most)
            floor = max(floor ?? lifted, lifted)
        }
        let above = floor ?? ExactMoney(units: .min / 4)
        return equity > above && equity <= most ? (above, most) : nil
    }

    /// Takes what losses are measured against into a digest.
    package func hash(into hasher: inout StateHasher) {
        hasher.combine(dayStart)
        hasher.combine(highWater)
    }

    private mutating func setFloors() {
        var allowed = limits.dailyAmount.map { ExactMoney($0) }
        if let percent = limits.dailyPercent {
            let part = Self.part(percent, of: dayStart)
            allowed = min(allowed ?? part, part)
        }
        dayFloor = allowed.map { dayStart - $0 }
        drawdownFloor = limits.drawdownPercent.map { highWater - Self.part($0, of: highWater) }
    }

    /// A part of what there was; of nothing or of debts it is nothing, so that any loss is too much.
    private static func part(_ percent: Percent, of whole: ExactMoney) -> ExactMoney {
        guard whole > .zero else { return .zero }
        return whole.scaled(
            by: UInt128(percent.units.magnitude), over: UInt128(Percent.hundred.units)) ?? whole
    }

    /// How much of what there was is lost, rounded down; at most a million percent is reported.
    private static func percent(_ loss: ExactMoney, of whole: ExactMoney) -> Percent {
        let most = Percent(1_000_000)
        guard whole > .zero else { return most }
        let units = ExactMoney(units: Int128(Percent.hundred.units)).scaled(
            by: loss.units.magnitude, over: whole.units.magnitude)?.units
        return min(units.flatMap { Int64(exactly: $0) }.map(Percent.init(units:)) ?? most, most)
    }
}

/// What losses are measured against as records: the topic `baseline`.
extension LossMonitor {
    /// Writes equity at the start of the day and the highest; the limits are the run's.
    package func write(to writer: inout RecordWriter) {
        writer.item(.baseline) { writer in
            writer.write(dayStart)
            writer.write(highWater)
        }
    }

    /// Takes one item into a monitor.
    package mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        guard reader.topic == .baseline else { throw reader.damage }
        dayStart = try reader.exactMoney()
        highWater = try reader.exactMoney()
        try reader.finish()
        setFloors()
    }
}
