internal import Core
internal import FoundationEssentials

/// Writes a recording as an HTTP Archive, entry by entry.
struct HARWriter {
  /// Destination of bodies: the archive itself, or files beside it, whose names the function returns.
  enum Bodies {
    case inline
    case files((Exchange.Content) throws -> String)
  }

  let folder: RecordingFolder
  let title: String

  /// Maximum number of bytes of bodies in an archive without a zip; programs that read one hold it in memory.
  static let mostInline = 512 << 20
  /// Number of bytes above which a body isn't held in memory.
  private static let long = 1 << 16

  /// Passes on the archive's text, piece by piece.
  func write(_ bodies: Bodies, _ handOn: (borrowing [UInt8]) throws -> Void) throws {
    let exchanges = try folder.exchanges()
    try checkSize(exchanges, bodies)
    let began = exchanges.map { $0.date - $0.startedAt / 1_000 }.min() ?? 0
    let page = HARFile.Page(
      startedDateTime: HARDate.text(Bounded.number(began, in: 0...253_000_000_000)), id: "creative", title: title,
      pageTimings: ["onContentLoad": -1, "onLoad": -1])
    let log = HARFile.Log(
      version: "1.2", creator: HARFile.Creator(name: "galley", version: Galley.version), pages: [page], entries: [],
      galley: HARFile.Extras(rules: try folder.rules().map(\.text), conditions: folder.conditions))
    // Keys are sorted, and only the list of entries is empty.
    let parts = String(decoding: try JSONText.bytes(HARFile(log: log)), as: UTF8.self).split(
      separator: "\"entries\":[]", maxSplits: 1)
    try handOn(Array("\(parts[0])\"entries\":[\n".utf8))
    for (place, exchange) in exchanges.enumerated() {
      if place > 0 { try handOn(Array(",\n".utf8)) }
      try write(exchange, bodies, handOn)
    }
    try handOn(Array("\n]\(parts[1])\n".utf8))
  }

  private func checkSize(_ exchanges: [Exchange], _ bodies: Bodies) throws {
    guard case .inline = bodies else { return }
    let size = exchanges.reduce(0) { $0 + ($1.response?.content?.size ?? 0) + ($1.requestBody?.size ?? 0) }
    guard size <= Self.mostInline else {
      throw Fault.request(
        "recording-too-large",
        "the bodies have \(size >> 20) MiB; a .har can have \(Self.mostInline >> 20): write a .zip")
    }
  }

  private func write(_ exchange: Exchange, _ bodies: Bodies, _ handOn: (borrowing [UInt8]) throws -> Void) throws {
    let token = "galley:\(String(UInt64.random(in: .min ... .max), radix: 16)):"
    var long: [(content: Exchange.Content, isText: Bool)] = []
    let entry = try entry(exchange) { content in
      var body = HARFile.Body(size: Double(content.size), mimeType: content.mimeType)
      switch bodies {
      case .files(let keep): body.file = try keep(content)
      case .inline:
        let isText = try isText(content)
        if content.size > Self.long {
          body.text = "\(token)\(long.count)"
          long.append((content, isText))
        } else {
          let bytes = try folder.body(content, most: Self.long)
          body.text = isText ? String(decoding: bytes, as: UTF8.self) : Data(bytes).base64EncodedString()
        }
        body.encoding = isText ? nil : "base64"
      }
      return body
    }
    var rest = Substring(String(decoding: try JSONText.bytes(entry, isIndented: true), as: UTF8.self))
    // Where a long body belongs; the request's and the response's may stand in either order.
    while !long.isEmpty, let mark = rest.firstRange(of: token) {
      try handOn(Array(rest[..<mark.lowerBound].utf8))
      let digits = rest[mark.upperBound...].prefix { $0.isNumber }
      if let number = Int(digits), long.indices.contains(number) { try write(long[number], handOn) }
      rest = rest[mark.upperBound...].dropFirst(digits.count)
    }
    try handOn(Array(rest.utf8))
  }

