import Primitives
import TWSClient

/// Opens the connections of sessions in mode dry: what asks for data goes to the gateway, and everything about orders and
/// the account to a broker of this process.
struct DryConnector: PipeConnector {
    /// Opens connections to the gateway.
    let base: any PipeConnector
    /// Takes the orders.
    let broker: DryBroker

    var loop: any SessionLoop { base.loop }

    func connect(_ listener: PipeListener) {
        let (broker, loop) = (broker, base.loop)
        let number = broker.makeNumber()
        base.connect(
            PipeListener(
                opened: { pipe in
                    broker.opened(number, pipe, listener, on: loop)
                    listener.opened(DryPipe(number: number, base: pipe, broker: broker, loop: loop))
                },
                received: { broker.received($0, in: number) },
                closed: { reason in
                    broker.closed(number)
                    listener.closed(reason)
                }))
    }
}

/// A session's way out in mode dry.
private struct DryPipe: BytePipe {
    let number: Int
    let base: any BytePipe
    let broker: DryBroker
    let loop: any SessionLoop

    func write(_ bytes: [UInt8]) {
        let (broker, number) = (broker, number)
        loop.execute { broker.sent(bytes, in: number) }
    }

    func close() {
        let (broker, number) = (broker, number)
        loop.execute { broker.closed(number) }
        base.close()
    }

    var isWritable: Bool { base.isWritable }
}
