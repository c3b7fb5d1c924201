import Model
import Primitives
import TWSClient
import TWSProtocol

/// Facts about orders, as the gateway reports them.
extension GatewayVenue {
    mutating func take(_ message: OrderStatus) {
        let key = BrokerOrderKey(
            client: BrokerClientID(number: message.clientId.rawValue),
            order: BrokerOrderID(message.orderId), permanent: PermanentID(message.permId))
        guard let status = BrokerStatus(message.status) else { return }
        report(key, .status(status))
        if message.whyHeld.split(separator: ",").contains("locate") {
            report(key, .heldByBroker(.locate))
        }
        noteCap(message, key)
        if status.isEnd { forget(message.orderId, of: message.clientId) }
    }

    /// Reports that the broker has capped the limit of an order of ours: once for each price, as a message about the order.
    private mutating func noteCap(_ message: OrderStatus, _ key: BrokerOrderKey) {
        guard message.mktCapPrice > .zero, let price = message.mktCapPrice.roundedPrice,
            let number = ownNumber(message.orderId, of: message.clientId),
            let known = asked[number], known.cap != price
        else { return }
        asked[number]?.cap = price
        report(
            key, .message(BrokerMessage(code: 0, text: names.number(of: Self.words(cap: price)))))
    }

    private static func words(cap price: Price) -> String {
        "the broker has capped the order's price at \(price)"
    }

    mutating func take(_ message: OpenOrder) {
        // A question about margin and costs is no order.
        guard !message.order.whatIf else { return }
        let key = key(of: message.order, message.orderId, message.clientId, message.permId)
        let status = BrokerStatus(message.orderState.status) ?? .pendingSubmit
        if openLists.contains(.openOrders) {
            events.append(
                .listing(.openOrder(listed(key, message.contract, message.order, status))))
        }
        if let number = ownNumber(message.orderId, of: message.clientId) {
            asked[number]?.isAdaptive = !message.order.algoStrategy.isEmpty
        }
        report(key, .status(status))
        answerChange(message, key)
        if !openLists.contains(.openOrders) { compareTerms(message) }
        if status.isEnd { forget(message.orderId, of: message.clientId) }
    }

    /// Notes that an order of ours is shown under other terms than it was sent with: the list of open orders is to be
    /// asked for. Each such terms are noted once.
    private mutating func compareTerms(_ message: OpenOrder) {
        guard let number = ownNumber(message.orderId, of: message.clientId),
            let known = asked[number], known.change == nil, let terms = known.terms
        else { return }
        let shown = WireTerms(message.order)
        guard shown != terms else { return }
        asked[number]?.terms = shown
        haveTermsChanged = true
    }

    /// True once where orders of ours were shown under terms that we have not given them.
    package mutating func takeChangedTerms() -> Bool {
        defer { haveTermsChanged = false }
        return haveTermsChanged
    }

    mutating func take(_ message: CompletedOrder) {
        guard openLists.contains(.completedOrders) else { return }
        // The message names neither client nor number.
        let key = BrokerOrderKey(
            account: account(of: message.order.account), permanent: PermanentID(message.permId),
            reference: OrderReference(parsing: message.order.orderRef))
        let status = BrokerStatus(message.status) ?? .cancelled
        events.append(
            .listing(.completedOrder(listed(key, message.contract, message.order, status))))
    }

    /// Takes an open order for the answer to a change, if it shows the terms that were asked for.
    private mutating func answerChange(_ message: OpenOrder, _ key: BrokerOrderKey) {
        guard let number = ownNumber(message.orderId, of: message.clientId),
            let change = asked[number]?.change, change.terms == WireTerms(message.order)
        else { return }
        asked[number]?.change = nil
        asked[number]?.step = .begin
        asked[number]?.terms = change.terms
        report(key, .modified(change.revision))
    }

    // MARK: Executions

    mutating func take(_ message: ExecDetails) {
        let instrument = contracts.instrument(of: message.contract)
        if message.liquidation != 0 { noteLiquidation(message, instrument) }
        guard let instrument else {
            leftOut.foreignExecutions += 1
            return
        }
        let shares = PlantedBug.fillsCumulated.isPlanted ? message.cumQty : message.shares
        guard let side = Side(message.side), let quantity = shares?.quantity,
            quantity >= .zero, let price = message.price.roundedPrice,
            let time = clock.timestamp(of: message.time)
        else {
            leftOut.inexpressible += 1
            return
        }
        let id = executionID(message.execId)
        let key = BrokerOrderKey(
            account: account(of: message.account),
            client: BrokerClientID(number: message.clientId.rawValue),
            order: BrokerOrderID(message.orderId), permanent: PermanentID(message.permId),
            reference: OrderReference(parsing: message.orderRef))
        let execution = Execution(
            id: id, instrument: instrument, side: side, quantity: quantity, price: price,
            time: time)
        if message.reqId == -1 {
            report(key, .executed(execution))
        } else {
            events.append(.listing(.execution(key, execution)))
        }
        owners[id.base] = key
        if let charge = earlyCharges.removeValue(forKey: id.base) {
            report(key, .commission(charge))
        }
    }

