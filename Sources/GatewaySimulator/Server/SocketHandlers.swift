import NIOCore

/// The last handler of a client's connection: bytes in, no decisions.
final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let core: ServerCore
    private var id: ConnectionID?

    init(_ core: ServerCore) { self.core = core }

    func channelActive(context: ChannelHandlerContext) {
        id = core.accepted(context.channel)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let id else { return }
        unwrapInboundIn(data).withUnsafeReadableBytes { core.received($0, from: id) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if let id, context.channel.isWritable { core.caughtUp(id) }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let id { core.closed(id) }
        context.fireChannelInactive()
    }
}

/// Takes control commands, a line each, and answers each with a line.
final class ControlHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let core: ServerCore
    private var line: [UInt8] = []

    /// The longest command, in bytes.
    private static let lineMax = 1 << 20

    init(_ core: ServerCore) { self.core = core }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                guard line.count <= Self.lineMax else { return context.close(promise: nil) }
                continue
            }
            let answer = core.controlled(String(decoding: line, as: UTF8.self))
            line.removeAll(keepingCapacity: true)
            context.writeAndFlush(
                wrapOutboundOut(context.channel.allocator.buffer(string: answer + "\n")),
                promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
