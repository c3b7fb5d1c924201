public import Signals

/// The strategies that come with the program.
public enum BundledStrategies {
    /// All of them, by name.
    public static let all: [any Strategy.Type] = [
        MovingAverageCrossover.self, Momentum.self, CrossSectionalMomentum.self,
        RSIReversion.self, ZScoreReversion.self, BidAskTurns.self,
    ]
}
