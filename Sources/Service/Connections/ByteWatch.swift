internal import Core
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Stands in front of a connection's protocol: cuts heads that don't come to an end, and clients that take nothing.
final class ByteWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let supervisor: ConnectionSupervisor
  /// Nil for one that there is no room for.
  private let connection: Connection?

  init(_ connection: Connection?, _ supervisor: ConnectionSupervisor) {
    (self.connection, self.supervisor) = (connection, supervisor)
  }

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
    if let connection, !context.channel.isWritable {
      Self.watch(connection, supervisor, jam: connection.jam(), left: nil)
    }
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
    connection.channel.eventLoop.scheduleTask(in: TimeAmount(supervisor.bounds.head)) { [supervisor] in
      guard connection.channel.isActive, connection.isWaiting(for: head) else { return }
      supervisor.cut(connection.channel, .slowHead)
    }
  }

  /// Looks from time to time whether anything was taken of what is `left`.
  private static func watch(_ connection: Connection, _ supervisor: ConnectionSupervisor, jam: Int, left: Int?) {
    connection.channel.eventLoop.scheduleTask(in: TimeAmount(supervisor.bounds.stall / 2)) {
      guard connection.isJammed(since: jam) else { return }
      connection.channel.getOption(.bufferedWritableBytes).whenSuccess { now in
        if let left, now >= left { return supervisor.cut(connection.channel, .stalled) }
        watch(connection, supervisor, jam: jam, left: now)
      }
    }
  }
}

extension TimeAmount {
  /// Of seconds.
  fileprivate init(_ seconds: Double) { self = .milliseconds(Int64(Bounded.int(seconds * 1_000, in: 0...86_400_000))) }
}

/// HTTP/1.1 as Hummingbird speaks it, behind a desk that bounds who speaks and for how long.
struct GuardedChannel: ServerChildChannel {
  private let supervisor: ConnectionSupervisor
  private let http: HTTP1Channel

  init(_ supervisor: ConnectionSupervisor, idle: TimeAmount, _ responder: @escaping HTTPChannelHandler.Responder) {
    self.supervisor = supervisor
    http = HTTP1Channel(
      responder: { request, writer, channel in
        let connection = supervisor.connection(of: channel)
        if let connection { supervisor.work(connection) }
        defer { if let connection { supervisor.rest(connection) } }
        try await responder(request, writer, channel)
      }, configuration: HTTP1Channel.Configuration(idleTimeout: idle))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    do {
      try channel.pipeline.syncOperations.addHandler(ByteWatch(supervisor.arrive(channel), supervisor))
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return http.setup(channel: channel, logger: logger)
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}
