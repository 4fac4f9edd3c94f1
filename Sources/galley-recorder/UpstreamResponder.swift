internal import Core
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import NetworkProxy
internal import Recordings

/// Answers a request with its host's response, and stores that if a recording is made.
final class UpstreamResponder: Answer {
  private let question: Question
  private var recorded: RecordedExchange?
  private var host: (any Channel)?
  private var response: Exchange.Response?
  /// Bytes that have arrived and wait for their turn; nil stands for the end of the body.
  private var queue: [ByteBuffer?] = []
  private var queued = 0
  private var piece: Int?
  private var order = 0
  private var hasHead = false
  private var isStream = false
  private var isStarved = false
  private var isOver = false
  private var asked = NIODeadline.now()
  private var connected: NIODeadline?
  private var headCame: NIODeadline?
  private var lastPiece = 0.0
  /// Bytes of the body that `Content-Length` promises and that weren't sent yet; nil without that header.
  private var promised: Int?

  /// Number of bytes in the queue above which reading from the host pauses.
  private static let mostQueued = 1 << 18

  private var desk: RecorderServer { question.desk }
  private var client: ExchangeHandler { question.client }
  /// Indicates if each part waits for its turn: the schedule orders it, or a recorded stream needs its times.
  private var isPaced: Bool { desk.setup.isScheduled || isStream && desk.writer != nil }

  init(_ question: Question) { self.question = question }

  func begin() {
    starve(true)
    guard desk.writer != nil else { return connect() }
    // The instant is the render's.
    piece = desk.wait(exchange: question.number, order: 0) { [weak self] now in
      guard let self else { return }
      piece = nil
      let exchange = Exchange(
        index: question.number, method: question.request.method, url: question.request.url,
        requestHeaders: question.request.headers.filter { !$0.isForTheProxy }, startedAt: now,
        date: Date().timeIntervalSince1970)
      recorded = desk.writer?.begin(exchange, body: question.request.body)
      connect()
    }
  }

  func clientIsGone() {
    host?.close(promise: nil)
    if let piece { desk.withdraw(piece) }
    if !isOver, recorded?.exchange.response == nil { recorded?.exchange.failure = .reset }
    finish()
  }

  func clientHasRoom(_ hasRoom: Bool) { host?.setOption(.autoRead, value: hasRoom && !isFull).whenFailure { _ in } }

  private var isFull: Bool { queued > Self.mostQueued }

  private func connect() {
    asked = .now()
    let bound = NIOLoopBound(self, eventLoop: desk.loop)
    let target = question.target
    desk.connector.connect(to: target.authority.host, port: target.authority.port, on: desk.loop) { channel in
      channel.eventLoop.makeCompletedFuture {
        try Upstream.prepare(channel, target, bound.value.desk, UpstreamHandler(bound.value))
      }
    }.assumeIsolated().whenComplete { [weak self] result in
      switch result {
      case .success(let host): self?.send(to: host)
      case .failure(let error): self?.fail(error as? EgressRefusal)
      }
    }
  }

  private func send(to host: any Channel) {
    guard !isOver else { return host.close(promise: nil) }
    self.host = host
    connected = .now()
    if let address = host.remoteAddress, let text = address.ipAddress {
      recorded?.exchange.server = Exchange.Server(address: text, port: address.port ?? 0)
    }
    host.write(HTTPClientRequestPart.head(Upstream.head(question)), promise: nil)
    if let body = question.request.body {
      host.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
    }
    host.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
  }

  private func fail(_ refusal: EgressRefusal?) {
    if let refusal { desk.refused(refusal.host, refusal.code) }
    recorded?.exchange.failure =
      refusal?.isForbidden == true ? .refused : refusal?.reason == .unknownHost ? .dns : .unreachable
    recorded?.exchange.timing.wait = milliseconds(asked, .now())
    breakOff()
  }

  /// Ends the page's connection too, after all earlier parts were sent.
  private func breakOff() {
    guard desk.setup.isScheduled, !isOver else {
      client.abort()
      return finish()
    }
    starve(false)
    order += 1
    desk.wait(
      exchange: question.number, order: order, kind: question.kindOfHead,
      orDrop: { [weak self] in
        self?.client.abort()
      }
    ) { [weak self] _ in
      self?.client.abort()
      self?.finish()
    }
  }

