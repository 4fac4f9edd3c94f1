internal import NIOCore
internal import NIOPosix

@testable internal import Egress

/// A host on this machine that says one thing to whoever has sent a request's head, and remembers what it was sent.
final class LoopbackHost: Sendable {
  let port: Int
  let requests: AsyncStream<String>
  private let channel: any Channel

  private init(channel: any Channel, requests: AsyncStream<String>) {
    self.channel = channel
    self.requests = requests
    port = channel.localAddress?.port ?? 0
  }

  /// Answers with `answer` and leaves the connection to the other side; then sends back what it gets.
  static func start(answering answer: String) async throws -> LoopbackHost {
    let (requests, seen) = AsyncStream<String>.makeStream()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { child in
        child.eventLoop.makeCompletedFuture {
          try child.pipeline.syncOperations.addHandler(Answering(answer: answer, seen: seen))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return LoopbackHost(channel: channel, requests: requests)
  }

  func stop() async { try? await channel.close() }
}

private final class Answering: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let answer: String
  private let seen: AsyncStream<String>.Continuation
  private var text = ""
  private var hasAnswered = false

  init(answer: String, seen: AsyncStream<String>.Continuation) {
    self.answer = answer
    self.seen = seen
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    guard !hasAnswered else { return context.writeAndFlush(data, promise: nil) }
    text += String(buffer: bytes)
    guard text.contains("\r\n\r\n") else { return }
    hasAnswered = true
    seen.yield(text)
    context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
  }
}

/// Says `lines` one after another to a port of this machine, each after the answer to the one before has come; all that
/// came until the other side closed or `until` had come.
func converse(port: Int, _ lines: [String], until end: String) async throws -> String {
  let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
    host: "127.0.0.1", port: port
  ) { channel in
    channel.eventLoop.makeCompletedFuture {
      try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
    }
  }
  return try await channel.executeThenClose { inbound, outbound in
    var rest = lines[...]
    if let first = rest.popFirst() { try await outbound.write(ByteBuffer(string: first)) }
    var text = ""
    for try await bytes in inbound {
      text += String(buffer: bytes)
      if let next = rest.popFirst() { try await outbound.write(ByteBuffer(string: next)) }
      if text.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) || end == "\n\n" && text.contains(end) { break }
    }
    return text
  }
}
