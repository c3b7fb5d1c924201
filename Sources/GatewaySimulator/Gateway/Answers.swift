package import TWSProtocol

/// Messages on their way to clients, in the order in which they were told.
package struct Answers: Sendable {
    /// A message and the connection it is for.
    package struct Answer: Hashable, Sendable {
        /// Whom it is for.
        package let connection: ConnectionID
        /// What is said.
        package let message: GatewayMessage
    }

    /// What was told and not taken yet.
    package private(set) var list: [Answer] = []

    /// Nothing told yet.
    package init() {}

    /// Tells a client a message.
    package mutating func send(_ message: GatewayMessage, to connection: ConnectionID) {
        list.append(Answer(connection: connection, message: message))
    }

    /// Tells a client a code: a refusal, a warning or a notice.
    ///
    /// - Parameters:
    ///   - id: the request or order it is about; `nil` for none.
    ///   - advancedReject: why an order was rejected, as JSON; empty where there is no more to say.
    package mutating func tell(
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

    /// Takes all that was told since the last time.
    package mutating func take() -> [Answer] {
        defer { list.removeAll(keepingCapacity: true) }
        return list
    }
}
