import MarketState
import Primitives
import TWSProtocol

/// The broker's announcements. Of its own accord the gateway announces early closes, at 08:00 New York time
/// of their days.
struct BulletinBoard: Sendable {
    private var readers: [ConnectionID] = []
    /// Announcements of the day, oldest first.
    private var today: [NewsBulletin] = []
    /// From when on it is another day.
    private var dayEnd = Timestamp.distantPast
    /// An early close that is to be announced today.
    private var earlyClose: (due: Timestamp, close: Timestamp)?
    private var lastNumber: Int32 = 0

    /// Subscribes a client; one that is subscribed stays so.
    ///
    /// - Parameter all: also send it what was announced earlier today.
    mutating func subscribe(_ connection: ConnectionID, all: Bool, _ answers: inout Answers) {
        if !readers.contains(connection) { readers.append(connection) }
        guard all else { return }
        for bulletin in today { answers.send(.newsBulletin(bulletin), to: connection) }
    }

    /// Ends a subscription.
    mutating func forget(_ connection: ConnectionID) { readers.removeAll { $0 == connection } }

    /// Announces to all readers.
    mutating func announce(
        _ text: String, _ kind: NewsBulletinKind, from exchange: String, _ answers: inout Answers
    ) {
        lastNumber &+= 1
        var bulletin = NewsBulletin()
        bulletin.msgId = lastNumber
        bulletin.msgType = kind
        bulletin.newsMessage = text
        bulletin.originExch = exchange
        today.append(bulletin)
        // Nobody reads a thousand announcements of one day.
        if today.count > 1_000 { today.removeFirst() }
        for reader in readers { answers.send(.newsBulletin(bulletin), to: reader) }
    }

    /// Time has passed.
    mutating func pass(to now: Timestamp, _ calendar: SessionCalendar, _ answers: inout Answers) {
        if now >= dayEnd { begin(calendar.day(of: now), calendar) }
        guard let (due, close) = earlyClose, now >= due else { return }
        earlyClose = nil
        let hour = WireClock.clock(close).second / 3_600
        announce(
            "US stock exchanges close at \(hour):00 New York time today.", .regular, from: "NYSE",
            &answers)
    }

    private mutating func begin(_ day: Day, _ calendar: SessionCalendar) {
        dayEnd = calendar.dayEnd(of: day)
        today = []
        earlyClose = nil
        guard let session = calendar.session(on: day),
            session.close - session.open < calendar.sessionLength
        else { return }
        earlyClose = (session.open - .minutes(90), session.close)
    }
}
