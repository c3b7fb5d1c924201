package import Model
package import Primitives
package import TWSProtocol

/// The broker's lists: those that the session asks for while it synchronises, and those that the engine asks for.
extension GatewayVenue {
    /// Takes in that the session asks for a list.
    mutating func beginOwn(_ answer: SyncAnswer) {
        guard let kind = ListingKind(answer) else { return }
        ownLists.insert(kind)
        listDeadlines[kind] = nil
        begin(kind)
    }

    /// Takes in that a list which the session has asked for is complete.
    mutating func endOwn(_ answer: SyncAnswer) {
        guard let kind = ListingKind(answer), ownLists.remove(kind) != nil else { return }
        end(kind)
    }

    /// Takes in that the gateway does not answer.
    mutating func failOwn(_ answer: SyncAnswer) {
        guard let kind = ListingKind(answer) else { return }
        ownLists.remove(kind)
        fail(kind)
    }

    /// The message that asks for a list; `nil` while one is under way that answers it.
    ///
    /// - Parameter events: gains that the list begins.
    package mutating func question(
        for kind: ListingKind, at time: Timestamp, into events: inout [Event]
    ) -> ClientMessage? {
        defer { flush(at: time, into: &events) }
        guard !ownLists.contains(kind) else { return nil }
        guard !openLists.contains(kind) else {
            // The list under way may lack what happened since it began.
            repeatedLists.insert(kind)
            return nil
        }
        begin(kind)
        // The account's values go on without end.
        if kind != .accountValues { listDeadlines[kind] = time + listLimit }
        switch kind {
        case .openOrders: return .reqAllOpenOrders(ReqAllOpenOrders())
        case .completedOrders: return .reqCompletedOrders(ReqCompletedOrders())
        case .executions:
            var question = ReqExecutions()
            question.reqId = makeRequest()
            executionsRequest = question.reqId
            return .reqExecutions(question)
        case .positions: return .reqPositions(ReqPositions())
        case .accountValues:
            var question = ReqAccountUpdates()
            question.subscribe = true
            question.acctCode = account
            return .reqAccountUpdates(question)
        }
    }

    /// Takes in that a list which was asked for here is complete; lists of the session end by its word.
    mutating func endAsked(_ kind: ListingKind) {
        guard !ownLists.contains(kind) else { return }
        if listDeadlines[kind] != nil { failedLists = 0 }
        end(kind)
    }

    /// Takes in that lists have had no end for too long: what the engine has of them is no list.
    mutating func failOverdueLists(at time: Timestamp) {
        for kind in ListingKind.allCases {
            guard let deadline = listDeadlines[kind], time >= deadline else { continue }
            failedLists += 1
            fail(kind)
        }
    }

    /// True once, where lists stay without an end though the link is ready: all have to be read anew before anything
    /// opens.
    package mutating func takeDoubt() -> Bool {
        guard failedLists >= Self.failedListsMax else { return false }
        failedLists = 0
        return true
    }

    /// How many lists in a row may have no end before the link is doubted.
    private static let failedListsMax = 3

    /// Lists that the engine wants once more, now that those under way have ended.
    package mutating func takeRepeatedLists() -> [ListingKind] {
        let ready = ListingKind.allCases.filter {
            repeatedLists.contains($0) && !openLists.contains($0)
        }
        for kind in ready { repeatedLists.remove(kind) }
        return ready
    }

    /// Forgets all lists: they were of another connection.
    mutating func forgetLists() {
        openLists.removeAll()
        ownLists.removeAll()
        repeatedLists.removeAll()
        listDeadlines.removeAll()
        failedLists = 0
        executionsRequest = nil
    }

    /// Appends a list of all positions by the newest messages: the broker publishes every change.
    package mutating func listPositions(at time: Timestamp, into events: inout [Event]) {
        guard !openLists.contains(.positions) else { return }
        havePositionsChanged = false
        self.events.append(.listing(.begin(.positions, epoch)))
        for position in positions { self.events.append(.listing(.position(position))) }
        self.events.append(.listing(.end(.positions, epoch)))
        flush(at: time, into: &events)
    }

    /// Takes in that a question could not be sent.
    package mutating func notAsked(
        _ kind: ListingKind, at time: Timestamp, into events: inout [Event]
    ) {
        fail(kind)
        flush(at: time, into: &events)
    }

    private mutating func begin(_ kind: ListingKind) {
        openLists.insert(kind)
        if kind == .positions {
            havePositionsChanged = false
            listedPositions.removeAll()
        }
        events.append(.listing(.begin(kind, epoch)))
    }

    private mutating func end(_ kind: ListingKind) {
        listDeadlines[kind] = nil
        guard openLists.remove(kind) != nil else { return }
        // What the broker lists no more it holds no more: positions closed while the link was down have no message.
        if kind == .positions { positions = listedPositions }
        events.append(.listing(.end(kind, epoch)))
    }

    private mutating func fail(_ kind: ListingKind) {
        listDeadlines[kind] = nil
        guard openLists.remove(kind) != nil else { return }
        events.append(.listing(.failed(kind, epoch)))
    }

    private mutating func makeRequest() -> RequestID {
        defer { nextRequest += 1 }
        return RequestID(rawValue: nextRequest)
    }
}

extension ListingKind {
    /// The list of an answer; `nil` for what comes with the link.
    fileprivate init?(_ answer: SyncAnswer) {
        switch answer {
        case .managedAccounts, .nextValidID: return nil
        case .openOrders: self = .openOrders
        case .completedOrders: self = .completedOrders
        case .executions: self = .executions
        case .positions: self = .positions
        }
    }
}
