package import Model
package import Primitives

/// Texts and executions that the user names, and what the user is shown of orders.
extension GatewayVenue {
    /// The number of a text. It is an event with the next `publishNames`, which comes before what names it.
    package mutating func number(of text: String) -> NameID { names.number(of: text) }

    /// The execution of one of the broker's identifiers, the same that a message with it is taken for.
    package mutating func execution(named text: String) -> ExecutionID { executionID(text) }

    /// Appends the texts that have become a number and are no events yet.
    package mutating func publishNames(at time: Timestamp, into events: inout [Event]) {
        flush(at: time, into: &events)
    }

    /// The price that the broker has capped an order's limit to; `nil` where it has not.
    package func priceCap(of key: BrokerOrderKey) -> Price? {
        key.order.flatMap { asked[$0]?.cap }
    }
}
