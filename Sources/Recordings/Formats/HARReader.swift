internal import Core
internal import FoundationEssentials

/// Reads an HTTP Archive, Galley's or anybody's, into a recording's folder. What a person changed in it counts.
struct HARReader {
  /// Brings the body that an entry names by its file; nil where there is no such file.
  typealias Files = (String, Exchange.Content?) throws -> Exchange.Content?

  let folder: RecordingFolder
  let name: String
  let files: Files

  /// Bytes of an archive's text.
  static let longest = 512 << 20

  func read(_ text: [UInt8]) throws {
    let file: HARFile
    do {
      file = try JSONDecoder().decode(HARFile.self, from: Data(text))
    } catch {
      throw Fault.request("recording-broken", "\(name) is no HTTP Archive: \(Self.reason(error))")
    }
    guard file.log.entries.count <= RecordingFolder.mostExchanges else {
      throw Fault.request("recording-too-large", "\(name) has more than \(RecordingFolder.mostExchanges) requests")
    }
    let began = file.log.entries.compactMap { $0.startedDateTime.flatMap(Self.date) }.min() ?? 0
    var exchanges: [Exchange] = []
    for (index, entry) in file.log.entries.enumerated() {
      let exchange = try exchange(entry, index, began)
      guard exchange.isSound else {
        throw Fault.request("recording-broken", "\(name): entry \(index) has a number that can't be")
      }
      exchanges.append(exchange)
    }
    try folder.replace(exchanges)
    try folder.write(try (file.log.galley?.rules ?? []).map { try MatchRule(parsing: $0) })
    if let conditions = file.log.galley?.conditions { try folder.write(conditions) }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context)?: "\(path(context))has no \(key.stringValue)"
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?: "\(path(context))is of another kind"
    default: "it is no JSON"
    }
  }

  private static func path(_ context: DecodingError.Context) -> String {
    context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") + " "
  }

  static func date(_ text: String) -> Double? {
    for style in [
      Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle(includingFractionalSeconds: false),
    ] {
      if let date = try? Date(text, strategy: style) { return date.timeIntervalSince1970 }
    }
    return nil
  }

  private func exchange(_ entry: HARFile.Entry, _ index: Int, _ began: Double) throws -> Exchange {
    let date = entry.startedDateTime.flatMap(Self.date) ?? began
    var exchange =
      entry.galley
      ?? Exchange(
        index: index, method: entry.request.method, url: entry.request.url,
        startedAt: min(Exchange.longestTime, max(0, (date - began) * 1_000)), date: date)
    exchange.index = index
    exchange.method = entry.request.method.uppercased()
    exchange.url = String(entry.request.url.prefix { $0 != "#" })
    exchange.requestHeaders = Self.headers(entry.request.headers)
    exchange.requestBody = try entry.request.postData.flatMap { try body($0, exchange.requestBody) }
    if entry.galley == nil {
      let timings = entry.timings ?? [:]
      let part = { (name: String) in timings[name].flatMap { $0 >= 0 ? min($0, Exchange.longestTime) : nil } }
      exchange.timing = Exchange.Timing(
        dns: part("dns"), connect: part("connect"), send: part("send"), wait: part("wait"), receive: part("receive"))
      exchange.failure = entry.failure == nil ? nil : .reset
      exchange.messages = Self.messages(entry)
    }
    try takeResponse(entry, &exchange)
    return exchange
  }

  private func takeResponse(_ entry: HARFile.Entry, _ exchange: inout Exchange) throws {
    guard let response = entry.response, response.status > 0 else {
      exchange.response = nil
      if exchange.failure == nil { exchange.failure = .reset }
      return
    }
    var taken = exchange.response ?? Exchange.Response(status: response.status)
    taken.status = response.status
    taken.reason = response.statusText ?? ""
    taken.headers = Self.headers(response.headers)
    let before = taken.content
    taken.content = try response.content.flatMap { try body($0, before) }
    if taken.content?.digest != before?.digest {
      // Another body than was recorded comes at once.
      taken.pieces = nil
      taken.wireSize = taken.content?.size ?? 0
    }
    if entry.galley == nil, let size = response.bodySize, size > 0 { taken.wireSize = Bounded.int(size, in: 0...(1 << 40)) }
    exchange.response = taken
    if entry.galley == nil, taken.status >= 100 { exchange.failure = entry.failure == nil ? nil : exchange.failure }
  }

  /// Lines of the head that are of the second HTTP only aren't lines of one.
  private static func headers(_ pairs: [HARFile.Pair]?) -> [Exchange.Header] {
    (pairs ?? []).prefix(1_000).filter { !$0.name.hasPrefix(":") && !$0.name.isEmpty }.flatMap { pair in
      // Several of one name are in one value, a line each.
      pair.value.split(separator: "\n", omittingEmptySubsequences: false).map { Exchange.Header(pair.name, String($0)) }
    }
  }

  private func body(_ body: HARFile.Body, _ recorded: Exchange.Content?) throws -> Exchange.Content? {
    let type = body.mimeType ?? ""
    if let file = body.file {
      guard let content = try files(file, recorded) else {
        throw Fault.request("recording-broken", "\(name) names \(file), which isn't there")
      }
      return Exchange.Content(digest: content.digest, size: content.size, mimeType: type)
    }
    guard let text = body.text else {
      let form = (body.params ?? []).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      return form.isEmpty ? nil : try folder.keep(Array(form.utf8), mimeType: type)
    }
    guard body.encoding == "base64" else { return try folder.keep(Array(text.utf8), mimeType: type) }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw Fault.request("recording-broken", "\(name) has a body that is no base 64")
    }
    return try folder.keep(Array(data), mimeType: type)
  }

  private static func messages(_ entry: HARFile.Entry) -> [Exchange.SocketMessage]? {
    guard let messages = entry.messages else { return nil }
    var last = messages.first?.time ?? 0
    return messages.prefix(10_000).map { message in
      defer { last = message.time }
      return Exchange.SocketMessage(
        isSent: message.type == "send", after: min(Exchange.longestTime, max(0, (message.time - last) * 1_000)),
        opcode: message.opcode, data: message.data)
    }
  }
}
