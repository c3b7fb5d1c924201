import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// A truth table, worked out by hand: what becomes of six resting orders in forty shapes of bars.
///
/// Orders buy at a limit of 99 and sell at one of 101; stops buy at 101 and sell at 99; stop-limits
/// buy at 101 up to 102 and sell at 99 down to 98. A limit needs a price beyond it.
@Suite struct BarShapeTests {
    /// What becomes of an order.
    enum Outcome {
        /// Nothing.
        case none
        /// It fills at the bar's open.
        case open
        /// It fills within the bar at its price: a limit at its limit, the others at their stop.
        case own
        /// A stop-limit that was triggered at the open fills at its limit.
        case limit
    }

    /// A bar in cents and the outcomes, each for what buys and for what sells.
    struct Shape: Sendable {
        let name: String
        let bar: [Int64]
        let limits: (Outcome, Outcome)
        let stops: (Outcome, Outcome)
        let stopLimits: (Outcome, Outcome)

        init(
            _ name: String, _ bar: [Int64], _ limits: (Outcome, Outcome),
            _ stops: (Outcome, Outcome), _ stopLimits: (Outcome, Outcome)
        ) {
            self.name = name
            self.bar = bar
            self.limits = limits
            self.stops = stops
            self.stopLimits = stopLimits
        }
    }

    // swift-format-ignore
    static let shapes: [Shape] = [
        // Open between all prices.
        Shape("flat", [100_00, 100_00, 100_00, 100_00], (.none, .none), (.none, .none), (.none, .none)),
        Shape("inside", [100_00, 100_99, 99_01, 100_00], (.none, .none), (.none, .none), (.none, .none)),
        Shape("low touches", [100_00, 100_50, 99_00, 100_00], (.none, .none), (.none, .own), (.none, .own)),
        Shape("high touches", [100_00, 101_00, 99_50, 100_00], (.none, .none), (.own, .none), (.own, .none)),
        Shape("low a cent through", [100_00, 100_50, 98_99, 100_00], (.own, .none), (.none, .own), (.none, .own)),
        Shape("high a cent through", [100_00, 101_01, 99_50, 100_00], (.none, .own), (.own, .none), (.own, .none)),
        Shape("both touch", [100_00, 101_00, 99_00, 100_00], (.none, .none), (.own, .own), (.own, .own)),
        Shape("wide", [100_00, 103_00, 97_00, 100_00], (.own, .own), (.own, .own), (.own, .own)),
        Shape("rise", [100_00, 103_00, 100_00, 103_00], (.none, .own), (.own, .none), (.own, .none)),
        Shape("fall", [100_00, 100_00, 97_00, 97_00], (.own, .none), (.none, .own), (.none, .own)),
        Shape("rise, wick below", [100_00, 103_00, 99_50, 103_00], (.none, .own), (.own, .none), (.own, .none)),
        Shape("fall, wick above", [100_00, 100_50, 97_00, 97_00], (.own, .none), (.none, .own), (.none, .own)),
        Shape("hammer", [100_00, 100_20, 98_50, 100_10], (.own, .none), (.none, .own), (.none, .own)),
        Shape("shooting star", [100_00, 101_50, 99_80, 99_90], (.none, .own), (.own, .none), (.own, .none)),
        Shape("long doji", [100_00, 101_50, 98_50, 100_00], (.own, .own), (.own, .own), (.own, .own)),
        Shape("just below 101", [100_00, 100_99, 99_50, 100_90], (.none, .none), (.none, .none), (.none, .none)),
        Shape("just above 99", [100_00, 100_50, 99_01, 99_10], (.none, .none), (.none, .none), (.none, .none)),
        Shape("gap within", [100_80, 100_90, 100_70, 100_80], (.none, .none), (.none, .none), (.none, .none)),
        Shape("slips to 99", [99_01, 99_01, 99_00, 99_00], (.none, .none), (.none, .own), (.none, .own)),
        Shape("creeps to 101", [100_99, 101_00, 100_99, 101_00], (.none, .none), (.own, .none), (.own, .none)),
        // Open at 99 or below.
        Shape("flat at 99", [99_00, 99_00, 99_00, 99_00], (.none, .none), (.none, .open), (.none, .open)),
        Shape("99 and up", [99_00, 100_00, 99_00, 100_00], (.none, .none), (.none, .open), (.none, .open)),
        Shape("99 and down", [99_00, 99_00, 98_50, 98_50], (.own, .none), (.none, .open), (.none, .open)),
        Shape("gap below 99", [98_50, 98_60, 98_40, 98_50], (.open, .none), (.none, .open), (.none, .open)),
        Shape("gap below 98", [97_50, 97_50, 97_50, 97_50], (.open, .none), (.none, .open), (.none, .none)),
        Shape("gap below 98, back over it", [97_50, 98_50, 97_00, 98_00], (.open, .none), (.none, .open), (.none, .limit)),
        Shape("gap below 98, back to it", [97_50, 98_00, 97_00, 97_50], (.open, .none), (.none, .open), (.none, .none)),
        Shape("flat at 98", [98_00, 98_00, 98_00, 98_00], (.open, .none), (.none, .open), (.none, .none)),
        Shape("98 and up", [98_00, 98_20, 98_00, 98_20], (.open, .none), (.none, .open), (.none, .limit)),
        Shape("gap below, rally", [97_50, 103_00, 97_00, 102_00], (.open, .own), (.own, .open), (.own, .limit)),
        // Open at 101 or above.
        Shape("flat at 101", [101_00, 101_00, 101_00, 101_00], (.none, .none), (.open, .none), (.open, .none)),
        Shape("101 and down", [101_00, 101_00, 100_00, 100_00], (.none, .none), (.open, .none), (.open, .none)),
        Shape("101 and up", [101_00, 101_50, 101_00, 101_50], (.none, .own), (.open, .none), (.open, .none)),
        Shape("gap above 101", [101_50, 101_60, 101_40, 101_50], (.none, .open), (.open, .none), (.open, .none)),
        Shape("gap above 102", [102_50, 102_50, 102_50, 102_50], (.none, .open), (.open, .none), (.none, .none)),
        Shape("gap above 102, back below it", [102_50, 103_00, 101_50, 102_00], (.none, .open), (.open, .none), (.limit, .none)),
        Shape("gap above 102, back to it", [102_50, 103_00, 102_00, 102_50], (.none, .open), (.open, .none), (.none, .none)),
        Shape("flat at 102", [102_00, 102_00, 102_00, 102_00], (.none, .open), (.open, .none), (.none, .none)),
        Shape("102 and down", [102_00, 102_00, 101_90, 101_90], (.none, .open), (.open, .none), (.limit, .none)),
        Shape("gap above, crash", [102_50, 103_00, 97_00, 98_00], (.own, .open), (.open, .own), (.limit, .own)),
    ]

