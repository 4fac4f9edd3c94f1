internal import NIOCore

/// One end of a pair that hands everything its channel reads to the other's, no faster than that takes it.
final class Coupling: ChannelDuplexHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = NIOAny
  typealias OutboundOut = NIOAny

  private var partner: Coupling?
  private var context: ChannelHandlerContext?
  private var wantsToRead = false

  /// Two ends, for two channels of one loop.
  static func pair() -> (Coupling, Coupling) {
    let (one, other) = (Coupling(), Coupling())
    (one.partner, other.partner) = (other, one)
    return (one, other)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    partner = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { partner?.context?.write(data, promise: nil) }

  func channelReadComplete(context: ChannelHandlerContext) {
    partner?.context?.flush()
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    partner?.context?.close(promise: nil)
    context.fireChannelInactive()
  }

  /// A side that has said its last may still listen.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed {
      partner?.context?.close(mode: .output, promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { partner?.readAfterAll() }
    context.fireChannelWritabilityChanged()
  }

  func read(context: ChannelHandlerContext) {
    if partner?.context?.channel.isWritable == true {
      context.read()
    } else {
      wantsToRead = true
    }
  }

  /// The other side has room again.
  private func readAfterAll() {
    guard wantsToRead else { return }
    wantsToRead = false
    context?.read()
  }
}
