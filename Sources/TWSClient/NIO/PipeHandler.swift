import NIOCore

/// The last handler of a gateway connection: bytes in, bytes out, no decisions.
final class PipeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let listener: PipeListener
    /// The reason the connection is ending for, reported with its end.
    private var words: String?

    init(_ listener: PipeListener) { self.listener = listener }

    func channelActive(context: ChannelHandlerContext) {
        listener.opened(NIOPipe(channel: context.channel))
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unwrapInboundIn(data).withUnsafeReadableBytes { listener.received($0) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        words = "the connection broke: \(error)"
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        listener.closed(words)
        context.fireChannelInactive()
    }
}

/// The way out of a TCP connection.
struct NIOPipe: BytePipe {
    let channel: any Channel

    func write(_ bytes: [UInt8]) {
        // Never on the spot, not even on the loop: a failed write would call back at once.
        channel.eventLoop.execute {
            channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
        }
    }

    var isWritable: Bool { channel.isWritable }

    func close() { channel.eventLoop.execute { channel.close(promise: nil) } }
}
