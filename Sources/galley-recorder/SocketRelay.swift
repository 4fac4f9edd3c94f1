internal import Core
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket
internal import NetworkProxy
internal import Recordings

/// Opens a web socket to its server and relays messages in both directions, each in its turn; records them if needed.
final class SocketRelay: Answer {
  private let question: Question
  private var recorded: RecordedExchange?
  private var host: (any Channel)?
  private var isOpen = false
  private var isOver = false
  private var order = 0
  private var lastMessage = 0.0
  private let asked = NIODeadline.now()
  /// Channel to the page, once the socket is open.
  private var page: (any Channel)?

  private var desk: RecorderServer { question.desk }

  init(_ question: Question) { self.question = question }

  func begin() {
    desk.wait(exchange: question.number, order: 0, kind: question.kindOfHead, orDrop: { [weak self] in self?.abort() })
    {
      [weak self] now in
      guard let self else { return }
      let exchange = Exchange(
        index: question.number, method: question.request.method, url: question.request.url,
        requestHeaders: question.request.headers.filter { !$0.isForTheProxy }, startedAt: now,
        date: Date().timeIntervalSince1970, messages: [])
      recorded = desk.writer?.begin(exchange, body: nil)
      connect()
    }
  }

  func clientIsGone() {
    host?.close(promise: nil)
    finish()
  }

  func clientHasRoom(_ hasRoom: Bool) {}

  private func connect() {
    let bound = NIOLoopBound(self, eventLoop: desk.loop)
    let target = question.target
    desk.connector.connect(to: target.authority.host, port: target.authority.port, on: desk.loop) { channel in
      channel.eventLoop.makeCompletedFuture {
        try Upstream.prepare(channel, target, bound.value.desk, SocketOpening(bound.value))
      }
    }.assumeIsolated().whenComplete { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let host):
        self.host = host
        if let address = host.remoteAddress, let text = address.ipAddress {
          recorded?.exchange.server = Exchange.Server(address: text, port: address.port ?? 0)
        }
        host.write(HTTPClientRequestPart.head(Upstream.head(question)), promise: nil)
        host.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
      case .failure(let error):
        let refusal = error as? EgressRefusal
        if let refusal { desk.refused(refusal.host, refusal.code) }
        recorded?.exchange.failure = refusal?.isForbidden == true ? .refused : .unreachable
        abort()
      }
    }
  }

  /// Handles the server's response; status 101 opens the socket.
  func took(_ head: HTTPResponseHead, _ channel: any Channel) {
    recorded?.exchange.timing.wait = Double((NIODeadline.now() - asked).nanoseconds / 1_000) / 1_000
    recorded?.exchange.server?.tls = Upstream.tls(of: channel)
    recorded?.take(
      Exchange.Response(
        status: Int(head.status.code), reason: head.status.reasonPhrase,
        headers: head.headers.map { Exchange.Header($0.name, $0.value) }))
    guard head.status == .switchingProtocols else {
      question.client.send(HTTPResponseHead(version: .http1_1, status: head.status, headers: ["Content-Length": "0"]))
      question.client.end(closing: true)
      channel.close(promise: nil)
      return finish()
    }
    let pipeline = channel.pipeline.syncOperations
    note()
    do {
      let encoder = try pipeline.context(handlerType: HTTPRequestEncoder.self)
      let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self)
      pipeline.removeHandler(context: encoder, promise: nil)
      try pipeline.addHandlers(SocketFrames.handlers(SocketEnd(self, isPage: false)))
      pipeline.removeHandler(context: decoder, promise: nil)
      isOpen = true
      question.client.leave(
        question.openingHead(protocol: head.headers.first(name: "Sec-WebSocket-Protocol")),
        to: SocketFrames.handlers(SocketEnd(self, isPage: true)))
    } catch {
      abort()
    }
  }

  /// Records the instant of the opening, by the render's time.
  private func note() {
    desk.wait(exchange: question.number, order: 1) { [weak self] now in
      guard let self, let began = recorded?.exchange.startedAt else { return }
      recorded?.exchange.arrival = Exchange.Arrival(place: desk.nextArrival(), head: max(0, now - began))
      lastMessage = now
    }
  }

  func joined(_ channel: any Channel, isPage: Bool) {
    if isPage { page = channel }
  }

  /// Relays a message from one end to the other.
  func pass(_ opcode: WebSocketOpcode, _ data: [UInt8], isSent: Bool) {
    order += 1
    desk.wait(exchange: question.number, order: order, bytes: data.count, orDrop: { [weak self] in self?.abort() }) {
      [weak self] now in
      guard let self else { return }
      var message = Exchange.SocketMessage(isSent: isSent, after: max(0, now - lastMessage), opcode, data)
      message.place = desk.nextArrival()
      recorded?.take(message)
      lastMessage = now
      let frame = WebSocketFrame(
        fin: true, opcode: opcode, maskKey: isSent ? .random() : nil, data: ByteBuffer(bytes: data))
      (isSent ? host : page)?.writeAndFlush(frame, promise: nil)
    }
  }

  func lost(isPage: Bool) {
    if !isOpen { recorded?.exchange.failure = .reset }
    (isPage ? host : page)?.close(promise: nil)
    if !isOpen { question.client.abort() }
    finish()
  }

  private func abort() {
    host?.close(promise: nil)
    page?.close(promise: nil)
    question.client.abort()
    finish()
  }

  private func finish() {
    guard !isOver else { return }
    isOver = true
    recorded?.end()
  }
}

/// Waits for the server's response that opens a web socket.
private final class SocketOpening: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let relay: SocketRelay
  private var head: HTTPResponseHead?
  private var isDone = false

  init(_ relay: SocketRelay) { self.relay = relay }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head, !isDone else { return }
      isDone = true
      relay.took(head, context.channel)
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    if !isDone { relay.lost(isPage: false) }
    context.fireChannelInactive()
  }
}

/// One end of an open web socket.
private final class SocketEnd: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let relay: SocketRelay
  private let isPage: Bool
  private var assembler = MessageAssembler()

  init(_ relay: SocketRelay, isPage: Bool) {
    self.relay = relay
    self.isPage = isPage
  }

  func handlerAdded(context: ChannelHandlerContext) { relay.joined(context.channel, isPage: isPage) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    if frame.opcode == .ping {
      let answer = WebSocketFrame(
        fin: true, opcode: .pong, maskKey: isPage ? nil : .random(), data: frame.unmaskedData)
      return context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
    guard let message = assembler.take(frame) else { return }
    relay.pass(message.opcode, message.data, isSent: isPage)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    relay.lost(isPage: isPage)
    context.fireChannelInactive()
  }
}
