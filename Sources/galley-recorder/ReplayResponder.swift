internal import Core
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import Recordings

/// Answers a request with the recorded response, part by part, each in its turn.
final class ReplayResponder: Answer {
  private let question: Question
  private let exchange: Exchange
  private var parts: [Part] = []
  /// Parts of recorded files that make up the body; for one whole file, nil until the head is sent.
  private var ranges: [RangeAnswer.Part]?
  private var body: FilePart?
  private var piece: Int?
  private var order = 0
  private var isGone = false

  private struct Part {
    var after: Double
    /// Bytes in the body's file.
    var size: Int
    /// Bytes over the wire.
    var bytes: Int
    /// Place in the order of the parts that arrive at one instant; nil for the exchange's own place.
    var place: Int?
  }

  /// Number of bytes that are read and written at once.
  private static let chunk = 65_536

  init(_ question: Question, _ exchange: Exchange, from ranges: [RangeAnswer.Part]? = nil) {
    self.question = question
    self.exchange = exchange
    self.ranges = ranges
  }

  func begin() {
    wait(after: exchange.untilHead, bytes: 0, kind: question.kindOfHead) { [weak self] in self?.sendHead() }
  }

  func clientIsGone() {
    isGone = true
    if let piece { question.desk.withdraw(piece) }
    body = nil
  }

  func clientHasRoom(_ hasRoom: Bool) {}

  private func wait(
    after: Double, bytes: Int, kind: ScheduledChunk.Kind, place: Int? = nil, _ then: @escaping () -> Void
  ) {
    order += 1
    piece = question.desk.wait(
      exchange: place ?? exchange.place, order: order, after: after, bytes: bytes, kind: kind,
      orDrop: { [weak self] in self?.question.client.abort() }
    ) { [weak self] _ in
      self?.piece = nil
      then()
    }
  }

  private func sendHead() {
    guard !isGone else { return }
    guard let response = exchange.response else {
      if let code = exchange.failure?.refusal { question.desk.refused(question.target.authority.host, code) }
      return question.client.abort()
    }
    let size = response.content?.size ?? 0
    question.client.send(response.head(size: response.pieces == nil ? size : nil, of: question.head.method))
    guard question.head.method != .HEAD, let content = response.content, content.size > 0 else { return end() }
    ranges = ranges ?? [RangeAnswer.Part(content: content, offset: 0, count: content.size)]
    parts = Self.parts(
      of: response, size: content.size, receive: exchange.untilEnd, endPlace: exchange.arrival?.endPlace,
      question.desk.setup)
    // What came right behind its head comes with it: time needn't wait for a turn of its own.
    if let part = parts.first, part.after == 0, let place = part.place, place == exchange.nextPlace {
      parts.removeFirst()
      send(part.size)
    } else {
      sendNext()
    }
  }

  private static func parts(
    of response: Exchange.Response, size: Int, receive: Double, endPlace: Int?, _ setup: RecorderSetup
  ) -> [Part] {
    let density = Double(response.wireSize) / Double(max(1, size))
    if let pieces = response.pieces {
      return pieces.map {
        Part(
          after: $0.after, size: $0.size, bytes: Bounded.int(Double($0.size) * density, in: 0...Int.max),
          place: $0.place)
      }
    }
    guard setup.pieceSize > 0 else {
      return [Part(after: receive, size: size, bytes: response.wireSize, place: endPlace)]
    }
    let each = max(1, Bounded.int(Double(setup.pieceSize) / max(density, 1e-6), in: 1...(1 << 30)))
    return stride(from: 0, to: size, by: each).map { start in
      let part = min(each, size - start)
      return Part(after: 0, size: part, bytes: Bounded.int(Double(part) * density, in: 0...Int.max))
    }
  }

