import Model
import Primitives
import TWSClient
import TWSProtocol

/// The bars that a session's strategies see: where they come from, and when they are shown.
protocol BarSource: Sendable {
    /// How far the data are.
    var phase: SessionBars.Phase { get }
    /// When time has to pass next; `nil` while nothing is waited for.
    var wake: Timestamp? { get }

    /// What strategies have been shown so far.
    var shown: ShownBars { get }

    /// The instruments whose prices have jumped and are not confirmed.
    var doubted: [InstrumentID] { get }
    /// When something came of an instrument's stream; `nil` before, and where there is no stream.
    func newestData(of instrument: InstrumentID) -> Timestamp?
    /// When an instrument has traded by its stream; `nil` before, and where there is no stream.
    func newestTrade(of instrument: InstrumentID) -> Timestamp?

    /// Goes on behind bars that a recovered engine has seen.
    ///
    /// - Parameter instruments: those whose bars are shown.
    mutating func resume(behind shown: ShownBars, _ instruments: [Instrument])
    /// Takes in an event of the session.
    ///
    /// - Returns: what is to be asked, and requests that are over.
    mutating func take(
        _ event: SessionEvent, at now: Timestamp
    ) -> (questions: [ClientMessage], finished: [RequestID])
    /// Looks for what is due and for what stays away.
    ///
    /// - Parameter isQueued: tells whether a request waits to leave still.
    /// - Returns: what is to be asked.
    mutating func review(
        at now: Timestamp, _ isQueued: (RequestID) -> Bool
    ) -> [ClientMessage]
    /// Takes the requests that are not waited for any more.
    mutating func takeAbandoned() -> [RequestID]
    /// What began and ended with the data.
    mutating func takeReports() -> [ConditionReport]
    /// Takes the events that are due.
    mutating func takeEvents(at now: Timestamp) -> [Event.Kind]
}

extension SessionBars: BarSource {}