    /// One order alone does not depend on the path that is assumed.
    @Test(arguments: VenueRules.BarPath.allCases)
    func ordersFareAsInTheTable(path: VenueRules.BarPath) {
        #expect(Self.shapes.count == 40)
        for shape in Self.shapes {
            check(shape, .buy, .limit(cents: 99_00), shape.limits.0, path)
            check(shape, .sell, .limit(cents: 101_00), shape.limits.1, path)
            check(shape, .buy, .stop(cents: 101_00), shape.stops.0, path)
            check(shape, .sell, .stop(cents: 99_00), shape.stops.1, path)
            check(
                shape, .buy, .stopLimit(stop: 101_00, limit: 102_00), shape.stopLimits.0, path)
            check(shape, .sell, .stopLimit(stop: 99_00, limit: 98_00), shape.stopLimits.1, path)
        }
    }

    private func check(
        _ shape: Shape, _ side: Side, _ type: OrderType, _ outcome: Outcome,
        _ path: VenueRules.BarPath
    ) {
        var venue = VenueRig { $0.barPath = path }
        _ = venue.submit(Make.order(side, 10, type), at: Make.open)
        let bar = Make.bar(
            0, open: shape.bar[0], high: shape.bar[1], low: shape.bar[2], close: shape.bar[3])
        let cent = Price.unitsPerOne / 100
        let atOpen = venue.open(bar).fills
        let within = venue.close(bar).fills
        switch outcome {
        case .none: #expect(atOpen.isEmpty && within.isEmpty, "\(shape.name), \(type)")
        case .open:
            #expect(atOpen == [Fill(1, 10, shape.bar[0], Make.open)], "\(shape.name), \(type)")
        case .own:
            let own = (type.stopPrice ?? type.limitPrice ?? .zero).units / cent
            #expect(within == [Fill(1, 10, own, Make.time(60))], "\(shape.name), \(type)")
        case .limit:
            let limit = (type.limitPrice ?? .zero).units / cent
            #expect(within == [Fill(1, 10, limit, Make.time(60))], "\(shape.name), \(type)")
        }
    }
}
