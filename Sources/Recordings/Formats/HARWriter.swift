internal import Core
internal import FoundationEssentials

/// A recording as an HTTP Archive.
struct HARWriter {
  /// Where a body goes: into the archive, or to a file beside it, whose name comes back.
  enum Bodies {
    case inline
    case files((Exchange.Content) throws -> String)
  }

  let folder: RecordingFolder
  let title: String

  /// Bytes of bodies that an archive without a zip around it may have.
  static let mostInline = 128 << 20

  func text(_ bodies: Bodies) throws -> [UInt8] {
    let exchanges = try folder.exchanges()
    if case .inline = bodies {
      let size = exchanges.reduce(0) { $0 + ($1.response?.content?.size ?? 0) + ($1.requestBody?.size ?? 0) }
      guard size <= Self.mostInline else {
        throw Fault.request(
          "recording-too-large",
          "the bodies have \(size >> 20) MiB, and a .har holds \(Self.mostInline >> 20): write a .zip")
      }
    }
    let began = exchanges.map { $0.date - $0.startedAt / 1_000 }.min() ?? 0
    let page = HARFile.Page(
      startedDateTime: Self.instant(began), id: "creative", title: title,
      pageTimings: ["onContentLoad": -1, "onLoad": -1])
    let file = HARFile(
      log: HARFile.Log(
        version: "1.2", creator: HARFile.Creator(name: "galley", version: Galley.version), pages: [page],
        entries: try exchanges.map { try entry($0, bodies) },
        galley: HARFile.Extras(rules: try folder.rules().map(\.text), conditions: folder.conditions)))
    return try JSONText.bytes(file, isIndented: true)
  }

  static func instant(_ date: Double) -> String {
    Date(timeIntervalSince1970: date).formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
  }

  private func entry(_ exchange: Exchange, _ bodies: Bodies) throws -> HARFile.Entry {
    let timing = exchange.timing
    let parts: [String: Double] = [
      "blocked": -1, "dns": timing.dns ?? -1, "connect": timing.connect ?? -1, "ssl": timing.tls ?? -1,
      "send": timing.send ?? 0, "wait": timing.wait ?? 0, "receive": timing.receive ?? 0,
    ]
    var request = HARFile.Request(
      method: exchange.method, url: exchange.url, httpVersion: "HTTP/1.1",
      headers: exchange.requestHeaders.map { HARFile.Pair(name: $0.name, value: $0.value) },
      queryString: RequestAddress(exchange.url).query.map { HARFile.Pair(name: $0.name, value: $0.value) })
    request.postData = try exchange.requestBody.map { try body($0, bodies) }
    request.bodySize = Double(exchange.requestBody?.size ?? 0)
    var entry = HARFile.Entry(
      pageref: "creative", startedDateTime: Self.instant(exchange.date), time: parts.values.reduce(0) { $0 + max(0, $1) },
      request: request, response: try response(exchange, bodies), timings: parts,
      serverIPAddress: exchange.server?.address)
    entry.failure = exchange.failure?.rawValue
    var time = exchange.date
    entry.messages = exchange.messages?.map { message in
      time += message.after / 1_000
      return HARFile.Message(
        type: message.isSent ? "send" : "receive", time: time, opcode: message.opcode, data: message.data)
    }
    entry.galley = exchange
    return entry
  }

  private func response(_ exchange: Exchange, _ bodies: Bodies) throws -> HARFile.Response {
    guard let response = exchange.response else {
      return HARFile.Response(
        status: 0, statusText: "", httpVersion: "HTTP/1.1", headers: [],
        content: HARFile.Body(size: 0, mimeType: "x-unknown"), redirectURL: "")
    }
    let location = response.headers.first { $0.name.lowercased() == "location" }?.value ?? ""
    let type = response.headers.first { $0.name.lowercased() == "content-type" }?.value ?? "x-unknown"
    var content = HARFile.Body(size: 0, mimeType: type)
    if let kept = response.content { content = try body(kept, bodies) }
    return HARFile.Response(
      status: response.status, statusText: response.reason, httpVersion: response.version,
      headers: response.headers.map { HARFile.Pair(name: $0.name, value: $0.value) }, content: content,
      redirectURL: location, bodySize: Double(response.wireSize))
  }

  private func body(_ content: Exchange.Content, _ bodies: Bodies) throws -> HARFile.Body {
    var body = HARFile.Body(size: Double(content.size), mimeType: content.mimeType)
    switch bodies {
    case .files(let keep): body.file = try keep(content)
    case .inline:
      let bytes = try folder.body(content, most: Self.mostInline)
      if let text = String(validating: bytes, as: UTF8.self) {
        body.text = text
      } else {
        body.text = Data(bytes).base64EncodedString()
        body.encoding = "base64"
      }
    }
    return body
  }
}