    /// The broker closes positions by itself: reported with the execution when that is heard of first.
    private mutating func noteLiquidation(_ message: ExecDetails, _ instrument: InstrumentID?) {
        let id = executionID(message.execId)
        guard message.account == account, liquidations.insert(id.base).inserted else { return }
        for isPresent in [true, false] {
            events.append(
                .condition(ConditionReport(.liquidated, isPresent: isPresent, of: instrument)))
        }
    }

    mutating func take(_ message: CommissionAndFeesReport) {
        // What is not known yet is sent as -1; other amounts below zero are rebates.
        guard message.commission != -1 else { return }
        guard let amount = message.commission.money else {
            leftOut.inexpressible += 1
            return
        }
        let id = executionID(message.execId)
        let charge = CommissionReport(execution: id, amount: amount)
        if let key = owners[id.base] {
            report(key, .commission(charge))
        } else if earlyCharges.count < Self.earlyChargesMax {
            earlyCharges[id.base] = charge
        }
    }

    /// The execution of an identifier: what its corrections have in common has a number of its own.
    mutating func executionID(_ text: String) -> ExecutionID {
        let parts = WireExecutionID(text)
        let root = PlantedBug.correctionAdded.isPlanted ? nil : parts?.root
        let base = names.number(of: root ?? text)
        return ExecutionID(base: Int64(base.index), revision: Int(parts?.revision ?? 0))
    }

    // MARK: Positions and account

    mutating func take(_ message: Position) {
        guard let account = account(of: message.account), account == Self.ownAccount else { return }
        guard let quantity = message.position.quantity else {
            leftOut.inexpressible += 1
            return
        }
        let position = ListedPosition(
            account: account, instrument: contracts.instrument(of: message.contract),
            symbol: names.number(of: message.contract.symbol), quantity: quantity,
            averageCost: message.avgCost?.roundedPrice)
        positions.keep(position)
        if openLists.contains(.positions) {
            listedPositions.keep(position)
            events.append(.listing(.position(position)))
        } else {
            havePositionsChanged = true
        }
    }

    mutating func take(_ message: WireAccountValue) {
        guard message.accountName == account || message.accountName == .none else { return }
        note(message)
        // Values come once for each currency and once for all together: one of another is no figure of ours.
        guard let key = AccountValue.Key(wire: message.key), message.currency == currency,
            let amount = DecimalValue(message.value)?.money
        else { return }
        events.append(.accountValue(AccountValue(account: Self.ownAccount, key, amount)))
    }

    // MARK: Codes

    mutating func take(_ message: ErrorMessage) {
        let code = Int(message.errorCode)
        guard let id = message.id, id >= 0, id < Self.firstRequest else {
            let reading = codes.reading(of: code, text: message.errorString, after: .unknown)
            if reading.cause == .readOnly { beginReadOnly(reading.code, ofLists: true) }
            return
        }
        let number = BrokerOrderID(number: id)
        let order = asked[number]
        let reading = codes.reading(
            of: code, text: message.errorString, after: order?.step ?? .unknown)
        noteConditions(of: reading, about: order)
        let key = BrokerOrderKey(
            account: Self.ownAccount, client: BrokerClientID(number: client.rawValue),
            order: number)
        let words = BrokerMessage(
            code: message.errorCode, text: names.number(of: message.words))
        if let answer = order?.isProbed == true ? ProbeAnswer(code, message.errorString) : nil {
            asked[number]?.isProbed = false
            return report(key, .probeAnswer(answer))
        }
        if let change = order?.change, reading.refusesChange {
            // A number is in use for a change only where the order has ended.
            asked[number]?.change = nil
            asked[number]?.step = .begin
            report(key, .modificationRefused(change.revision))
            return report(key, .message(words))
        }
        report(key, reading.fact(words, wasOurs: order != nil))
    }

    /// Reports what a refusal of an order says of more than that order.
    private mutating func noteConditions(of reading: CodeReading, about order: AskedOrder?) {
        guard let order else { return }
        if reading.cause == .readOnly { beginReadOnly(reading.code, ofLists: false) }
        guard order.change == nil, !order.isProbed else { return }
        if order.isAdaptive == true, RejectCause.ofAlgorithms.contains(reading.code) {
            withoutAlgorithm.insert(order.instrument)
        }
        if reading.effect == .takeHigherOrderID, numberQuestion == .none { numberQuestion = .due }
        if reading.code == 200, unknownContracts.insert(order.instrument).inserted {
            events.append(
                .condition(
                    ConditionReport(
                        .contractUnknown, isPresent: true, of: order.instrument,
                        value: Int64(reading.code))))
        }
    }

    // MARK: Names

