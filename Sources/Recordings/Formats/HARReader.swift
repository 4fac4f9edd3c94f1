internal import Core
internal import FoundationEssentials

/// Reads an HTTP Archive, from Galley or another program, into a recording's folder. Changes made by the user count.
///
/// It is read entry by entry, and long bodies are written to files as they arrive.
struct HARReader {
  /// Function that returns the body for a file name in an entry; nil if there is no such file.
  typealias Files = (String) throws -> Exchange.Content?

  let folder: RecordingFolder
  /// Name of the archive in messages.
  let name: String
  let bounds: RecordingBounds
  let files: Files

  /// Maximum number of messages of a web socket, and of bytes of a file with messages.
  private static let mostMessages = (count: 10_000, bytes: 8 << 20)

  /// Reads the archive's text, which `pieces` passes on.
  func read(_ pieces: (_ handOn: (UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
    var scanner = ArchiveScanner(folder, name: name)
    let token = scanner.token
    let decoder = JSONDecoder()
    var exchanges: [Exchange] = []
    var (place, size, heads) = (0, 0, 0)
    try pieces { piece in
      size += piece.count
      guard size <= bounds.bytes else { throw tooLarge("\(bounds.bytes >> 20) MiB") }
      try scanner.take(piece) { bytes, texts in
        heads += bytes.count
        guard heads <= bounds.heads else { throw tooLarge("\(bounds.heads >> 20) MiB without its bodies") }
        let entry: HARFile.Entry
        do {
          entry = try decoder.decode(HARFile.Entry.self, from: Data(bytes))
        } catch {
          throw broken("isn't an HTTP Archive: log.entries.\(place) \(Self.reason(error))")
        }
        let bodies = HARBodies(folder: folder, name: name, files: files, token: token, texts: texts)
        if HARAddress.isOfNetwork(entry.request.url) {
          guard exchanges.count < RecordingFolder.mostExchanges else {
            throw tooLarge("\(RecordingFolder.mostExchanges) requests")
          }
          var exchange = try exchange(entry, exchanges.count, bodies, "entry \(place)")
          // What has no date of its own comes with what stands before it.
          if entry.galley == nil, exchange.date == 0 { exchange.date = exchanges.last?.date ?? 0 }
          exchanges.append(exchange)
        }
        place += 1
      }
    }
    try finish(exchanges, scanner.head)
  }

  private func finish(_ exchanges: [Exchange], _ head: [UInt8]) throws {
    let file: HARFile
    do {
      file = try JSONDecoder().decode(HARFile.self, from: Data(head))
    } catch {
      throw broken("isn't an HTTP Archive: \(Self.reason(error))")
    }
    let began = exchanges.map(\.date).filter { $0 > 0 }.min() ?? 0
    try folder.replace(
      exchanges.map { exchange in
        guard exchange.startedAt < 0 else { return exchange }
        var exchange = exchange
        exchange.startedAt = Bounded.number((exchange.date - began) * 1_000, in: 0...Exchange.longestTime)
        return exchange
      })
    try folder.write(try (file.log.galley?.rules ?? []).map { try MatchRule(parsing: $0) })
    if let conditions = file.log.galley?.conditions { try folder.write(conditions) }
  }

  private func broken(_ reason: String) -> Fault { .request("recording-broken", "\(name) \(reason)") }

  private func tooLarge(_ limit: String) -> Fault { .request("recording-too-large", "\(name) has more than \(limit)") }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context)?: "\(path(context))has no \(key.stringValue)"
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?: "\(path(context))has the wrong type"
    default: "isn't JSON"
    }
  }

  private static func path(_ context: DecodingError.Context) -> String {
    context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") + " "
  }

  /// Returns the exchange of an entry; `startedAt` is -1 if only its date is known.
  private func exchange(_ entry: HARFile.Entry, _ index: Int, _ bodies: HARBodies, _ place: String) throws -> Exchange {
    let request = entry.request
    var exchange = entry.galley ?? Exchange(index: index, method: request.method, url: request.url, startedAt: -1)
    exchange.index = index
    exchange.method = request.method.uppercased()
    exchange.url = HARAddress.plain(request.url)
    exchange.requestHeaders = Self.headers(request.headers)
    exchange.requestBody = try request.postData.flatMap { try bodies.content($0) }
    if entry.galley == nil { try takeFacts(entry, &exchange, bodies) }
    try takeMessages(entry, &exchange)
    try takeResponse(entry, &exchange, bodies)
    var sound = exchange
    sound.startedAt = max(0, exchange.startedAt)
    guard sound.isSound else { throw broken("has an invalid number or word in \(place)") }
    return exchange
  }

  /// Reads date, timings and server of an entry from a foreign archive.
  private func takeFacts(_ entry: HARFile.Entry, _ exchange: inout Exchange, _ bodies: HARBodies) throws {
    exchange.date = entry.startedDateTime.flatMap(HARDate.seconds) ?? 0
    let timings = entry.timings ?? [:]
    let part = { (name: String) in timings[name].flatMap { $0 >= 0 ? min($0, Exchange.longestTime) : nil } }
    exchange.timing = Exchange.Timing(
      dns: part("dns"), connect: part("connect"), tls: part("ssl"), send: part("send"), wait: part("wait"),
      receive: part("receive"))
    // The archive's connecting has protecting in it.
    if let connect = exchange.timing.connect, let tls = exchange.timing.tls {
      exchange.timing.connect = max(0, connect - tls)
    }
    exchange.server = HARServer.server(entry)
  }

  private func takeMessages(_ entry: HARFile.Entry, _ exchange: inout Exchange) throws {
    var messages = entry.messages
    if exchange.url.hasPrefix("ws"), messages == nil, let file = entry.response?.content?.file {
      messages = try attachedMessages(file)
    }
    guard let messages else { return }
    let told = messages.prefix(Self.mostMessages.count)
    let known = exchange.messages ?? []
    // Galley's own have their times to the instant.
    if known.count == told.count,
      zip(known, told).allSatisfy({ $0.opcode == $1.opcode && $0.data == $1.data && $0.isSent == ($1.type == "send") })
    {
      return
    }
    let times = told.map { $0.time > 1e11 ? $0.time / 1_000 : $0.time }
    exchange.messages = told.enumerated().map { index, message in
      let after = index == 0 ? 0 : (times[index] - times[index - 1]) * 1_000
      return Exchange.SocketMessage(
        isSent: message.type == "send", after: Bounded.number(after, in: 0...Exchange.longestTime),
        opcode: message.opcode, data: message.data)
    }
  }

  /// Reads a web socket's messages from a file with one per line, as Playwright writes them.
  private func attachedMessages(_ file: String) throws -> [HARFile.Message]? {
    guard let content = try files(file) else { return nil }
    let lines = try folder.body(content, most: Self.mostMessages.bytes).split(separator: UInt8(ascii: "\n"))
    return try lines.map { line in
      guard let message = try? JSONDecoder().decode(HARFile.Message.self, from: Data(line)) else {
        throw broken("names \(file), which contains an invalid WebSocket message")
      }
      return message
    }
  }

  private func takeResponse(_ entry: HARFile.Entry, _ exchange: inout Exchange, _ bodies: HARBodies) throws {
    let failure = entry.failure ?? entry.response?.failure ?? (entry.wasAborted == true ? "aborted" : nil)
    guard let response = entry.response, response.status > 0 else {
      exchange.response = nil
      if exchange.failure == nil { exchange.failure = HARFailure.failure(failure ?? "") }
      return
    }
    let before = exchange.response
    // Where a person gave it a response, it has not failed.
    if entry.galley == nil || before == nil { exchange.failure = failure.map(HARFailure.failure) }
    var taken = before ?? Exchange.Response(status: response.status)
    taken.status = response.status
    taken.reason = HeadWord.value(response.statusText ?? "")
    if before == nil, let version = response.httpVersion, !version.isEmpty { taken.version = HeadWord.value(version) }
    taken.headers = Self.headers(response.headers)
    let isSocket = exchange.url.hasPrefix("ws")
    taken.content = isSocket ? before?.content : try response.content.flatMap { try bodies.content($0) }
    if taken.content?.digest != before?.content?.digest {
      // Another body than was recorded comes at once.
      taken.pieces = nil
      taken.wireSize = taken.content?.size ?? 0
    }
    if entry.galley == nil, let size = response.bodySize, size > 0 {
      taken.wireSize = Bounded.int(size, in: 0...(1 << 40))
    }
    exchange.response = taken
  }

  /// Returns the headers without those of HTTP/2 that HTTP/1.1 doesn't allow.
  private static func headers(_ pairs: [HARFile.Pair]?) -> [Exchange.Header] {
    (pairs ?? []).prefix(1_000).filter { HeadWord.isToken($0.name) }.flatMap { pair in
      // Several of one name are in one value, a line each.
      pair.value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
        Exchange.Header(pair.name, HeadWord.value($0))
      }
    }
  }
}

