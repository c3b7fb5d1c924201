import Accounting
import MarketState
public import Model
import Orders
import Primitives
import Risk
import Signals

/// The state that a session begins with.
extension Engine {
    @usableFromInline
    mutating func sessionOpened(_ opening: SessionOpening, into output: inout EngineOutput) {}
    @usableFromInline
    mutating func read(_ record: OpeningRecord, into output: inout EngineOutput) {}
    @usableFromInline
    mutating func openingCompleted(into output: inout EngineOutput) {}
}