  private func sendNext() {
    guard !isGone else { return }
    guard let part = parts.first else { return end() }
    parts.removeFirst()
    wait(
      after: part.after, bytes: part.bytes, kind: .body,
      place: part.place.map { Exchange.behindOthers($0, exchange.isFilm) }
    ) { [weak self] in self?.send(part.size) }
  }

  /// Sends that many bytes of the body at the client's speed, then continues with the next part.
  private func send(_ left: Int) {
    guard !isGone else { return }
    guard left > 0 else { return sendNext() }
    guard let bytes = read(min(left, Self.chunk)), !bytes.isEmpty else { return question.client.abort() }
    question.client.send(ByteBuffer(bytes: bytes)) { [weak self] in self?.send(left - bytes.count) }
  }

  /// Returns the next bytes, from one file after the other; nil if they can't be read.
  private func read(_ most: Int) -> [UInt8]? {
    guard let range = ranges?.first else { return nil }
    if body == nil {
      body = question.desk.bodyPath(range.content.digest).flatMap { FilePart($0, from: range.offset) }
    }
    guard let bytes = body?.read(min(most, range.count)) else { return nil }
    ranges?[0].take(bytes.count)
    if ranges?[0].count == 0 {
      ranges?.removeFirst()
      body = nil
    }
    return bytes
  }

  private func end() {
    body = nil
    // What broke off when it was recorded breaks off again.
    if exchange.failure != nil { question.client.abort() } else { question.client.end() }
  }
}

extension RangeAnswer {
  /// The answer as an exchange, with the size of its whole body.
  var whole: Exchange {
    var whole = exchange
    whole.response = response
    let size = parts.reduce(0) { $0 + $1.count }
    whole.response?.content = Exchange.Content(digest: "", size: size, mimeType: "")
    whole.response?.pieces = nil
    return whole
  }
}

extension Exchange.Failure {
  /// Code for a host that wasn't reached; nil if it was.
  fileprivate var refusal: String? {
    switch self {
    case .dns: "unknown-host"
    case .unreachable, .refused, .tls: rawValue
    case .reset, .missing: nil
    }
  }
}

extension Exchange {
  /// Milliseconds from the request to the head of the replayed response.
  var untilHead: Double { arrival?.head ?? timing.untilHead }

  /// Milliseconds from the head to the end of the replayed body.
  fileprivate var untilEnd: Double { arrival?.end ?? timing.receive ?? 0 }

  /// Place of the head in the order of the responses that arrive at one instant.
  var place: Int { Self.behindOthers(arrival?.place ?? index, isFilm) }

  /// Place directly after the head's, if nothing else can have come between; nil if that isn't known.
  fileprivate var nextPlace: Int? { isFilm ? nil : arrival.map { $0.place + 1 } }

  /// Indicates if the response is video or audio: the engine decodes it in real time, so it comes last at its instant.
  var isFilm: Bool {
    let type = response?.headers.first { $0.name.lowercased() == "content-type" }?.value.lowercased() ?? ""
    return type.hasPrefix("video/") || type.hasPrefix("audio/")
  }

  static func behindOthers(_ place: Int, _ isFilm: Bool) -> Int { isFilm ? place + ScheduledChunk.firstFilm : place }
}

extension Exchange.Response {
  /// Returns the head for the replay: without content encoding, with a length if that is known.
  fileprivate func head(size: Int?, of method: HTTPMethod) -> HTTPResponseHead {
    let framing: Set<String> = [
      "content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "trailer", "upgrade",
      "proxy-connection",
    ]
    var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status, reasonPhrase: reason))
    for header in headers where !framing.contains(header.name.lowercased()) {
      head.headers.add(name: header.name, value: header.value)
    }
    let length = headers.first { $0.name.lowercased() == "content-length" }?.value
    if method == .HEAD, let length { head.headers.add(name: "Content-Length", value: length) }
    if method != .HEAD, let size, status != 204, status != 304 {
      head.headers.add(name: "Content-Length", value: "\(size)")
    }
    return head
  }
}
