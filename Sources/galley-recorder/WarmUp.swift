internal import Core
internal import NIOCore
internal import NIOEmbedded
internal import Recordings

/// Runs once, before the process is copied, the operations whose first run is slow.
///
/// On first use of a type, the runtime searches the whole program for its conformances; the copies inherit the result.
enum WarmUp {
  static func run() {
    // The key is nobody's, and a copy makes its own.
    _ = try? CertificateAuthority().credentials(for: "warm.example")
    for event in events { _ = event.line }
    for request in requests { _ = RecorderRequest(line: request.line.dropLast()) }
    if let setup = try? JSONText.bytes(RecorderSetup(source: .network)) {
      _ = RenderRecorder.decoded(RecorderSetup.self, String(decoding: setup, as: UTF8.self))
    }
    if let kept = try? JSONText.bytes(exchange) {
      _ = RenderRecorder.decoded(Exchange.self, String(decoding: kept, as: UTF8.self))
    }
    answerOnce()
  }

  /// Answers one request as a copy does, without a network; returns true if there was an answer.
  ///
  /// An embedded event loop is used, as the real kind needs threads, which copies don't have.
  @discardableResult static func answerOnce() -> Bool {
    let loop = EmbeddedEventLoop()
    guard
      let desk = try? RecorderServer(
        RecorderSetup(source: .network, faults: ["host=warm.example status=200"]), on: loop)
    else { return false }
    let page = EmbeddedChannel(
      handlers: [PageTrafficHandler(desk), FirstBytesHandler(desk, within: nil)], loop: loop)
    _ = try? page.writeInbound(ByteBuffer(string: "GET http://warm.example/ HTTP/1.1\r\nHost: warm.example\r\n\r\n"))
    desk.take(.release(piece: 0, now: 0))
    let head = try? page.readOutbound(as: ByteBuffer.self)
    _ = try? page.finish()
    return head.map { $0.readableBytesView.starts(with: Array("HTTP/1.1 200".utf8)) } ?? false
  }

  private static let events: [RecorderEvent] = [
    .due(ScheduledChunk(piece: 0, exchange: 0, order: 0, after: 0, bytes: 0, kind: .head)), .synced(0, activity: 0),
    .ready,
    .fetching(0), .finished(exchanges: 0),
  ]
  private static let requests: [RecorderRequest] = [.release(piece: 0, now: 0), .sync(0), .drop(piece: 0), .finish]

  private static var exchange: Exchange {
    var exchange = Exchange(
      index: 0, method: "GET", url: "https://warm.example/", requestHeaders: [Exchange.Header("a", "b")], startedAt: 0,
      date: 0)
    exchange.server = Exchange.Server(address: "127.0.0.1", port: 443)
    exchange.server?.tls = Exchange.TLS(version: "", subject: "", issuer: "", validFrom: 0, validTo: 0)
    exchange.response = Exchange.Response(status: 200, reason: "", version: "", headers: [Exchange.Header("a", "b")])
    exchange.response?.content = Exchange.Content(digest: "", size: 0, mimeType: "")
    exchange.arrival = Exchange.Arrival(place: 0, head: 0)
    return exchange
  }
}
