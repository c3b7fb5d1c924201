import Primitives
import TWSProtocol

/// What truly happened, for whoever judges a client: published or not, corrected or not.
extension Gateway {
    /// Orders, executions, positions, cash and violations as one object.
    var ledger: JSONValue {
        let ledgers = accounts.ledgers.map(\.report)
        return .members([
            "now": .text("\(now)"),
            "orders": .array(orderManager.ledger.orders.map(json)),
            "asked": .array(orderAudit.orders.map(\.json)),
            "accounts": .array(ledgers.map { JSONValue(of: $0, contracts) }),
            "violations": violations,
            "codes": .object(
                orderAudit.codes.sorted { $0.key < $1.key }.map {
                    JSONValue.Member("\($0.key)", .integer($0.value))
                }),
        ])
    }

    private var violations: JSONValue {
        let asked = orderAudit.orders
        var members = pacingAudit.violations.map {
            JSONValue.Member($0.rule.rawValue, .integer($0.count))
        }
        members += [
            JSONValue.Member(
                "repeatedReferences",
                .object(
                    orderAudit.repeatedReferences.map {
                        JSONValue.Member($0.orderRef, .integer($0.orders))
                    })),
            JSONValue.Member("strayCancels", .integer(orderAudit.strayCancels)),
            JSONValue.Member(
                "ordersWithoutBroker", .integer(asked.count { $0.wasAskedWithoutLink })),
            JSONValue.Member("unbookedFills", .integer(unbookedFills.count)),
        ]
        return .object(members)
    }

    private func json(_ order: OrderManagerLedger.Order) -> JSONValue {
        let asked = orderAudit.asked(order.client, order.order)
        return .members([
            "permId": .integer(order.permID),
            "client": .integer(order.client),
            "order": .integer(order.order),
            "orderRef": .text(order.orderRef),
            "account": .text(order.account),
            "symbol": .text(order.symbol),
            "action": .text(order.action),
            "type": .text(order.type),
            "quantity": .number(order.quantity),
            "status": .text(order.status),
            "filled": .number(order.filled),
            "averagePrice": .number(order.averagePrice),
            "byHand": .bool(order.isManual),
            "placements": .integer(asked?.placements ?? 0),
            "cancels": .integer(asked?.cancels ?? 0),
            "executions": .array(order.executions.map(Self.json)),
        ])
    }

    private static func json(_ execution: OrderManagerLedger.Execution) -> JSONValue {
        .members([
            "id": .text(execution.id),
            "quantity": .number(execution.quantity),
            "price": .number(execution.price),
            "time": .text("\(Timestamp(nanoseconds: execution.time))"),
            "commission": .number(execution.commission),
        ])
    }
}

extension OrderAudit.Asked {
    fileprivate var json: JSONValue {
        .members([
            "client": .integer(client.rawValue),
            "order": .integer(order.rawValue),
            "orderRef": .text(orderRef),
            "placements": .integer(placements),
            "cancels": .integer(cancels),
        ])
    }
}

extension JSONValue {
    /// An account's ledger.
    fileprivate init(of report: AccountReport, _ ledger: GatewayContractDatabase) {
        self = .members([
            "account": .text(report.account.name),
            "netLiquidation": .number(report.netLiquidation.description),
            "cash": .object(
                report.cash.map { pot in
                    Member(
                        pot.currency,
                        .members([
                            "total": .number(pot.total.description),
                            "settled": .number(pot.settled.description),
                        ]))
                }),
            "positions": .array(
                report.positions.map { position in
                    .members([
                        "symbol": .text(ledger[position.instrument.id].contract.symbol),
                        "conId": .integer(ledger[position.instrument.id].contract.conId.rawValue),
                        "quantity": .number(position.quantity.description),
                        "averageCost": .number(position.averageCost.description),
                        "realized": .number(position.realized.description),
                        "unrealized": .number(position.unrealized.description),
                        "commissions": .number(position.commissions.description),
                    ])
                }),
            "movements": .array(
                report.movements.map { movement in
                    .members([
                        "cause": .text(movement.cause.rawValue),
                        "amount": .number(movement.amount.description),
                        "currency": .text(movement.currency),
                        "time": .text("\(movement.time)"),
                    ])
                }),
        ])
    }
}
