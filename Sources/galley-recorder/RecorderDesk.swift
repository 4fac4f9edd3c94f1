internal import Core
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NetworkProxy
internal import Recordings

/// What a recorder says, whole lines on standard output.
enum RecorderOutput {
  static func say(_ event: RecorderEvent) {
    try? FileWriting.writeAll(event.line, to: STDOUT_FILENO)
  }
}

/// All that connections have in common: what they are answered with, what waits for its turn, what is kept. It lives on
/// one event loop.
final class RecorderDesk {
  let setup: RecorderSetup
  let loop: any EventLoop
  /// Vouches for hosts from the first on that is asked for by TLS, which many pages never do.
  private var authority: CertificateAuthority?
  let connector: Connector
  /// Rises with whatever comes from pages, and with whatever was sent to them once it is on its way.
  private(set) var activity = 0
  /// Writes to pages that aren't on their way yet.
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

  /// Connections that may wait to be accepted: a page may ask for much at once.
  private static let backlog: Int32 = 1_024

  /// Bytes that a request may send along.
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

  /// Begins to answer pages, and says so.
  static func open(_ setup: RecorderSetup, on loop: any EventLoop) throws -> NIOLoopBound<RecorderDesk> {
    let desk = try loop.submit { NIOLoopBound(try RecorderDesk(setup, on: loop), eventLoop: loop) }.wait()
    _ = try ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: backlog)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { client in
        client.eventLoop.makeCompletedFuture {
          try client.pipeline.syncOperations.addHandlers([
            PageTrafficHandler(desk.value), FirstBytesHandler(desk.value, within: nil),
          ])
        }
      }
      .withBoundSocket(RecorderSetup.listener).wait()
    RecorderOutput.say(.ready)
    return desk
  }

  /// What a host's end of TLS is set up with.
  func context(for host: String) throws -> NIOSSLContext {
    let authority = try authority ?? CertificateAuthority()
    self.authority = authority
    return try authority.context(for: host)
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

  /// Something has come from a page.
  func stir() { activity += 1 }

  /// Something is being written to a page.
  func writes(_ written: EventLoopFuture<Void>) {
    writing += 1
    written.assumeIsolated().whenComplete { _ in
      self.writing -= 1
      self.stir()
    }
  }

  /// The place of a further response.
  func nextArrival() -> Int {
    arrivals += 1
    return arrivals - 1
  }

  /// The number of a further exchange; nil when there are too many.
  func nextExchange() -> Int? {
    guard exchanges < RecordingFolder.mostExchanges else { return nil }
    exchanges += 1
    return exchanges - 1
  }

  /// Has something done in its turn, at an instant of the render that is given to it in milliseconds.
  @discardableResult
  func wait(
    exchange: Int, order: Int, after: Double = 0, bytes: Int = 0, kind: DuePiece.Kind = .body,
    orDrop drop: @escaping () -> Void = {}, then: @escaping (Double) -> Void
  ) -> Int {
    let piece = pieces
    pieces += 1
    gates[piece] = Gate(open: then, drop: drop)
    RecorderOutput.say(
      .due(DuePiece(piece: piece, exchange: exchange, order: order, after: after, bytes: bytes, kind: kind)))
    return piece
  }

  /// What was to be done needn't be any more.
  func withdraw(_ piece: Int) {
    if gates.removeValue(forKey: piece) != nil { RecorderOutput.say(.withdrawn(piece: piece)) }
  }

  /// An exchange waits for the network, or does no more.
  func starves(_ isStarved: Bool) {
    starved += isStarved ? 1 : -1
    RecorderOutput.say(.fetching(starved))
  }

  /// Where a recorded body is.
  func bodyPath(_ digest: String) -> String? { recording?.bodyPath(digest) ?? nil }

  func refused(_ host: String, _ code: String) { RecorderOutput.say(.refused(host: host, code: code)) }

  /// Where the answer to a request comes from.
  enum Source {
    case recording(Exchange)
    /// A part of a file, put together from what was recorded of it.
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
