internal import NIOCore
internal import NIOHTTP1
internal import Recordings

/// Source of the answer to one request: the recording, the network, or a fault that the user ordered.
protocol Answer: AnyObject {
  func begin()
  /// Handles the loss of the client's connection.
  func clientIsGone()
  /// Handles a change of the client's capacity: true if it accepts more bytes, false to pause.
  func clientHasRoom(_ hasRoom: Bool)
}

/// Reads the requests of one connection, one after the other, and starts an answer for each.
final class ExchangeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let desk: RecorderServer
  private let arrival: Arrival
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var answer: (any Answer)?
  private var context: ChannelHandlerContext?
  /// Indicates if the connection has had no request before.
  private var isFresh = true
  /// Indicates if the connection was handed over to the handlers of a web socket.
  private var hasLeft = false

  init(_ desk: RecorderServer, _ arrival: Arrival) {
    self.desk = desk
    self.arrival = arrival
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): (self.head, body) = (head, [])
    case .body(let bytes):
      guard body.count + bytes.readableBytes <= RecorderServer.largestBody else {
        desk.refused(head?.uri ?? "", "request-too-large")
        return context.close(promise: nil)
      }
      body += bytes.readableBytesView
    case .end: ask(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    answer?.clientIsGone()
    answer = nil
    context.fireChannelInactive()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    answer?.clientHasRoom(context.channel.isWritable)
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // Who has said its last asks for nothing more.
    if event as? ChannelEvent == .inputClosed, answer == nil { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func ask(_ context: ChannelHandlerContext) {
    guard let head, let target = Target(head, arrival), let number = desk.nextExchange() else {
      return context.close(promise: nil)
    }
    let request = AskedRequest(
      method: head.method.rawValue, url: target.url,
      headers: head.headers.map { Exchange.Header($0.name, $0.value) }, body: body.isEmpty ? nil : body)
    let question = Question(
      number: number, request: request, head: head, target: target, isFresh: isFresh, client: self, desk: desk)
    isFresh = false
    let answer: any Answer =
      switch (desk.source(of: request), target.isSocket) {
      case (.recording(let exchange), false): ReplayResponder(question, exchange)
      case (.recording(let exchange), true): SocketReplay(question, exchange)
      case (.range(let answer), _): ReplayResponder(question, answer.whole, from: answer.parts)
      case (.network, false): UpstreamResponder(question)
      case (.network, true): SocketRelay(question)
      case (.fault(let effect), _): FaultAnswer(question, effect)
      case (.nowhere, _): FaultAnswer(question, .reset)
      }
    self.answer = answer
    body = []
    answer.begin()
  }

  var hasRoom: Bool { context?.channel.isWritable ?? false }

  func send(_ head: HTTPResponseHead) { context?.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil) }

  /// Sends a part of a body; calls `then` when it has been written.
  func send(_ bytes: ByteBuffer, then: (() -> Void)? = nil) {
    guard let context else { return }
    guard let then else {
      return context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
    }
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess { then() }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: written)
  }

  /// Ends a response; the next request may come unless `closing` is true.
  func end(closing: Bool = false) {
    guard let context else { return }
    answer = nil
    guard closing else { return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
  }

  /// Closes the connection in the middle, as a broken network does.
  func abort() {
    answer = nil
    context?.close(promise: nil)
  }

  /// Sends the last head and hands the connection over to handlers of another protocol.
  func leave(_ head: HTTPResponseHead, to handlers: [any ChannelHandler]) {
    guard let context, !hasLeft else { return }
    hasLeft = true
    let pipeline = context.pipeline.syncOperations
    do {
      context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
      let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
      pipeline.removeHandler(context: encoder, promise: nil)
      try pipeline.addHandlers(handlers)
      pipeline.removeHandler(self, promise: nil)
      pipeline.removeHandler(context: decoder, promise: nil)
    } catch {
      context.close(promise: nil)
    }
  }
}

/// A request that waits for its answer.
struct Question {
  let number: Int
  let request: AskedRequest
  let head: HTTPRequestHead
  let target: Target
  /// Indicates if a connection had to be opened for it.
  let isFresh: Bool
  let client: ExchangeHandler
  let desk: RecorderServer

  /// Kind of the response's head in the schedule, by the round trips that precede it.
  var kindOfHead: ScheduledChunk.Kind { isFresh ? target.isSecure ? .firstSecureHead : .firstHead : .head }
}

/// Host that a request is for, and the path and address that it asks for.
struct Target {
  let authority: Authority
  let isSecure: Bool
  let isSocket: Bool
  /// Path and query.
  let path: String
  /// Whole address.
  let url: String

  init?(_ head: HTTPRequestHead, _ arrival: Arrival) {
    let isUpgrade = head.headers[canonicalForm: "Upgrade"].contains { $0.lowercased() == "websocket" }
    switch arrival {
    case .tunnel(let authority, let isSecure):
      self.authority = authority
      self.isSecure = isSecure
      path = head.uri.hasPrefix("/") ? String(head.uri.prefix { $0 != "#" }) : "/"
    case .proxy:
      guard let end = head.uri.firstRange(of: "://"), ["http", "ws"].contains(head.uri[..<end.lowerBound].lowercased())
      else { return nil }
      let rest = head.uri[end.upperBound...]
      let hostEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
      guard let authority = Authority(rest[..<hostEnd], defaultPort: 80) else { return nil }
      self.authority = authority
      isSecure = false
      let tail = rest[hostEnd...].prefix { $0 != "#" }
      path = tail.hasPrefix("/") ? String(tail) : "/\(tail)"
    }
    isSocket = isUpgrade
    let scheme = (isUpgrade ? "ws" : "http") + (isSecure ? "s" : "")
    let host = authority.host.contains(":") ? "[\(authority.host)]" : authority.host
    url = "\(scheme)://\(host)\(authority.port == (isSecure ? 443 : 80) ? "" : ":\(authority.port)")\(path)"
  }
}

/// Fault that the user ordered in place of an answer.
final class FaultAnswer: Answer {
  private let question: Question
  private let effect: NetworkFault.Effect

  init(_ question: Question, _ effect: NetworkFault.Effect) {
    self.question = question
    self.effect = effect
  }

  func begin() {
    let client = question.client
    if case .stall = effect { return }
    question.desk.wait(exchange: question.number, order: 0, kind: question.kindOfHead, orDrop: { client.abort() }) {
      [effect] _ in
      guard case .status(let status) = effect else { return client.abort() }
      let body = ByteBuffer(string: "\(status)\n")
      client.send(
        HTTPResponseHead(
          version: .http1_1, status: HTTPResponseStatus(statusCode: status),
          headers: [
            "Content-Type": "text/plain", "Content-Length": "\(body.readableBytes)", "Access-Control-Allow-Origin": "*",
          ]))
      client.send(body)
      client.end()
    }
  }

  func clientIsGone() {}

  func clientHasRoom(_ hasRoom: Bool) {}
}
