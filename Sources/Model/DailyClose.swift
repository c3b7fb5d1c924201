public import Primitives

/// The close of an instrument's regular session on a past day, as the broker's history has it now.
public struct DailyClose: Hashable, Sendable, BitwiseCopyable {
    /// Of what.
    public let instrument: InstrumentID
    /// Of which day.
    public let day: Day
    /// The last price of its regular session.
    public let close: Price

    /// A close.
    public init(instrument: InstrumentID, day: Day, close: Price) {
        self.instrument = instrument
        self.day = day
        self.close = close
    }
}
