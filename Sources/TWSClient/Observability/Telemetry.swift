import Histogram
import Logging
import Metrics
public import Primitives
import Synchronization
import TWSProtocol

/// How long answers to one kind of question took.
public struct Latency: Hashable, Sendable {
    /// The question: "contract details".
    public let question: String
    /// Answers measured.
    public let count: Int
    /// Half of them took at most this long.
    public let median: Duration
    /// 99 of 100 took at most this long.
    public let percentile99: Duration
    /// The longest.
    public let longest: Duration
}

/// Records what a client lives through in logs, counters and latencies. Decides nothing.
final class Telemetry: Sendable {
    private let logger: Logger
    private let messages = Counter(label: "tws_messages_received_total")
    private let rejected = Counter(label: "tws_messages_rejected_total")
    private let leftovers = Counter(label: "tws_fields_unknown_total")
    private let connections = Counter(label: "tws_connections_total")
    private let disconnections = Counter(label: "tws_disconnections_total")
    private let notices = Counter(label: "tws_notices_total")
    private let resubscriptions = Counter(label: "tws_resubscriptions_total")
    private let unsent = Counter(label: "tws_messages_unsent_total")
    private let unclaimed = Counter(label: "tws_messages_unclaimed_total")
    private let unclaimedCount = Mutex(0)
    private let latencies = Mutex<[String: Histogram<UInt64>]>([:])
    private let lastChange = Mutex<Timestamp?>(nil)

    init(logger: Logger) { self.logger = logger }

    /// Counts an event.
    func count(_ event: SessionEvent) {
        switch event {
        case .message(_, let leftover):
            messages.increment()
            if leftover > 0 { leftovers.increment(by: leftover) }
        case .rejected(let failure):
            rejected.increment()
            logger.error("A message could not be read", metadata: ["cause": "\(failure)"])
        case .unsent(let messages):
            unsent.increment(by: messages.count)
            logger.warning("Messages did not leave", metadata: ["count": "\(messages.count)"])
        case .resubscribe(let which):
            resubscriptions.increment()
            logger.info("Subscriptions are made anew", metadata: ["which": "\(which)"])
        case .syncStalled(let missing):
            logger.error(
                "The gateway does not answer",
                metadata: ["missing": "\(missing.map(\.description).joined(separator: ", "))"])
        case .silence(let health):
            let level: Logger.Level = health >= .alarm ? .error : .warning
            logger.log(
                level: health == .healthy ? .info : level, "The line's silence",
                metadata: ["verdict": "\(health)"])
        case .agreed, .link, .asked, .answered, .disconnected: break
        }
    }

    /// Counts a message that nobody waits for, such as an answer that came too late.
    func countUnclaimed() {
        unclaimed.increment()
        unclaimedCount.withLock { $0 += 1 }
    }

    /// Messages so far that nobody waited for.
    var unclaimedSoFar: Int { unclaimedCount.withLock { $0 } }

    func agreed(_ agreement: ClientHandshake.Agreement, epoch: Int) {
        connections.increment()
        logger.info(
            "Connected",
            metadata: ["server_version": "\(agreement.version)", "connection": "\(epoch)"])
    }

    /// One line for each change of the link: with its cause, and how long the state before lasted.
    func changed(to link: LinkState, because cause: LinkCause, at now: Timestamp) {
        let lasted = lastChange.withLock { last in
            defer { last = now }
            return last.map { now - $0 }
        }
        var metadata: Logger.Metadata = ["state": "\(link)", "cause": "\(cause)"]
        if let lasted { metadata["after_ms"] = "\(lasted.nanoseconds / 1_000_000)" }
        logger.notice("Link", metadata: metadata)
    }

    func disconnected(_ fault: SessionFault, nextAttemptIn wait: Duration?) {
        disconnections.increment()
        logger.warning(
            "Disconnected",
            metadata: [
                "cause": "\(fault)",
                "next_attempt_ms": "\(wait.map { String($0.nanoseconds / 1_000_000) } ?? "none")",
            ])
    }

    func received(_ notice: Notice, _ reading: CodeReading, id: Int32?) {
        notices.increment()
        let level: Logger.Level =
            switch reading.kind {
            case .information: .info
            case .warning, .unknown, .reject: .warning
            case .connectivity: .notice
            case .fatal: .error
            }
        logger.log(
            level: level, "The gateway says",
            metadata: [
                "code": "\(notice.code)", "text": "\(AccountText.redacted(notice.text))",
                "id": "\(id.map { String($0) } ?? "none")", "advice": "\(notice.advice)",
            ])
    }

    func notCalledOff(_ question: String, _ refusal: SendRefusal) {
        logger.debug(
            "A request was not called off",
            metadata: ["question": "\(question)", "cause": "\(refusal)"])
    }

    /// Measures an answer.
    func answered(_ question: String, after duration: Duration) {
        let microseconds = UInt64(max(1, duration.nanoseconds / 1_000))
        latencies.withLock { latencies in
            // An hour and three digits; a longer one counts as an hour.
            var histogram =
                latencies.removeValue(forKey: question)
                ?? Histogram<UInt64>(
                    highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: .three)
            histogram.record(min(microseconds, 3_600_000_000))
            latencies[question] = histogram
        }
    }

    /// The latencies so far, by question.
    func summary() -> [Latency] {
        latencies.withLock { latencies in
            latencies.map { question, histogram in
                Latency(
                    question: question, count: Int(clamping: histogram.totalCount),
                    median: .microseconds(histogram.median),
                    percentile99: .microseconds(histogram.valueAtPercentile(99)),
                    longest: .microseconds(histogram.maxRecorded))
            }
        }.sorted { $0.question < $1.question }
    }
}

extension Duration {
    fileprivate static func microseconds(_ count: UInt64) -> Duration {
        Duration(nanoseconds: Int64(clamping: count) * 1_000)
    }
}
