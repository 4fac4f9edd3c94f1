internal import NIOCore

/// Inserts one end of TLS between a channel's bytes and the handlers after it.
final class TLSHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let session: TLSSession
  private var state = State.waits
  /// Plain bytes to send once the handshake is complete and they are flushed.
  private var writes: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
  /// Number of the writes that were flushed.
  private var flushed = 0

  private enum State {
    case waits, shakesHands, isOpen, isOver
  }

  init(_ session: TLSSession) { self.session = session }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { advance(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    advance(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    session.take(unwrapInboundIn(data))
    advance(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed {
      session.endWire()
      advance(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if state != .isOver {
      session.endWire()
      advance(context)
    }
    fail(ChannelError.ioOnClosedChannel)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { fail(ChannelError.ioOnClosedChannel) }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard state != .isOver else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    writes.append((unwrapOutboundIn(data), promise))
  }

  func flush(context: ChannelHandlerContext) {
    flushed = writes.count
    sendFlushed(context)
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if state == .isOpen, mode != .input {
      session.end()
      sendOutgoing(context, nil)
    }
    if mode == .all {
      state = .isOver
      fail(ChannelError.ioOnClosedChannel)
    }
    context.close(mode: mode, promise: promise)
  }

  /// Continues the handshake or reads, as far as the bytes received so far allow; closes the channel on an error.
  private func advance(_ context: ChannelHandlerContext) {
    do {
      if state == .waits { state = .shakesHands }
      if state == .shakesHands {
        let progress = try session.shakeHands()
        sendOutgoing(context, nil)
        guard progress == .done, state == .shakesHands else { return }
        state = .isOpen
        sendFlushed(context)
      }
      try read(context)
    } catch {
      sendOutgoing(context, nil)
      state = .isOver
      fail(error)
      context.fireErrorCaught(error)
      context.close(mode: .all, promise: nil)
    }
  }

  private func read(_ context: ChannelHandlerContext) throws {
    while state == .isOpen {
      switch try session.receive() {
      case .bytes(let plain): context.fireChannelRead(wrapInboundOut(plain))
      case .needsMore:
        sendOutgoing(context, nil)
        return context.fireChannelReadComplete()
      case .end:
        context.fireChannelReadComplete()
        return context.channel.close(promise: nil)
      }
    }
  }

  private func sendFlushed(_ context: ChannelHandlerContext) {
    guard state == .isOpen, flushed > 0 else { return }
    let due = writes.prefix(flushed)
    writes.removeFirst(flushed)
    flushed = 0
    for (bytes, promise) in due {
      do {
        try session.send(bytes)
        sendOutgoing(context, promise, flushing: false)
      } catch {
        promise?.fail(error)
      }
    }
    context.flush()
  }

  private func sendOutgoing(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?, flushing: Bool = true)
  {
    guard let bytes = session.takeOutgoing() else {
      promise?.succeed()
      return
    }
    context.write(wrapOutboundOut(bytes), promise: promise)
    if flushing { context.flush() }
  }

  private func fail(_ error: any Error) {
    let waiting = writes
    (writes, flushed) = ([], 0)
    for (_, promise) in waiting { promise?.fail(error) }
  }
}
