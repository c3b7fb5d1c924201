import Model
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct RiskRecordTests {
    private static let bounds = RecordReader.Bounds(instruments: 3, strategies: 1)

    private static var limits: LossLimits {
        var limits = LossLimits()
        limits.dailyPercent = Percent(5)
        limits.drawdownPercent = Percent(10)
        return limits
    }

    private func gate() -> RiskGate { RiskGate(limits: nil, instrumentCount: 3) }

    @Test func haltsAndLatchesComeBack() throws {
        for bits in 0..<1 << HaltCause.allCases.count {
            var gate = gate()
            for cause in HaltCause.allCases where bits & 1 << cause.rawValue != 0 {
                gate.halt(for: cause)
            }
            if bits % 2 == 0 { gate.latch(InstrumentID(index: bits % 3)) }
            var copy = self.gate()
            try RecordItems { gate.write(to: &$0) }.read(Self.bounds) { try copy.read(&$0) }
            #expect(copy.haltCauses == gate.haltCauses)
            for instrument in (0..<3).map(InstrumentID.init(index:)) {
                #expect(copy.isLatched(instrument) == gate.isLatched(instrument))
            }
            #expect(digest(copy) == digest(gate))
        }
    }

    /// Property: a monitor that enters anew sees the same breaches.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func baselinesComeBack(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let start = ExactMoney(Money(cents: 1_000_000_00))
        var monitor = LossMonitor(Self.limits, equity: start)
        for _ in 0..<50 {
            let equity = ExactMoney(Money(cents: chance.number(in: -10_000_00...1_200_000_00)))
            switch chance.number(in: 0...3) {
            case 0: monitor.observe(equity)
            case 1: monitor.beginDay(with: equity)
            case 2: monitor.shift(by: ExactMoney(Money(cents: chance.number(in: -100...100))))
            case _: monitor.resume(with: equity)
            }
            var copy = LossMonitor(Self.limits, equity: .zero)
            try RecordItems { monitor.write(to: &$0) }.read(Self.bounds) { try copy.read(&$0) }
            for _ in 0..<5 {
                let equity = ExactMoney(Money(cents: chance.number(in: 0...1_200_000_00)))
                #expect(
                    copy.dailyBreach(with: equity, at: Make.open)
                        == monitor.dailyBreach(with: equity, at: Make.open))
                #expect(
                    copy.drawdownBreach(with: equity, at: Make.open)
                        == monitor.drawdownBreach(with: equity, at: Make.open))
            }
            monitor = copy
        }
    }

    @Test func reservesComeBack() throws {
        var reserves = PurchaseReserves()
        for number in [3, 7, 8] as [Int64] {
            reserves.add(OrderID(number: number), at: Price(cents: number))
        }
        var copy = PurchaseReserves()
        let items = RecordItems { reserves.write(to: &$0) }
        try items.read(Self.bounds) { try copy.read(&$0) }
        #expect(copy.entries == reserves.entries)
        // None is taken in twice.
        #expect(throws: RecordError.self) { try items.read(Self.bounds) { try copy.read(&$0) } }
    }

    /// Property: whatever is changed in records never stops the process.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func damagedRecordsAreRefusedOrTakenIn(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var gate = gate()
        for cause in HaltCause.allCases { gate.halt(for: cause) }
        gate.latch(InstrumentID(index: 2))
        let monitor = LossMonitor(Self.limits, equity: ExactMoney(Money(cents: 100)))
        var reserves = PurchaseReserves()
        reserves.add(OrderID(number: 1), at: Price(cents: 1))
        let items = RecordItems { writer in
            gate.write(to: &writer)
            monitor.write(to: &writer)
            reserves.write(to: &writer)
        }
        for _ in 0..<100 {
            let damaged = items.damaged(&chance)
            var copies = (gate: self.gate(), monitor: monitor, reserves: PurchaseReserves())
            try? damaged.read(Self.bounds) { try? copies.gate.read(&$0) }
            try? damaged.read(Self.bounds) { try? copies.monitor.read(&$0) }
            try? damaged.read(Self.bounds) { try? copies.reserves.read(&$0) }
            for equity in [ExactMoney.zero, ExactMoney(units: 1 << 104)] {
                _ = copies.monitor.dailyBreach(with: equity, at: Make.open)
                _ = copies.monitor.drawdownBreach(with: equity, at: Make.open)
                _ = copies.monitor.quietRange(around: equity, checksDay: true, checksDrawdown: true)
            }
        }
    }

    private func digest(_ gate: RiskGate) -> UInt64 {
        var hasher = StateHasher()
        gate.hash(into: &hasher)
        return hasher.digest
    }
}
