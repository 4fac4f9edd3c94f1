internal import NIOCore
package import NIOHTTP1

/// Handler of one client's connection: one tunnel, or one request.
final class ProxyHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case idle
    /// The host is being connected to; parts of the request wait.
    case connecting
    /// The request is forwarded to the host.
    case exchanging(any Channel)
    /// Further parts are for the handler that replaces this one, or are dropped.
    case done
  }

  private var state = State.idle
  /// Parts of the request that arrived while the host was being connected to; `waitingBytes` counts their bytes.
  private var waiting: [HTTPClientRequestPart] = []
  private var waitingBytes = 0
  /// Number of waiting bytes at which reading from the client stops until the host is connected.
  private static let mostWaiting = 65_536
  private let connector: Connector
  private let onRefusal: @Sendable (EgressRefusal) -> Void

  init(connector: Connector, onRefusal: @escaping @Sendable (EgressRefusal) -> Void) {
    self.connector = connector
    self.onRefusal = onRefusal
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    switch (state, part) {
    case (.idle, .head(let head)): begin(head, context)
    case (.connecting, _): keep(part, context)
    case (.exchanging(let host), _): for part in part.passedOn { host.writeAndFlush(part, promise: nil) }
    case (.idle, _), (.done, _): break
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard case .exchanging(let host) = state else { return }
    host.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if case .exchanging(let host) = state { host.close(promise: nil) }
    state = .done
    waiting = []
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard let target = ProxyTarget(head) else {
      return answer(.badRequest, "this proxy takes CONNECT and http:// addresses", nil, context)
    }
    state = .connecting
    let client = context.channel
    let connection = connector.connect(to: target.host, port: target.port, on: context.eventLoop) { host in
      guard target.kind == .exchange else { return host.setOption(.allowRemoteHalfClosure, value: true) }
      return host.eventLoop.makeCompletedFuture {
        try host.pipeline.syncOperations.addHTTPClientHandlers()
        try host.pipeline.syncOperations.addHandler(ResponseRelay(client: client))
      }
    }
    connection.assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success(let host): connected(to: host, target, target.request(from: head), context)
      case .failure(let error): failed(error as? EgressRefusal, target.kind, context)
      }
    }
  }

  private func connected(
    to host: any Channel, _ target: ProxyTarget, _ request: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    guard context.channel.isActive, case .connecting = state else { return host.close(promise: nil) }
    let kept = waiting
    waiting = []
    switch target.kind {
    case .exchange:
      state = .exchanging(host)
      for part in [.head(request)] + kept { host.write(part, promise: nil) }
      host.flush()
      // From here on the host's own channel says when there is room for more: see `ResponseRelay`.
      context.channel.setOption(.autoRead, value: host.isWritable).whenFailure { _ in }
    case .tunnel:
      couple(host, context) { context.writeAndFlush(NIOAny(ByteBuffer(string: Self.established)), promise: nil) }
    case .upgrade:
      couple(host, context) { host.writeAndFlush(ByteBuffer(string: request.text), promise: nil) }
    }
  }

  /// Stores a part that comes too early, and stops reading at the limit, since a host may be slow or never answer.
  private func keep(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
    waiting += part.passedOn
    if case .body(let bytes) = part { waitingBytes += bytes.readableBytes }
    guard waitingBytes >= Self.mostWaiting else { return }
    context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
  }

  private static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

  /// Relays bytes both ways from here on; `greeting` sends the first.
  private func couple(_ host: any Channel, _ context: ChannelHandlerContext, greeting: () -> Void) {
    state = .done
    let (near, far) = GlueHandler.pair()
    let pipeline = context.pipeline.syncOperations
    do {
      // Without its encoder the channel takes bytes; its decoder gives back what it has read too much.
      pipeline.removeHandler(context: try pipeline.context(handlerType: HTTPResponseEncoder.self), promise: nil)
      greeting()
      try pipeline.addHandler(near)
      try host.pipeline.syncOperations.addHandler(far)
      let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
      pipeline.removeHandler(self, promise: nil)
      pipeline.removeHandler(context: decoder, promise: nil)
      context.channel.setOption(.autoRead, value: true).whenFailure { _ in }
    } catch {
      host.close(promise: nil)
      context.close(promise: nil)
    }
  }

  private func failed(_ refusal: EgressRefusal?, _ kind: ProxyTarget.Kind, _ context: ChannelHandlerContext) {
    if let refusal { onRefusal(refusal) }
    // An answer of the proxy's would pass for the host's; a page is to find what it finds without a proxy.
    guard kind == .tunnel else {
      state = .done
      return context.close(promise: nil)
    }
    guard let refusal else { return answer(.badGateway, "the host can't be reached", nil, context) }
    let words = "\(refusal.host) may not or can't be spoken to: \(refusal.code)"
    answer(refusal.isForbidden ? .forbidden : .badGateway, words, refusal.code, context)
  }

  private func answer(
    _ status: HTTPResponseStatus, _ words: String, _ code: String?, _ context: ChannelHandlerContext
  ) {
    state = .done
    guard context.channel.isActive else { return }
    let body = ByteBuffer(string: words + "\n")
    var headers: HTTPHeaders = ["Content-Type": "text/plain", "Connection": "close"]
    headers.add(name: "Content-Length", value: String(body.readableBytes))
    if let code { headers.add(name: EgressProxy.refusalHeader, value: code) }
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
  }
}

