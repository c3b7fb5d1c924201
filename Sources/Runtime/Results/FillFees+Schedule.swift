import Model
import Primitives
import Reporting
import Simulation

extension FillFees {
    /// What each fill of a simulated run cost in parts, worked out from its schedule.
    static func all(of record: RunRecord, under schedule: CommissionSchedule) -> [FillFees] {
        guard schedule.passesOnRegulatoryFees else {
            return record.fills.map { FillFees(broker: $0.commission) }
        }
        // Orders have the numbers from 1 on.
        var left = Array(repeating: 0, count: record.orders.count + 1)
        for fill in record.fills { left[Int(fill.order.number)] += 1 }
        var breakdown = FeeBreakdown(schedule)
        return record.fills.map { fill in
            let instrument = record.instruments[Int(fill.execution.instrument.index)]
            let parts = breakdown.parts(
                of: fill.execution, in: fill.order, multiplier: instrument.multiplier)
            let index = Int(fill.order.number)
            left[index] -= 1
            if left[index] == 0 { breakdown.end(fill.order) }
            return FillFees(parts)
        }
    }

    private init(_ parts: ChargeParts) {
        self.init(
            broker: parts.broker, clearing: parts.clearing, sec: parts.sec, taf: parts.taf)
    }
}
