import Model
package import Primitives

extension SimulatedVenue {
    /// True if an order that works is a stop that was reached.
    package func isTriggered(_ id: OrderID, in instrument: InstrumentID) -> Bool {
        states[Int(instrument.index)].orders.firstIndex {
            $0.ticket.id == id && $0.isTriggered
        } != nil
    }
}
