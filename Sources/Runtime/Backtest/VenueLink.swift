import Model
import Primitives
import Simulation

/// The connection between an engine and a simulated venue: how long market data, orders and answers are under
/// way.
///
/// A connection keeps order: no message overtakes one of its kind that was sent before. Without latency
/// nothing is queued.
struct VenueLink: ~Copyable {
    /// The exchange at the other end.
    var venue: SimulatedBroker
    /// What the venue has answered; the first `takenCount` were taken.
    var answers: [OrderReport] = []
    private var takenCount = 0

    /// True if market data takes any time.
    let delaysData: Bool
    private let answersAtOnce: Bool
    private let latencies: Latencies
    private var generator: SeededGenerator
    /// When the newest market data arrives.
    private(set) var newestData = Timestamp.distantPast
    private var newestCommand = Timestamp.distantPast
    private var newestAnswer = Timestamp.distantPast

    /// A connection before its first message.
    ///
    /// - Parameter seed: what all latencies follow from that are drawn.
    init(to venue: consuming SimulatedBroker, _ latencies: Latencies, seed: UInt64) {
        self.venue = venue
        self.latencies = latencies
        generator = SeededGenerator(seed: seed)
        delaysData = latencies.marketData != .fixed(.zero)
        answersAtOnce = latencies.acknowledgement == .fixed(.zero)
    }

    // MARK: Messages

    /// Works out when market data arrives that the venue publishes at `time`: `newestData`.
    mutating func delayData(from time: Timestamp) {
        newestData = max(newestData, time + latencies.marketData.draw(&generator))
    }

    /// When a command reaches the venue that is sent at `time`.
    mutating func arrivalOfCommand(sentAt time: Timestamp) -> Timestamp {
        newestCommand = max(newestCommand, time + latencies.order.draw(&generator))
        return newestCommand
    }

    /// When an answer arrives that the venue gives at `time`.
    @inline(__always)
    mutating func arrivalOfAnswer(givenAt time: Timestamp) -> Timestamp {
        answersAtOnce ? time : delayAnswer(givenAt: time)
    }

    private mutating func delayAnswer(givenAt time: Timestamp) -> Timestamp {
        newestAnswer = max(newestAnswer, time + latencies.acknowledgement.draw(&generator))
        return newestAnswer
    }

    // MARK: The venue's end

    /// Hands the venue a command that has arrived.
    ///
    /// - Parameter bar: the bar of its instrument that has begun, where the venue matches with bars.
    mutating func deliver(_ command: Command, at time: Timestamp, during bar: Bar?) {
        if let bar { venue.noteBar(bar) }
        switch command {
        case .submit(let ticket): venue.submit(ticket, at: time, answers: &answers)
        case .modify(let ticket, let revision):
            venue.modify(ticket, revision: revision, at: time, answers: &answers)
        case .cancel(let id): venue.cancel(id, answers: &answers)
        case .setTimer, .probe, .query: preconditionFailure("only orders travel")
        }
    }

    /// True if the venue has given answers that were not taken.
    var hasAnswers: Bool {
        @inline(__always) get { takenCount < answers.count }
    }

    /// Takes the venue's next answer, which there must be.
    @inline(__always)
    mutating func takeAnswer() -> OrderReport {
        takenCount += 1
        return answers[takenCount - 1]
    }

    /// Forgets the answers that were taken, once all are. Clearing costs as much as an answer: it is not done
    /// after each.
    @inline(__always)
    mutating func dropTakenAnswers() {
        guard answers.count > Self.keptMax else { return }
        answers.clear()
        takenCount = 0
    }

    /// How many answers are kept that are of no more use.
    private static let keptMax = 1_000
}
