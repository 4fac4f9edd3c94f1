internal import NIOCore

/// First handler of a page's connection; reports all bytes that go in and out to the desk.
final class PageTrafficHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let desk: RecorderServer

  init(_ desk: RecorderServer) { self.desk = desk }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    desk.stir()
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    desk.stir()
    context.fireChannelInactive()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    desk.writes(written.futureResult)
    context.write(data, promise: written)
  }
}