/// Reads the bodies of one entry.
struct HARBodies {
  let folder: RecordingFolder
  let name: String
  let files: HARReader.Files
  /// Prefix of the placeholder for a long text; the text's number follows it.
  let token: String
  let texts: [BodyFile]

  /// Returns the stored content of a body; nil for none.
  func content(_ body: HARFile.Body) throws -> Exchange.Content? {
    let type = HeadWord.value(body.mimeType ?? "")
    if let file = body.file {
      guard let content = try files(file) else {
        throw Fault.request("recording-broken", "\(name) names \(file), which doesn't exist")
      }
      return Exchange.Content(digest: content.digest, size: content.size, mimeType: type)
    }
    guard let text = body.text else {
      let form = (body.params ?? []).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      return form.isEmpty ? nil : try folder.keep(Array(form.utf8), mimeType: type)
    }
    // Nothing is how many write that there was nothing.
    guard !text.isEmpty else { return nil }
    let isBase64 = body.encoding == "base64"
    if text.hasPrefix(token), let number = Int(text.dropFirst(token.count)), texts.indices.contains(number) {
      return try isBase64 ? decoded(type) { try texts[number].read($0) } : texts[number].finish(mimeType: type)
    }
    guard isBase64 else { return try folder.keep(Array(text.utf8), mimeType: type) }
    return try decoded(type) { handOn in try Array(text.utf8).withUnsafeBytes(handOn) }
  }

  private func decoded(
    _ type: String, _ pieces: (_ handOn: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> Exchange.Content {
    var decoder = Base64Decoder()
    let file = try folder.beginBody()
    do {
      try pieces { piece in try decoder.take(piece).withUnsafeBytes { try file.write($0) } }
      try decoder.end().withUnsafeBytes { try file.write($0) }
    } catch is Base64Decoder.DecodingError {
      throw Fault.request("recording-broken", "\(name) has a body that isn't base64")
    }
    return try file.finish(mimeType: type)
  }
}
