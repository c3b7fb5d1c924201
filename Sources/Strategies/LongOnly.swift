import Model
import Primitives
import Signals

/// What strategies that buy and sell, and never sell short, do about a signal. A signal that turns before its
/// intent could trade takes the intent back: no order goes against the newest signal.
extension StrategyContext {
    /// True when there is something to do about a signal to be in: nothing is held, or what is held is about to
    /// be sold.
    func canBuy(_ instrument: InstrumentID) -> Bool {
        let holding = holding(of: instrument)
        return holding.quantity == .zero || holding.isExiting
    }

    /// True when there is something to do about a signal to be out: something is held, or about to be bought.
    func canSell(_ instrument: InstrumentID) -> Bool {
        let holding = holding(of: instrument)
        return holding.quantity > .zero || holding.isEntering
    }

    /// Buys, or takes back an exit that is pending or works.
    mutating func buy(_ instrument: InstrumentID, because reason: StaticString) {
        if holding(of: instrument).isExiting {
            withdraw(instrument, because: reason)
        } else {
            enter(.buy, instrument, because: reason)
        }
    }
}
