import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// One request to a server that a test has started, with its complete answer; redirects aren't followed.
///
/// Foundation's URLSession isn't used, because it keeps a processor busy while it waits for the answer to a request
/// with a body.
struct HTTPRequest: Sendable {
  struct Answer: Sendable {
    let status: Int
    /// Headers by names in lower case.
    let headers: [String: String]
    let body: Data
  }

  /// Reason for a missing answer.
  enum Failure: Error {
    case address(String)
    case noAnswer(String)
  }

  var method = "GET"
  var address: String
  var headers: [String: String] = [:]
  var body = Data()

  /// Maximum time without any data.
  private static let patience = TimeAmount.seconds(90)
  private static let longestAnswer = 1 << 28

  func answer() async throws -> Answer {
    guard let url = URL(string: address), let host = url.host(), let port = url.port else {
      throw Failure.address(address)
    }
    var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: method), uri: Self.target(of: url))
    head.headers = ["host": "\(host):\(port)", "connection": "close"]
    if !body.isEmpty || method == "POST" { head.headers.add(name: "content-length", value: "\(body.count)") }
    for (name, value) in headers { head.headers.replaceOrAdd(name: name, value: value) }
    // In one go: a server may answer and close as soon as it knows all.
    let parts: [HTTPClientRequestPart] = [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)]
    let connection = try await Self.connect(host, port)
    return try await connection.executeThenClose { inbound, outbound in
      try await outbound.write(contentsOf: parts)
      for try await answer in inbound {
        let fields = answer.head.headers.map { ($0.name.lowercased(), $0.value) }
        return Answer(
          status: Int(answer.head.status.code), headers: Dictionary(fields, uniquingKeysWith: { $1 }),
          body: answer.body.map { Data($0.readableBytesView) } ?? Data())
      }
      throw Failure.noAnswer(address)
    }
  }

  /// Returns the target in the request's first line.
  private static func target(of url: URL) -> String {
    let path = url.path(percentEncoded: true)
    return (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
  }

  private static func connect(
    _ host: String, _ port: Int
  ) async throws -> NIOAsyncChannel<NIOHTTPClientResponseFull, HTTPClientRequestPart> {
    try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(host: host, port: port) { channel in
      channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(allTimeout: patience))
        try pipeline.addHandler(ClosesWhenIdle())
        try pipeline.addHTTPClientHandlers()
        try pipeline.addHandler(NIOHTTPClientResponseAggregator(maxContentLength: longestAnswer))
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
      }
    }
  }
}

/// Handler that closes an idle connection.
private final class ClosesWhenIdle: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