  // What the host says.

  func took(_ head: HTTPResponseHead, tls: Exchange.TLS?) {
    headCame = .now()
    var response = Exchange.Response(
      status: Int(head.status.code), reason: head.status.reasonPhrase, version: "\(head.version)",
      headers: head.headers.map { Exchange.Header($0.name, $0.value) })
    let type = head.headers.first(name: "Content-Type")?.lowercased() ?? ""
    isStream = type.hasPrefix("text/event-stream")
    promised = head.headers.first(name: "Content-Length").flatMap { Int($0) }
    if isStream { response.pieces = [] }
    self.response = response
    recorded?.exchange.server?.tls = tls
    recorded?.take(response)
    if let connected, let headCame {
      recorded?.exchange.timing.connect = milliseconds(asked, connected)
      recorded?.exchange.timing.wait = milliseconds(connected, headCame)
    }
    guard desk.setup.isScheduled || recorded != nil else { return sendHead(head) }
    starve(false)
    wait(bytes: 0, kind: question.kindOfHead) { [weak self] in
      self?.sendHead(head)
      self?.sendNext()
    }
  }

  private func sendHead(_ head: HTTPResponseHead) {
    hasHead = true
    var head = head
    head.headers.removeHops()
    head.headers.remove(name: "Transfer-Encoding")
    head.version = .http1_1
    client.send(head)
  }

  func took(_ bytes: ByteBuffer) {
    let decoded = recorded?.take(bytes) ?? 0
    if isStream { recorded?.exchange.response?.pieces?.append(Exchange.Piece(after: 0, size: decoded)) }
    queue.append(bytes)
    queued += bytes.readableBytes
    clientHasRoom(client.hasRoom)
    starve(false)
    if hasHead, piece == nil { sendNext() }
  }

  func tookEnd() {
    if let headCame { recorded?.exchange.timing.receive = milliseconds(headCame, .now()) }
    queue.append(nil)
    starve(false)
    if hasHead, piece == nil { sendNext() }
  }

  /// Handles a connection that ended before the response did.
  func lost(_ error: (any Error)?) {
    guard !isOver, !queue.contains(where: { $0 == nil }) else { return }
    let isTLS = error is TLSError
    if isTLS, response == nil { desk.refused(question.target.authority.host, "tls") }
    recorded?.exchange.failure = isTLS && response == nil ? .tls : .reset
    breakOff()
  }

  // What the page gets.

  private func sendNext() {
    guard !isOver, piece == nil else { return }
    guard let first = queue.first else { return starve(!isStream) }
    guard var bytes = first else { return waitForEnd() }
    // With its last byte a body is whole to who knows its length, whenever its end is told: that is the instant to keep.
    let isLast = promised.map { bytes.readableBytes >= $0 } ?? false
    promised = promised.map { $0 - bytes.readableBytes }
    guard isPaced || isLast && recorded != nil else {
      queue.removeFirst()
      queued -= bytes.readableBytes
      client.send(bytes)
      clientHasRoom(client.hasRoom)
      return sendNext()
    }
    let size = desk.setup.pieceSize
    if size > 0, !isStream, bytes.readableBytes > size, let part = bytes.readSlice(length: size) {
      queue[0] = bytes
      return send(part)
    }
    queue.removeFirst()
    send(bytes)
  }

  private func send(_ part: ByteBuffer) {
    wait(bytes: part.readableBytes, kind: .body) { [weak self] in
      guard let self else { return }
      queued -= part.readableBytes
      client.send(part)
      clientHasRoom(client.hasRoom)
      sendNext()
    }
  }

  private func wait(bytes: Int, kind: ScheduledChunk.Kind, _ then: @escaping () -> Void) {
    order += 1
    piece = desk.wait(
      exchange: question.number, order: order, bytes: bytes, kind: kind, orDrop: { [weak self] in self?.client.abort() }
    ) { [weak self] now in
      guard let self else { return }
      piece = nil
      note(now, kind)
      then()
    }
  }

