internal import Core
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NetworkProxy
internal import Recordings

/// Output of a recorder: whole lines on standard output.
enum RecorderOutput {
  static func say(_ event: RecorderEvent) {
    try? FileWriting.writeAll(event.line, to: STDOUT_FILENO)
  }
}

/// State that all connections share: sources of answers, pieces that wait for their turn, the recording being made.
///
/// It lives on one event loop.
final class RecorderServer {
  let setup: RecorderSetup
  let loop: any EventLoop
  /// Issuer of the hosts' certificates; made for the first request by TLS, since many pages never send one.
  private var authority: CertificateAuthority?
  private var trust: TLSCredentials?
  let connector: Connector
  /// Counter that rises with all bytes from pages, and with all bytes to pages once they were written.
  private(set) var activity = 0
  /// Number of writes to pages that haven't completed.
  private var writing = 0
  private var index: RecordingIndex?
  private var recording: RecordingFolder?
  private(set) var writer: RecordingWriter?
  private var faults: FaultPlan
  private var gates: [Int: Gate] = [:]
  private var pieces = 0
  private var exchanges = 0
  private var arrivals = 0
  private var starved = 0

  private struct Gate {
    var open: (Double) -> Void
    var drop: () -> Void
  }

  /// Number of connections that may wait to be accepted, as a page may open many at once.
  private static let backlog: Int32 = 1_024

  /// Maximum number of bytes in a request's body.
  static let largestBody = 16 << 20

  init(_ setup: RecorderSetup, on loop: any EventLoop) throws {
    self.setup = setup
    self.loop = loop
    var policy = setup.isClosed ? AddressPolicy.only([]) : AddressPolicy()
    policy.allowed = setup.allowed.compactMap { AddressBlock($0) }
    if setup.isOpen { policy.allowed += ["0.0.0.0/0", "::/0"].compactMap { AddressBlock($0) } }
    connector = Connector(policy: policy, patience: .seconds(10))
    faults = try FaultPlan(setup.faults.map { try NetworkFault(parsing: $0) })
    guard let folder = setup.folder else { return }
    switch setup.source {
    case .network: break
    case .recording: writer = try RecordingWriter(folder)
    case .replay, .replayOrNetwork:
      let recording = try RecordingFolder.open(folder)
      self.recording = recording
      index = try RecordingIndex(exchanges: recording.exchanges(), rules: recording.rules()) { content in
        try? recording.body(content, most: Self.largestBody)
      }
    }
  }

  /// Starts to answer pages, and reports that on standard output.
  static func open(_ setup: RecorderSetup, on loop: any EventLoop) throws -> NIOLoopBound<RecorderServer> {
    let desk = try loop.submit { NIOLoopBound(try RecorderServer(setup, on: loop), eventLoop: loop) }.wait()
    _ = try ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: backlog)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { client in
        // Whatever comes is written down, and only the render's own programs may have it written.
        LoopbackPeer.admit(client) {
          try client.pipeline.syncOperations.addHandlers([
            PageTrafficHandler(desk.value), FirstBytesHandler(desk.value, within: nil),
          ])
        }
      }
      .withBoundSocket(RecorderSetup.listener).wait()
    RecorderOutput.say(.ready)
    return desk
  }

  /// Returns the certificates for the end of a host's TLS.
  func credentials(for host: String) throws -> TLSCredentials {
    let authority = try authority ?? CertificateAuthority()
    self.authority = authority
    return try authority.credentials(for: host)
  }

  /// Returns the authorities that hosts are verified by: the machine's, or those of the file named by `SSL_CERT_FILE`.
  func trusted() throws -> TLSCredentials {
    let made =
      try trust ?? TLSCredentials(trustedFile: ProcessInfo.processInfo.environment["SSL_CERT_FILE"])
    trust = made
    return made
  }

  func take(_ request: RecorderRequest) {
    switch request {
    case .release(let piece, let now): gates.removeValue(forKey: piece)?.open(now)
    case .drop(let piece): gates.removeValue(forKey: piece)?.drop()
    case .sync(let number):
      // Who is still writing has more to say.
      if writing > 0 { stir() }
      RecorderOutput.say(.synced(number, activity: activity))
    case .finish:
      let count = writer?.finish() ?? 0
      RecorderOutput.say(.finished(exchanges: count))
      exit(0)
    }
  }

  /// Notes that bytes have come from a page.
  func stir() { activity += 1 }

  /// Notes that bytes are being written to a page.
  func writes(_ written: EventLoopFuture<Void>) {
    writing += 1
    written.assumeIsolated().whenComplete { _ in
      self.writing -= 1
      self.stir()
    }
  }

  /// Returns the place of a further response in the order of arrival.
  func nextArrival() -> Int {
    arrivals += 1
    return arrivals - 1
  }

  /// Returns the number of a further exchange; nil if there are too many.
  func nextExchange() -> Int? {
    guard exchanges < RecordingFolder.mostExchanges else { return nil }
    exchanges += 1
    return exchanges - 1
  }

  /// Schedules work for its turn; it is called with the instant of the render in milliseconds.
  @discardableResult
  func wait(
    exchange: Int, order: Int, after: Double = 0, bytes: Int = 0, kind: ScheduledChunk.Kind = .body,
    orDrop drop: @escaping () -> Void = {}, then: @escaping (Double) -> Void
  ) -> Int {
    let piece = pieces
    pieces += 1
    gates[piece] = Gate(open: then, drop: drop)
    RecorderOutput.say(
      .due(ScheduledChunk(piece: piece, exchange: exchange, order: order, after: after, bytes: bytes, kind: kind)))
    return piece
  }

  /// Cancels scheduled work that is no longer needed.
  func withdraw(_ piece: Int) {
    if gates.removeValue(forKey: piece) != nil { RecorderOutput.say(.withdrawn(piece: piece)) }
  }

  /// Counts an exchange that begins or stops to wait for the network, and reports the number.
  func starves(_ isStarved: Bool) {
    starved += isStarved ? 1 : -1
    RecorderOutput.say(.fetching(starved))
  }

  /// Returns the path of a recorded body; nil without a recording or such a body.
  func bodyPath(_ digest: String) -> String? { recording?.bodyPath(digest) ?? nil }

  func refused(_ host: String, _ code: String) { RecorderOutput.say(.refused(host: host, code: code)) }

  /// Source of the answer to a request.
  enum Source {
    case recording(Exchange)
    /// A part of a file, composed of recorded parts.
    case range(RangeAnswer)
    case network
    case fault(NetworkFault.Effect)
    case nowhere
  }

  func source(of request: AskedRequest) -> Source {
    if let effect = faults.effect(for: request) { return .fault(effect) }
    guard index != nil else { return .network }
    switch index?.match(request) {
    case .found(let exchange, _)?: return .recording(exchange)
    case .missing(let nearest)?:
      if let answer = index?.range(for: request) { return .range(answer) }
      guard setup.source == .replay else { return .network }
      RecorderOutput.say(
        .missing(MissingRequest(method: request.method, url: request.url, nearest: nearest)))
      return .nowhere
    case nil: return .network
    }
  }
}
