import MarketSimulation
import Primitives
import TWSProtocol

/// What can go wrong with data, on command.
extension Gateway {
    /// Changes what the login may see. Subscriptions that get nothing from now on are notified; they go on
    /// when they may.
    func setAccess(_ access: DataAccess) {
        data.settings.access = access
        for key in data.ticks.keys {
            guard let subscription = data.ticks[key] else { continue }
            let isOpen = market.snapshot(of: subscription.listed.id).isOpen
            guard subscription.mode(with: access, isOpen: isOpen) == nil,
                let notice = access.notice(nil, on: subscription.listed)
            else { continue }
            refuse(notice.code, notice.text, key.request, subscription.client)
        }
    }

    /// Ends all subscriptions to market data without a word, as after a restored link that lost them.
    /// Histories that were kept up to date are over too.
    func loseSubscriptions() {
        for instrument in data.loseAll() { market.unfollow(instrument) }
        for closed in history.live.removeAll() { market.unfollow(closed.listed.id) }
    }

    /// Cuts streams off without a word: their numbers stay taken, and nothing comes any more.
    ///
    /// - Parameter streams: which kinds; all of one are cut.
    func silence(_ streams: Set<DataStream>) {
        if streams.contains(.ticks) {
            for key in data.ticks.keys { data.ticks[key]?.isDead = true }
        }
        if streams.contains(.orderBooks) {
            for key in data.orderBooks.keys { data.orderBooks[key]?.isDead = true }
        }
        if streams.contains(.everyTick) {
            for key in data.everyTick.keys { data.everyTick[key]?.isDead = true }
        }
        if streams.contains(.bars) {
            for key in data.bars.keys { data.bars[key]?.isDead = true }
        }
        if streams.contains(.history) {
            for key in history.live.keys { history.live[key]?.isDead = true }
        }
    }

    /// Ends histories that are kept up to date, and reports it.
    ///
    /// - Parameter every: 1 ends each of them, 2 every second, oldest first.
    func failHistoryUpdates(every: Int = 1) {
        for (index, key) in history.live.keys.enumerated() where index % max(1, every) == 0 {
            guard let closed = history.live.remove(key) else { continue }
            market.unfollow(closed.listed.id)
            refuse(
                10_182,
                "Failed to request live updates (disconnected).", key.request, closed.client)
        }
    }

    /// Empties the order books of all clients, who are instructed to do the same, and fills them again.
    func resetOrderBooks() {
        for key in data.orderBooks.keys {
            guard let subscription = data.orderBooks[key] else { continue }
            refuse(
                317,
                "Market depth data has been RESET. Please empty deep book contents before applying "
                    + "any new entries.", key.request, subscription.client)
            data.orderBooks[key]?.reset()
            showOrderBook(key)
        }
    }
}

/// A kind of stream that may be cut.
package enum DataStream: String, Hashable, CaseIterable, Sendable {
    /// Quotes and last trades.
    case ticks
    /// Order books.
    case orderBooks = "books"
    /// Every tick.
    case everyTick
    /// Five-second bars.
    case bars
    /// Histories that are kept up to date.
    case history
}