  /// Ends the response, in its turn if the instant must be recorded.
  private func waitForEnd() {
    guard let recorded, !isStream, recorded.exchange.arrival?.endPlace == nil else { return end() }
    wait(bytes: 0, kind: .body) { [weak self] in self?.end() }
  }

  /// Records the instant, by the render's time, at which the part being sent arrived.
  private func note(_ now: Double, _ kind: ScheduledChunk.Kind) {
    if let exchange = recorded?.exchange {
      if exchange.arrival == nil {
        recorded?.exchange.arrival = Exchange.Arrival(place: desk.nextArrival(), head: max(0, now - exchange.startedAt))
        lastPiece = now
      } else if !isStream {
        recorded?.exchange.arrival?.end = max(0, now - lastPiece)
        recorded?.exchange.arrival?.endPlace = desk.nextArrival()
      }
    }
    guard isStream else { return }
    if kind == .body, let index = recorded?.exchange.response?.pieces?.firstIndex(where: { $0.place == nil }) {
      recorded?.exchange.response?.pieces?[index].after = max(0, now - lastPiece)
      recorded?.exchange.response?.pieces?[index].place = desk.nextArrival()
    }
    lastPiece = now
  }

  private func end() {
    client.end()
    finish()
  }

  private func finish() {
    guard !isOver else { return }
    isOver = true
    starve(false)
    host?.close(promise: nil)
    recorded?.end()
  }

  private func starve(_ starves: Bool) {
    guard starves != isStarved, desk.setup.isScheduled || !starves else { return }
    isStarved = starves
    desk.starves(starves)
  }

  private func milliseconds(_ from: NIODeadline, _ to: NIODeadline) -> Double {
    Double((to - from).nanoseconds / 1_000) / 1_000
  }
}

extension Exchange.Header {
  /// Indicates if the header is meant for the proxy only.
  var isForTheProxy: Bool { ["proxy-connection", "proxy-authorization"].contains(name.lowercased()) }
}

/// Connection to a host: one request, over TLS whose certificates are verified as browsers do.
enum Upstream {
  static func prepare(
    _ channel: any Channel, _ target: Target, _ desk: RecorderServer, _ handler: any ChannelHandler
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    if target.isSecure {
      let host = target.authority.host
      let isNumber = (try? SocketAddress(ipAddress: host, port: 0)) != nil
      try pipeline.addHandler(TLSHandler(.client(desk.trusted(), host: host, isNumber: isNumber)))
    }
    // One by one, as a web socket takes the encoder and the decoder out again.
    try pipeline.addHandlers([
      HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)), handler,
    ])
  }

  /// Returns the request's head for its host: a path, no headers for a proxy, one request per connection.
  static func head(_ question: Question) -> HTTPRequestHead {
    var head = question.head
    head.uri = question.target.path
    head.version = .http1_1
    let isSocket = question.target.isSocket
    head.headers.removeHops(keeping: isSocket ? ["connection", "upgrade"] : [])
    head.headers.remove(name: "Sec-WebSocket-Extensions")
    head.headers.remove(name: "Transfer-Encoding")
    if !isSocket { head.headers.replaceOrAdd(name: "Connection", value: "close") }
    if let body = question.request.body {
      head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
    }
    return head
  }

  /// Returns the TLS version and certificate of a connection; nil without TLS.
  static func tls(of channel: any Channel) -> Exchange.TLS? {
    guard let session = try? channel.pipeline.syncOperations.handler(type: TLSHandler.self).session else { return nil }
    let certificate = session.certificate
    return Exchange.TLS(
      version: session.version, subject: certificate?.subject ?? "", issuer: certificate?.issuer ?? "",
      validFrom: certificate?.validFrom ?? 0, validTo: certificate?.validTo ?? 0)
  }
}

/// Hands a host's response on to the answer.
final class UpstreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private weak var answer: UpstreamResponder?
  private var error: (any Error)?

  init(_ answer: UpstreamResponder) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      if head.status.code >= 200 { answer?.took(head, tls: Upstream.tls(of: context.channel)) }
    case .body(let bytes): answer?.took(bytes)
    case .end:
      answer?.tookEnd()
      context.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    self.error = error
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    answer?.lost(error)
    context.fireChannelInactive()
  }
}
