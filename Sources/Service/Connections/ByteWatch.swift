internal import Core
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import Telemetry

/// Event for the beginning or end of a request's body.
enum BodyStage: Sendable {
  case begins, ends
}

/// First handler of a connection: closes it if a head or body doesn't end in time, or if the client stops reading.
final class ByteWatch: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let supervisor: ConnectionSupervisor
  /// The watched connection; nil if the server had no place for it.
  private let connection: Connection?
  /// Number of reads from the connection.
  private var reads = 0
  /// Number of the body that is being received, from 1; nil between bodies.
  private var body: Int?
  private var bodies = 0

  init(_ connection: Connection?, _ supervisor: ConnectionSupervisor) {
    (self.connection, self.supervisor) = (connection, supervisor)
  }

  func channelActive(context: ChannelHandlerContext) {
    guard let connection else { return context.close(promise: nil) }
    expect(head: 1, of: connection)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    reads += 1
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

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    switch event {
    case BodyStage.begins:
      bodies += 1
      body = bodies
      expect(more: bodies, after: reads, context)
    case BodyStage.ends: body = nil
    case let problem as Problem: refuse(problem, context)
    default: return context.triggerUserOutboundEvent(event, promise: promise)
    }
    promise?.succeed()
  }

  /// Closes the connection if no more of the body with a number arrives in time.
  private func expect(more number: Int, after known: Int, _ context: ChannelHandlerContext) {
    let (watch, bound) = (
      NIOLoopBound(self, eventLoop: context.eventLoop), NIOLoopBound(context, eventLoop: context.eventLoop)
    )
    context.eventLoop.scheduleTask(in: TimeAmount(supervisor.bounds.body)) {
      let (watch, context) = (watch.value, bound.value)
      guard watch.body == number, context.channel.isActive else { return }
      guard watch.reads == known else { return watch.expect(more: number, after: watch.reads, context) }
      watch.supervisor.noteCut(.slowBody)
      let seconds = watch.supervisor.bounds.body.plain
      watch.refuse(Problem(408, "body-too-slow", "no data of the body arrived for \(seconds) s"), context)
    }
  }

  /// Sends the problem in place of the protocol, which has begun no answer yet, and closes the connection.
  private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
    body = nil
    let buffer = context.channel.allocator.buffer(string: problem.wireText)
    context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    context.close(promise: nil)
  }

  private func expect(head: Int, of connection: Connection) {
    connection.channel.eventLoop.scheduleTask(in: TimeAmount(supervisor.bounds.head)) { [supervisor] in
      guard connection.channel.isActive, connection.isWaiting(for: head) else { return }
      supervisor.cut(connection.channel, .slowHead)
    }
  }

  /// Checks twice per stall period if the client has read any of the `left` bytes, and closes the connection if not.
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

/// Answers a malformed head with a problem document, since the protocol's own answer has no text.
final class MalformedHeadHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let supervisor: ConnectionSupervisor

  init(_ supervisor: ConnectionSupervisor) { self.supervisor = supervisor }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError, supervisor.connection(of: context.channel)?.isAnswering == false else {
      return context.fireErrorCaught(error)
    }
    let problem = Problem(400, "request-malformed", "the request header isn't valid HTTP/1.1: \(error)")
    context.triggerUserOutboundEvent(problem, promise: nil)
  }
}

extension Problem {
  /// The complete HTTP/1.1 response, after which the connection is closed.
  fileprivate var wireText: String {
    let text = (try? JSONText.of(ProblemDocument(self))) ?? "{}"
    let head = [
      "HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)",
      "Content-Type: application/problem+json",
      "Content-Length: \(text.utf8.count)", "Cache-Control: no-store", "Connection: close",
    ]
    return (head + ["", text]).joined(separator: "\r\n")
  }
}

extension TimeAmount {
  /// Converts seconds, at most a day of them.
  init(_ seconds: Double) { self = .milliseconds(Int64(Bounded.int(seconds * 1_000, in: 0...86_400_000))) }
}

/// HTTP/1.1 of Hummingbird, behind limits for the number of connections and their duration.
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
        // Its place is another's already.
        if connection?.hasGivenWay == true { channel.close(promise: nil) }
      },
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [MalformedHeadHandler(supervisor)], idleTimeout: idle))
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
