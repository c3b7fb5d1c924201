package import Primitives
package import TWSProtocol

/// Messages on their way to clients, in the order in which they were published.
package struct Answers: Sendable {
    /// A message and the connection it is for.
    package struct Answer: Hashable, Sendable {
        /// Whom it is for.
        package let connection: ConnectionID
        /// The message.
        package fileprivate(set) var message: GatewayMessage
    }

    /// What was published and not taken yet.
    package private(set) var list: [Answer] = []

    /// Nothing published yet.
    package init() {}

    /// Publishes a message to a client.
    package mutating func send(_ message: GatewayMessage, to connection: ConnectionID) {
        list.append(Answer(connection: connection, message: message))
    }

    /// Reports a code to a client: a refusal, a warning or a notice.
    ///
    /// - Parameters:
    ///   - id: the request or order it is about; `nil` for none.
    ///   - advancedReject: why an order was rejected, as JSON; empty where there is no more.
    package mutating func report(
        _ code: Int32, _ text: String, about id: Int32?, to connection: ConnectionID,
        advancedReject: String = ""
    ) {
        var message = ErrorMessage()
        message.id = id
        message.errorCode = code
        message.errorString = text
        message.advancedOrderRejectJson = advancedReject
        send(.error(message), to: connection)
    }

    /// Takes all that was published since the last time.
    ///
    /// - Parameter now: the session's time, with which codes are reported; versions before 194 do not have it.
    package mutating func take(at now: Timestamp) -> [Answer] {
        defer { list.removeAll(keepingCapacity: true) }
        for index in list.indices { list[index].stamp(now) }
        return list
    }
}

extension Answers.Answer {
    /// Writes into a code when it is reported, in milliseconds since 1970 UTC.
    fileprivate mutating func stamp(_ now: Timestamp) {
        guard case .error(var error) = message else { return }
        error.errorTime = now.nanoseconds / 1_000_000
        message = .error(error)
    }
}
