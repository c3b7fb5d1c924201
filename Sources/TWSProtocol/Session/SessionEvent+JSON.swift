import Primitives

extension SessionEvent {
    /// The event as one JSON object: `event`, and what belongs to it. A message has its name and fields
    /// as decoded frames have them; one that carries a code also how `codes` reads it.
    ///
    /// - Parameters:
    ///   - version: the version both sides agreed on.
    ///   - showsAccounts: accounts in clear text.
    package func json(
        at version: ServerVersion, codes: CodePolicy, showsAccounts: Bool
    ) -> String {
        var json = JSONText()
        json.open("{")
        json.member("event", text: name)
        func words(_ text: String) -> String {
            showsAccounts ? text : AccountText.redacted(text)
        }
        switch self {
        case .agreed(let agreement, _):
            json.member("server_version", raw: "\(agreement.version.number)")
            json.member("connection_time", text: agreement.connectionTime)
        case .message(let message, let leftover):
            json.member("message", text: "\(message.kind)")
            json.member("fields", raw: message.json(at: version, showsAccounts: showsAccounts))
            if leftover > 0 { json.member("leftover", raw: "\(leftover)") }
            if case .error(let error) = message {
                let reading = codes.reading(of: Int(error.errorCode), text: error.errorString)
                json.member("class", text: reading.kind.rawValue)
                json.member("scope", text: reading.scope.rawValue)
                json.member("advice", text: reading.advice)
            }
        case .rejected(let failure): json.member("reason", text: words("\(failure)"))
        case .link(let state, let cause):
            json.member("state", text: "\(state)")
            json.member("cause", text: words("\(cause)"))
        case .resubscribe(let subscriptions): json.member("which", text: "\(subscriptions)")
        case .asked(let answers), .syncStalled(let answers):
            json.key(name == "asked" ? "which" : "missing")
            json.open("[")
            for answer in answers { json.append(text: "\(answer)") }
            json.close("]")
        case .answered(let answer): json.member("which", text: "\(answer)")
        case .silence(let health): json.member("verdict", text: "\(health)")
        case .unsent(let messages): json.member("count", raw: "\(messages.count)")
        case .disconnected(let fault, _): json.member("cause", text: words("\(fault)"))
        }
        json.close("}")
        return json.text
    }

    private var name: String {
        switch self {
        case .agreed: "agreed"
        case .message: "message"
        case .rejected: "rejected"
        case .link: "link"
        case .resubscribe: "resubscribe"
        case .asked: "asked"
        case .answered: "answered"
        case .syncStalled: "sync_stalled"
        case .silence: "silence"
        case .unsent: "unsent"
        case .disconnected: "disconnected"
        }
    }
}

extension LinkCause: CustomStringConvertible {
    /// The cause in a few words.
    public var description: String {
        switch self {
        case .connection: "connection"
        case .code(let code): "code \(code)"
        case .answer(let answer): "\(answer) read"
        case .fault(let fault): "\(fault)"
        case .owner: "owner"
        }
    }
}

extension SessionEvent.Subscriptions: CustomStringConvertible {
    /// The subscriptions in a few words.
    public var description: String {
        switch self {
        case .ofNewConnection: "new connection"
        case .all: "all"
        case .ofFarm(let farm): "farm \(farm)"
        }
    }
}