  private func write(
    _ body: (content: Exchange.Content, isText: Bool), _ handOn: (borrowing [UInt8]) throws -> Void
  ) throws {
    var rest: [UInt8] = []
    try folder.read(body.content) { piece in
      guard !body.isText else { return try handOn(JSONEscaper.escaped(piece)) }
      rest += piece
      let whole = rest.count / 3 * 3
      try handOn(Array(Data(rest[..<whole]).base64EncodedString().utf8))
      rest.removeFirst(whole)
    }
    if !rest.isEmpty { try handOn(Array(Data(rest).base64EncodedString().utf8)) }
  }

  private func isText(_ content: Exchange.Content) throws -> Bool {
    var check = UTF8Check()
    try folder.read(content) { check.take($0) }
    return check.end()
  }

  private func entry(
    _ exchange: Exchange, _ body: (Exchange.Content) throws -> HARFile.Body
  ) throws -> HARFile.Entry {
    let timing = exchange.timing
    let connect = timing.connect ?? timing.tls
    let parts: [String: Double] = [
      "blocked": -1, "dns": timing.dns ?? -1,
      "connect": connect == nil ? -1 : (timing.connect ?? 0) + (timing.tls ?? 0),
      "ssl": timing.tls ?? -1, "send": timing.send ?? 0, "wait": timing.wait ?? 0, "receive": timing.receive ?? 0,
    ]
    var request = HARFile.Request(
      method: exchange.method, url: exchange.url, httpVersion: "HTTP/1.1",
      headers: exchange.requestHeaders.map { HARFile.Pair(name: $0.name, value: $0.value) },
      queryString: RequestAddress(exchange.url).query.map { HARFile.Pair(name: $0.name, value: $0.value) })
    request.postData = try exchange.requestBody.map(body)
    request.bodySize = Double(exchange.requestBody?.size ?? 0)
    var entry = HARFile.Entry(
      pageref: "creative", startedDateTime: HARDate.text(exchange.date),
      time: timing.untilHead + (timing.receive ?? 0), request: request, response: try response(exchange, body),
      timings: parts, serverIPAddress: exchange.server?.address)
    entry.port = exchange.server?.port
    entry.protection = exchange.server?.tls.map(HARServer.protection)
    entry.failure = exchange.failure.map(HARFailure.word)
    entry.kind = exchange.url.hasPrefix("ws") ? "websocket" : nil
    entry.initiator = exchange.initiator.map { HARFile.Initiator(type: $0) }
    var time = exchange.date
    entry.messages = exchange.messages?.map { message in
      time += message.after / 1_000
      return HARFile.Message(
        type: message.isSent ? "send" : "receive", time: time, opcode: message.opcode, data: message.data)
    }
    entry.galley = exchange
    return entry
  }

  private func response(
    _ exchange: Exchange, _ body: (Exchange.Content) throws -> HARFile.Body
  ) throws -> HARFile.Response {
    guard let response = exchange.response else {
      // What isn't answered is -1 for Playwright, which lets it wait rather than fail.
      var none = HARFile.Response(
        status: -1, statusText: "", httpVersion: "HTTP/1.1", headers: [],
        content: HARFile.Body(size: 0, mimeType: "x-unknown"), redirectURL: "")
      none.failure = exchange.failure.map(HARFailure.word)
      return none
    }
    let location = response.headers.first { $0.name.lowercased() == "location" }?.value ?? ""
    let type = response.headers.first { $0.name.lowercased() == "content-type" }?.value ?? "x-unknown"
    var written = HARFile.Response(
      status: response.status, statusText: response.reason, httpVersion: response.version,
      headers: response.headers.map { HARFile.Pair(name: $0.name, value: $0.value) },
      content: try response.content.map(body) ?? HARFile.Body(size: 0, mimeType: type), redirectURL: location,
      bodySize: Double(response.wireSize))
    written.failure = exchange.failure.map(HARFailure.word)
    return written
  }
}
