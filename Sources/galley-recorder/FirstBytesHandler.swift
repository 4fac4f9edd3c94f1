internal import NIOCore
internal import NIOHTTP1

/// Inspects the first bytes of a connection: a request for a tunnel, TLS inside a tunnel, or another request.
///
/// Tunnels and their TLS end here, so that the requests inside are read as well.
final class FirstBytesHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let desk: RecorderServer
  /// Host and port at the tunnel's end; nil outside a tunnel.
  private let tunnel: Authority?
  private var bytes = ByteBuffer()
  /// Maximum number of bytes of a tunnel's request, which has few lines.
  private static let longest = 16_384

  init(_ desk: RecorderServer, within tunnel: Authority?) {
    self.desk = desk
    self.tunnel = tunnel
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes.writeImmutableBuffer(unwrapInboundIn(data))
    do {
      if let tunnel { try enter(tunnel, context) } else { try begin(context) }
    } catch {
      context.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func begin(_ context: ChannelHandlerContext) throws {
    let word = Array("CONNECT ".utf8)
    guard bytes.readableBytes >= word.count else { return }
    guard bytes.readableBytesView.starts(with: word) else {
      try context.pipeline.syncOperations.addExchanges(desk, .proxy)
      return context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
    guard let end = bytes.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else {
      if bytes.readableBytes > Self.longest { context.close(promise: nil) }
      return
    }
    let head = String(decoding: bytes.readableBytesView[..<end.lowerBound], as: UTF8.self)
    bytes.moveReaderIndex(to: end.upperBound)
    let target = head.split(separator: " ", maxSplits: 2).dropFirst().first.map(String.init) ?? ""
    guard let authority = Authority(target) else { return context.close(promise: nil) }
    let answer = context.channel.allocator.buffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")
    context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    try context.pipeline.syncOperations.addHandler(FirstBytesHandler(desk, within: authority))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  /// Ends a tunnel here, and decrypts it if it begins with a TLS handshake.
  private func enter(_ tunnel: Authority, _ context: ChannelHandlerContext) throws {
    guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
    let isSecure = first == 0x16
    let pipeline = context.pipeline.syncOperations
    if isSecure {
      try pipeline.addHandler(TLSHandler(.server(desk.credentials(for: tunnel.host))))
    }
    try pipeline.addExchanges(desk, .tunnel(tunnel, isSecure: isSecure))
    pipeline.removeHandler(self, promise: nil)
  }

  /// Hands the bytes that weren't consumed here on to the next handler.
  func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
    if bytes.readableBytes > 0 {
      context.fireChannelRead(NIOAny(bytes))
      context.fireChannelReadComplete()
    }
    context.leavePipeline(removalToken: removalToken)
  }
}

/// A host and its port.
struct Authority: Hashable {
  var host: String
  var port: Int

  /// Parses `host:port` or `[address]:port`; the port may be missing if there is a default.
  init?(_ text: some StringProtocol, defaultPort: Int? = nil) {
    let text = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text[...]
    let isBracketed = text.first == "["
    guard let hostEnd = isBracketed ? text.firstIndex(of: "]") : text.lastIndex(of: ":") ?? text.endIndex else {
      return nil
    }
    let host = isBracketed ? text[text.index(after: text.startIndex)..<hostEnd] : text[..<hostEnd]
    let rest = isBracketed ? text[text.index(after: hostEnd)...] : text[hostEnd...]
    guard let port = rest.isEmpty ? defaultPort : Int(rest.dropFirst()), (1...65_535).contains(port) else { return nil }
    guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0.asciiValue == 0 }) else { return nil }
    (self.host, self.port) = (String(host), port)
  }
}

/// Form in which requests arrive.
enum Arrival {
  /// Whole addresses, unencrypted.
  case proxy
  /// Paths, through a tunnel.
  case tunnel(Authority, isSecure: Bool)
}

extension ChannelPipeline.SynchronousOperations {
  /// Adds the handlers that read requests from here on and answer them.
  fileprivate func addExchanges(_ desk: RecorderServer, _ arrival: Arrival) throws {
    try addHandlers([
      HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes)),
      ExchangeHandler(desk, arrival),
    ])
  }
}
