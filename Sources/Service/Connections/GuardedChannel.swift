internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// HTTP/1.1 as Hummingbird speaks it, behind a desk that bounds who speaks and for how long.
struct GuardedChannel: ServerChildChannel {
  private let desk: ConnectionDesk
  private let http: HTTP1Channel

  init(_ desk: ConnectionDesk, idle: TimeAmount, _ responder: @escaping HTTPChannelHandler.Responder) {
    self.desk = desk
    http = HTTP1Channel(
      responder: { request, writer, channel in
        let connection = desk.connection(of: channel)
        if let connection { desk.work(connection) }
        defer { if let connection { desk.rest(connection) } }
        try await responder(request, writer, channel)
      }, configuration: HTTP1Channel.Configuration(idleTimeout: idle))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    do {
      try channel.pipeline.syncOperations.addHandler(ByteWatch(desk.arrive(channel), desk))
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return http.setup(channel: channel, logger: logger)
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}
