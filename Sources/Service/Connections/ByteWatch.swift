internal import Core
internal import NIOCore

/// Stands in front of a connection's protocol: cuts heads that don't come to an end, and clients that take nothing.
final class ByteWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let desk: ConnectionDesk
  /// Nil for one that there is no room for.
  private let connection: Connection?

  init(_ connection: Connection?, _ desk: ConnectionDesk) { (self.connection, self.desk) = (connection, desk) }

  func channelActive(context: ChannelHandlerContext) {
    guard let connection else { return context.close(promise: nil) }
    expect(head: 1, of: connection)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if let connection, let head = connection.hear() { expect(head: head, of: connection) }
    context.fireChannelRead(data)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if let connection, !context.channel.isWritable { Self.watch(connection, desk, jam: connection.jam(), left: nil) }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { connection?.hangUp() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    connection?.hangUp()
    context.fireChannelInactive()
  }

  private func expect(head: Int, of connection: Connection) {
    connection.channel.eventLoop.scheduleTask(in: TimeAmount(desk.bounds.head)) { [desk] in
      guard connection.channel.isActive, connection.isWaiting(for: head) else { return }
      desk.cut(connection.channel, .slowHead)
    }
  }

  /// Looks from time to time whether anything was taken of what is `left`.
  private static func watch(_ connection: Connection, _ desk: ConnectionDesk, jam: Int, left: Int?) {
    connection.channel.eventLoop.scheduleTask(in: TimeAmount(desk.bounds.stall / 2)) {
      guard connection.isJammed(since: jam) else { return }
      connection.channel.getOption(.bufferedWritableBytes).whenSuccess { now in
        if let left, now >= left { return desk.cut(connection.channel, .stalled) }
        watch(connection, desk, jam: jam, left: now)
      }
    }
  }
}

extension TimeAmount {
  /// Of seconds.
  fileprivate init(_ seconds: Double) { self = .milliseconds(Int64(Bounded.int(seconds * 1_000, in: 0...86_400_000))) }
}