    mutating func report(_ key: BrokerOrderKey, _ fact: OrderFact) {
        events.append(.brokerOrder(BrokerReport(key: key, fact: fact)))
    }

    /// The number of an order that this program has placed; `nil` for others'.
    func ownNumber(_ number: APIOrderID, of client: ClientID) -> BrokerOrderID? {
        client == self.client ? BrokerOrderID(number) : nil
    }

    /// Forgets what was asked of an order that has ended, unless an answer is to come.
    private mutating func forget(_ number: APIOrderID, of client: ClientID) {
        guard let number = ownNumber(number, of: client), asked[number]?.isProbed == false else {
            return
        }
        asked[number] = nil
    }

    /// The place of an account in the run; others than ours share one, `nil` where none is named.
    private func account(of name: AccountID) -> BrokerAccountID? {
        if name == .none { return nil }
        return name == account ? Self.ownAccount : BrokerAccountID(index: 1)
    }

    private func key(
        of order: Order, _ number: APIOrderID, _ client: ClientID, _ permanent: PermID
    ) -> BrokerOrderKey {
        BrokerOrderKey(
            account: account(of: order.account),
            client: BrokerClientID(number: client.rawValue), order: BrokerOrderID(number),
            permanent: PermanentID(permanent), reference: OrderReference(parsing: order.orderRef))
    }

    private func listed(
        _ key: BrokerOrderKey, _ contract: Contract, _ order: Order, _ status: BrokerStatus
    ) -> ListedOrder {
        ListedOrder(
            key: key, instrument: contracts.instrument(of: contract),
            side: order.action == .buy ? .buy : .sell,
            quantity: order.totalQuantity?.quantity, type: OrderType(order), status: status)
    }
}

extension CodeReading {
    /// Whether it says that a change of an order was not made.
    fileprivate var refusesChange: Bool {
        switch effect {
        case .orderStays, .retryChange, .rejected: scope == .change
        case .takeHigherOrderID: true
        default: false
        }
    }

    /// The fact that a message about an order is.
    ///
    /// - Parameter wasOurs: this program has placed the order in this run.
    fileprivate func fact(_ words: BrokerMessage, wasOurs: Bool) -> OrderFact {
        if PlantedBug.warningCancels.isPlanted, kind == .warning, wasOurs {
            return .cancelledByBroker(words)
        }
        switch effect {
        case .cancelReported: return .cancelledByBroker(words)
        case .orderWaits:
            return .heldByBroker(code == 404 ? .locate : code == 2137 ? .confirmation : .other)
        case .rejected, .takeHigherOrderID, .resendAfterParent:
            guard kind == .reject, scope == .order || scope == .orderOrRequest && wasOurs else {
                return .message(words)
            }
            return .rejectedByBroker(
                BrokerMessage(code: words.code, text: words.text, cause: RejectCause(self)))
        default: return .message(words)
        }
    }
}

extension ErrorMessage {
    /// Its text, and behind it the details of a rejection.
    fileprivate var words: String {
        advancedOrderRejectJson.isEmpty
            ? errorString : "\(errorString) \(advancedOrderRejectJson)"
    }
}

extension RejectCause {
    /// The codes with which the broker refuses an algorithm, and not the order.
    fileprivate static let ofAlgorithms: Set<Int> = [400, 439, 440, 441, 442, 443]

    /// Why an order was rejected, as far as code and text show it.
    fileprivate init(_ reading: CodeReading) {
        if reading.code == 200 {
            self = .unknownContract
            return
        }
        if Self.ofAlgorithms.contains(reading.code) {
            self = .algorithm
            return
        }
        switch reading.cause {
        case .permission: self = .notPermitted
        case .funds: self = .funds
        case .hours: self = .hours
        case .size: self = .size
        case .price: self = .price
        case .shortSale: self = .shortSale
        case .dayTrading: self = .dayTrading
        case .readOnly: self = .readOnly
        case .duplicate: self = .numberInUse
        case .pacing, .noData, .cancelled, .noService, .competingSession, .tooMany, nil:
            self = .byBroker
        }
    }
}

extension ProbeAnswer {
    /// The answer to a cancel of an order that may not exist; `nil` for a message that is none.
    fileprivate init?(_ code: Int, _ text: String) {
        switch code {
        case 135, 10_147: self = .notFound
        case 202: self = .cancelled
        case 104: self = .filled
        case 136, 161, 10_148:
            if text.contains("Filled") {
                self = .filled
            } else if text.contains("PendingCancel") {
                self = .pendingCancel
            } else if text.contains("Cancelled") {
                self = .cancelled
            } else {
                self = .tooLate
            }
        case _: return nil
        }
    }
}

extension [ListedPosition] {
    /// Takes in the newest of an instrument.
    fileprivate mutating func keep(_ position: ListedPosition) {
        let index = firstIndex {
            $0.instrument == position.instrument && $0.symbol == position.symbol
        }
        if let index { self[index] = position } else { append(position) }
    }
}
