import Model
package import Primitives

/// What halts and cash accounts ask of the ledger.
extension OrderLedger {
    /// Numbers of the entries that may still fill, oldest first.
    package var liveEntries: [OrderID] {
        live.filter { id in request(of: id)?.purpose == .entry }
    }

    /// Numbers of the purchases that may still fill, oldest first.
    package var livePurchases: [OrderID] {
        live.filter { id in request(of: id)?.side == .buy }
    }

    /// What of an order was executed at costs that are not known yet; nothing if it is not ours.
    package func uncharged(_ id: OrderID) -> Quantity { facts(of: id)?.uncharged ?? .zero }
}