extension HTTPServerRequestPart {
  /// Parts to forward to the host after the head.
  fileprivate var passedOn: [HTTPClientRequestPart] {
    switch self {
    case .head: []
    case .body(let bytes): [.body(.byteBuffer(bytes))]
    case .end(let trailers): [.end(trailers)]
    }
  }
}

extension HTTPRequestHead {
  /// Text of the head as it is sent.
  fileprivate var text: String {
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    return "\(method.rawValue) \(uri) HTTP/1.1\r\n\(lines)\r\n"
  }
}

/// Target of a request to a proxy, and the path to request from that host.
struct ProxyTarget: Equatable {
  /// Use of the connection.
  enum Kind: Equatable {
    /// Bytes are relayed both ways, unread.
    case tunnel
    /// One request, one response.
    case exchange
    /// One request, then bytes both ways after the answer: an unencrypted web socket.
    case upgrade
  }

  var kind: Kind
  var host: String
  var port: Int
  /// Path and query for the host; empty for a tunnel.
  var path: String

  /// Reads a request's target; nil if a proxy doesn't serve it.
  init?(_ head: HTTPRequestHead) {
    if head.method == .CONNECT {
      guard let (host, port) = Self.authority(head.uri[...], defaultPort: nil) else { return nil }
      (kind, self.host, self.port, path) = (.tunnel, host, port, "")
      return
    }
    guard head.uri.lowercased().hasPrefix("http://") else { return nil }
    let rest = head.uri.dropFirst("http://".count)
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    guard let (host, port) = Self.authority(rest[..<end], defaultPort: 80) else { return nil }
    let tail = rest[end...].prefix { $0 != "#" }
    (self.host, self.port, path) = (host, port, tail.hasPrefix("/") ? String(tail) : "/\(tail)")
    kind = head.headers.contains(name: "Upgrade") ? .upgrade : .exchange
  }

  /// Reads `host`, `host:port` or `[address]:port`; ignores a name and password before an `@`.
  private static func authority(_ text: Substring, defaultPort: Int?) -> (String, Int)? {
    let text = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text
    let isBracketed = text.first == "["
    guard let hostEnd = isBracketed ? text.firstIndex(of: "]") : text.lastIndex(of: ":") ?? text.endIndex else {
      return nil
    }
    let host = isBracketed ? text[text.index(after: text.startIndex)..<hostEnd] : text[..<hostEnd]
    let rest = isBracketed ? text[text.index(after: hostEnd)...] : text[hostEnd...]
    let port = rest.isEmpty ? defaultPort : rest.hasPrefix(":") ? Int(rest.dropFirst()) : nil
    guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0.asciiValue == 0 }) else { return nil }
    guard let port, (1...65_535).contains(port) else { return nil }
    return (String(host), port)
  }

  /// Returns the request for its host: origin form, without headers for the proxy, one request per connection.
  func request(from head: HTTPRequestHead) -> HTTPRequestHead {
    var request = head
    request.uri = path
    let isUpgrade = kind == .upgrade
    request.headers.removeHops(keeping: isUpgrade ? ["connection", "upgrade"] : [])
    if !isUpgrade { request.headers.replaceOrAdd(name: "Connection", value: "close") }
    return request
  }
}

extension HTTPHeaders {
  /// Removes hop-by-hop headers, and those that `Connection` names.
  package mutating func removeHops(keeping kept: Set<String> = []) {
    let named = self[canonicalForm: "Connection"].map { $0.lowercased() }
    let hops = [
      "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
      "upgrade",
    ]
    for name in hops + named where !kept.contains(name) { remove(name: name) }
  }
}
