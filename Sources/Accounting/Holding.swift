package import Primitives

/// One owner's position in one instrument.
package struct Holding: Hashable, Sendable {
    /// Whose.
    package let owner: Attribution
    /// In what.
    package let instrument: InstrumentID

    /// Names a position.
    package init(of owner: Attribution, in instrument: InstrumentID) {
        self.owner = owner
        self.instrument = instrument
    }
}
