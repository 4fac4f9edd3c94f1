internal import CGnuTLS
internal import Core
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket
internal import Recordings

/// Opens a web socket as in the recording, and sends the recorded messages of its server.
final class SocketReplay: Answer {
  private let question: Question
  private let exchange: Exchange
  private var plain: ReplayResponder?

  init(_ question: Question, _ exchange: Exchange) {
    self.question = question
    self.exchange = exchange
  }

  func begin() {
    guard exchange.response?.status == 101 else {
      plain = ReplayResponder(question, exchange)
      plain?.begin()
      return
    }
    let client = question.client
    question.desk.wait(
      exchange: exchange.place, order: 0, after: exchange.untilHead, kind: question.kindOfHead,
      orDrop: { client.abort() }
    ) { [question, exchange] _ in
      let named = exchange.response?.headers.first { $0.name.lowercased() == "sec-websocket-protocol" }?.value
      let player = SocketPlayer(exchange, question.desk)
      client.leave(question.openingHead(protocol: named), to: SocketFrames.handlers(player))
    }
  }

  func clientIsGone() { plain?.clientIsGone() }

  func clientHasRoom(_ hasRoom: Bool) {}
}

extension Question {
  /// Returns the response head that opens a web socket (RFC 6455, 4.2.2).
  func openingHead(protocol named: String?) -> HTTPResponseHead {
    let key = head.headers.first(name: "Sec-WebSocket-Key") ?? ""
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var digest = [UInt8](repeating: 0, count: 20)
    gnutls_hash_fast(GNUTLS_DIG_SHA1, text, text.count, &digest)
    var headers: HTTPHeaders = [
      "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": Data(digest).base64EncodedString(),
    ]
    if let named { headers.add(name: "Sec-WebSocket-Protocol", value: named) }
    return HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
  }
}

/// Handlers for the frames of a web socket on a channel.
enum SocketFrames {
  /// Maximum number of bytes in a message.
  static let largest = 16 << 20

  static func handlers(_ last: any ChannelHandler) -> [any ChannelHandler] {
    [WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: largest)), last]
  }
}

/// Assembles a message from its frames.
struct MessageAssembler {
  private var opcode = WebSocketOpcode.text
  private var data: [UInt8] = []

  /// Adds a frame; returns the message if the frame completes one, nil otherwise.
  mutating func take(_ frame: WebSocketFrame) -> (opcode: WebSocketOpcode, data: [UInt8])? {
    let bytes = Array(frame.unmaskedData.readableBytesView)
    if frame.opcode == .connectionClose { return (.connectionClose, bytes) }
    guard frame.opcode == .continuation || frame.opcode == .text || frame.opcode == .binary else { return nil }
    if frame.opcode != .continuation { (opcode, data) = (frame.opcode, []) }
    guard data.count + bytes.count <= SocketFrames.largest else { return nil }
    data += bytes
    guard frame.fin else { return nil }
    defer { data = [] }
    return (opcode, data)
  }
}

extension Exchange.SocketMessage {
  init(isSent: Bool, after: Double, _ opcode: WebSocketOpcode, _ data: [UInt8]) {
    let text = opcode == .text ? String(decoding: data, as: UTF8.self) : Data(data).base64EncodedString()
    self.init(isSent: isSent, after: after, opcode: Int(webSocketOpcode: opcode), data: text)
  }

  var frame: WebSocketFrame {
    let bytes = opcode == 1 ? Array(data.utf8) : Data(base64Encoded: data).map { Array($0) } ?? []
    let opcode: WebSocketOpcode = opcode == 1 ? .text : opcode == 8 ? .connectionClose : .binary
    return WebSocketFrame(fin: true, opcode: opcode, data: ByteBuffer(bytes: bytes))
  }
}

/// Sends the recorded messages, each after the ones before it have been repeated.
private final class SocketPlayer: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let exchange: Exchange
  private let desk: RecorderServer
  private var next = 0
  private var assembler = MessageAssembler()
  /// Number of the page's messages so far; some may have come before their turn.
  private var heard = 0
  private var piece: Int?
  private var context: ChannelHandlerContext?

  init(_ exchange: Exchange, _ desk: RecorderServer) {
    self.exchange = exchange
    self.desk = desk
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    advance()
  }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    if frame.opcode == .ping {
      let answer = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
      return context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
    guard let message = assembler.take(frame) else { return }
    if message.opcode == .connectionClose {
      let end = WebSocketFrame(fin: true, opcode: .connectionClose, data: ByteBuffer(bytes: message.data))
      context.writeAndFlush(wrapOutboundOut(end), promise: nil)
      return context.close(promise: nil)
    }
    check(Exchange.SocketMessage(isSent: true, after: 0, message.opcode, message.data))
    heard += 1
    advance()
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let piece { desk.withdraw(piece) }
    context.fireChannelInactive()
  }

  /// Reports a message of the page that differs from the recorded one.
  private func check(_ said: Exchange.SocketMessage) {
    let sent = (exchange.messages ?? []).filter { $0.isSent && $0.opcode != 8 }
    let meant = heard < sent.count ? sent[heard] : nil
    guard meant?.data != said.data else { return }
    RecorderOutput.say(
      .missing(
        MissingRequest(
          method: "SEND", url: exchange.url,
          nearest: meant.map { "the recording has \($0.data.prefix(80))" } ?? "the recording has no further message")))
  }

  private func advance() {
    guard piece == nil, let messages = exchange.messages, next < messages.count else { return }
    let message = messages[next]
    if message.isSent {
      let before = messages[..<next].filter { $0.isSent && $0.opcode != 8 }.count
      guard heard > before else { return }
      next += 1
      return advance()
    }
    piece = desk.wait(
      exchange: message.place ?? exchange.place, order: next + 1, after: message.after, bytes: message.data.utf8.count,
      orDrop: { [weak self] in self?.context?.close(promise: nil) }
    ) { [weak self] _ in
      guard let self, let context else { return }
      piece = nil
      next += 1
      context.writeAndFlush(wrapOutboundOut(message.frame), promise: nil)
      if message.opcode == 8 { return context.close(promise: nil) }
      advance()
    }
  }
}
