import Accounting
import MarketState
package import Model
import Orders
package import Primitives
import Signals

/// What a cancel that was asked for waits for.
package enum PendingCancel: Hashable, Sendable {
    /// The broker's answer.
    case answer
    /// The next session of the exchange, which answers no cancel before.
    case marketClosed(until: Timestamp)
    /// A link on which it can leave.
    case link
}

/// What the user is shown of an engine; nothing is decided by it.
extension Engine {
    /// The profit of the session day so far, unrealised too, less costs; `nil` where its start is not known.
    package var dayProfit: ExactMoney? { comparisons.netBefore.map { portfolio.profit.net - $0 } }

    /// What was realised on the session day so far, less costs; `nil` where its start is not known.
    package var dayRealized: ExactMoney? {
        comparisons.realizedBefore.map { portfolio.profit.realized - portfolio.charges - $0 }
    }

    /// How many messages a strategy's orders have taken on the session day, and how many of them have an execution.
    package func orderMessages(of strategy: StrategyID) -> (messages: Int, executed: Int) {
        rates.messages(of: strategy, on: days.today)
    }

    /// The account's whole position in an instrument by the broker's newest list; `nil` where it names none.
    package func brokerPosition(of instrument: InstrumentID) -> ListedPosition? {
        broker.listings.positions.last {
            $0.instrument == instrument && $0.account == orders.identity.account
        }
    }

    /// True while a strategy's entries are stopped.
    package func areEntriesStopped(of strategy: StrategyID) -> Bool {
        isKnown(strategy) && permissions.isStopped(strategy)
    }

    /// True if the user has taken an instrument over: no entries in it follow.
    package func isDisowned(_ instrument: InstrumentID) -> Bool {
        isKnown(instrument) && permissions.isLeftToUser(instrument)
    }

    /// True if an instrument takes no entries because others hold or order in it.
    package func isForeign(_ instrument: InstrumentID) -> Bool {
        isKnown(instrument) && permissions.isUnclaimed(instrument)
            && permissions.hasForeign(instrument)
    }

    /// What the cancel of an order that may still fill waits for; `nil` where none was asked for.
    package func pendingCancel(of order: OrderID) -> PendingCancel? {
        guard orders.isListed(order), orders.isCancelRequested(order) else { return nil }
        guard permissions.mayLeave(.exit) else { return .link }
        switch cancelOutlook {
        case .open, .over: return .answer
        case .waiting(let time): return .marketClosed(until: time)
        }
    }
}
