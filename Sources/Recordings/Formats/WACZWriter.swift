internal import Core
internal import FoundationEssentials

/// Writes a recording as a WACZ 1.1.1: the web archive, its index, its pages, and the digests of all files.
///
/// Requests without an answer and web sockets have no place in a web archive and are left out.
struct WACZWriter {
  let folder: RecordingFolder
  let title: String

  /// Entry of the index.
  private struct Line: Encodable {
    var url: String
    var mime: String
    var status: String
    var digest: String
    var length: String
    var offset: String
    var filename = "data.warc.gz"
    var method: String?
    var requestBody: String?
  }
  private struct Page: Encodable {
    var id: String
    var url: String
    var title: String
    var ts: String
  }
  private struct Package: Encodable {
    struct Resource: Encodable {
      var name: String
      var path: String
      var hash: String
      var bytes: Int
    }
    var profile = "data-package"
    var waczVersion = "1.1.1"
    var title: String
    var created: String
    var software = "galley \(Galley.version)"
    var mainPageUrl: String?
    var mainPageDate: String?
    var resources: [Resource]

    enum CodingKeys: String, CodingKey {
      case profile, title, created, software, mainPageUrl, mainPageDate, resources
      case waczVersion = "wacz_version"
    }
  }

  /// Writes the WACZ to a path that the caller named.
  func write(to path: String) throws {
    let exchanges = try folder.exchanges()
    let archive = try WARCFile(folder)
    let first = exchanges.map(\.date).min() ?? 0
    _ = try archive.write(
      Self.fields("warcinfo", id: "info", date: first) + [("Content-Type", "application/warc-fields")],
      WARCFile.Block(head: Array("software: galley \(Galley.version)\r\nformat: WARC File Format 1.1\r\n".utf8)))
    var lines: [String] = []
    for exchange in exchanges where exchange.messages == nil && exchange.response != nil {
      lines.append(try write(exchange, archive))
    }
    let page = exchanges.first {
      $0.response?.status == 200 && $0.response?.content?.mimeType.hasPrefix("text/html") == true
    }
    let texts: [(path: String, text: String)] = [
      ("indexes/index.cdx", lines.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.joined()),
      ("pages/pages.jsonl", try pages(page ?? exchanges.first)),
    ]
    try writeZip(path, archive.file, texts, page ?? exchanges.first, created: first)
  }

  private func writeZip(
    _ path: String, _ archive: BodyFile, _ texts: [(path: String, text: String)], _ page: Exchange?, created: Double
  ) throws {
    let sealed = try archive.seal()
    var files = [(name: "archive/data.warc.gz", path: archive.path)]
    var resources = [
      Package.Resource(
        name: "data.warc.gz", path: "archive/data.warc.gz", hash: "sha256:\(sealed.digest)", bytes: sealed.size)
    ]
    // They are there until the zip has been written.
    var kept: [BodyFile] = []
    for (name, text) in texts {
      let (file, digest) = try keep(text)
      kept.append(file)
      files.append((name, file.path))
      resources.append(
        Package.Resource(
          name: String(name.split(separator: "/").last ?? ""), path: name, hash: "sha256:\(digest)",
          bytes: text.utf8.count))
    }
    let package = Package(
      title: title, created: HARDate.text(created), mainPageUrl: page?.url,
      mainPageDate: page.map { HARDate.text($0.date) },
      resources: resources)
    let text = String(decoding: try JSONText.bytes(package, isIndented: true), as: UTF8.self)
    let (file, digest) = try keep(text)
    let (seal, _) = try keep(
      String(decoding: try JSONText.bytes(["path": "datapackage.json", "hash": "sha256:\(digest)"]), as: UTF8.self))
    kept += [file, seal]
    files += [("datapackage.json", file.path), ("datapackage-digest.json", seal.path)]
    try withExtendedLifetime(kept) { try RecordingZip.write(path, files: files) }
  }

  private func keep(_ text: String) throws -> (BodyFile, String) {
    let file = try folder.beginBody()
    try Array(text.utf8).withUnsafeBytes { try file.write($0) }
    return (file, try file.seal().digest)
  }

  private func pages(_ page: Exchange?) throws -> String {
    var text = #"{"format":"json-pages-1.0","id":"pages","title":"All Pages"}"# + "\n"
    guard let page else { return text }
    let line = Page(id: "creative", url: page.url, title: title.isEmpty ? page.url : title, ts: HARDate.text(page.date))
    text += String(decoding: try JSONText.bytes(line), as: UTF8.self) + "\n"
    return text
  }

  /// Writes a response and its request; returns their line for the index.
  private func write(_ exchange: Exchange, _ archive: WARCFile) throws -> String {
    guard let response = exchange.response else { return "" }
    let id = Self.identifier("response \(exchange.index)")
    let target = [("WARC-Target-URI", exchange.url)]
    let payload = response.content?.digest ?? SHA256.of([UInt8]()).hex
    var fields = Self.fields("response", id: "response \(exchange.index)", date: exchange.date) + target
    if let address = exchange.server?.address { fields.append(("WARC-IP-Address", address)) }
    fields += [("Content-Type", "application/http; msgtype=response"), ("WARC-Payload-Digest", "sha256:\(payload)")]
    let place = try archive.write(fields, WARCFile.Block(head: Self.head(of: response), content: response.content))
    var asking = Self.fields("request", id: "request \(exchange.index)", date: exchange.date) + target
    asking += [("Content-Type", "application/http; msgtype=request"), ("WARC-Concurrent-To", id)]
    _ = try archive.write(asking, WARCFile.Block(head: Self.head(of: exchange), content: exchange.requestBody))
    var line = Line(
      url: exchange.url, mime: String((response.content?.mimeType ?? "").prefix { $0 != ";" }),
      status: "\(response.status)",
      digest: "sha256:\(payload)", length: "\(place.length)", offset: "\(place.offset)")
    var key = exchange.url
    if exchange.method != "GET" {
      // As pywb tells such requests apart.
      line.method = exchange.method
      line.requestBody = try asked(exchange)
      key += "\(key.contains("?") ? "&" : "?")__wb_method=\(exchange.method)&\(line.requestBody ?? "")"
    }
    let stamp = HARDate.text(exchange.date.rounded(.down)).filter(\.isNumber).prefix(14)
    return "\(SURT.key(key)) \(stamp) \(String(decoding: try JSONText.bytes(line), as: UTF8.self))\n"
  }

  /// Returns a request's body for the index: a form as it is, others as base 64; nil above 16 KiB.
  private func asked(_ exchange: Exchange) throws -> String? {
    guard let content = exchange.requestBody, content.size <= 1 << 14 else { return nil }
    let bytes = try folder.body(content, most: 1 << 14)
    if content.mimeType.hasPrefix("application/x-www-form-urlencoded") { return String(decoding: bytes, as: UTF8.self) }
    return "__wb_post_data=" + Data(bytes).base64EncodedString()
  }

  private static func fields(_ type: String, id: String, date: Double) -> [(name: String, value: String)] {
    [("WARC-Type", type), ("WARC-Record-ID", identifier(id)), ("WARC-Date", HARDate.text(date))]
  }

  /// Returns the identifier of a record, unique within a recording; the same record of any recording has the same.
  private static func identifier(_ name: String) -> String {
    let hex = Array(SHA256.of(name).hex.prefix(32))
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }
    return "<urn:uuid:\(parts.joined(separator: "-"))>"
  }

  /// Returns a head that fits the decoded body; headers about the body on the wire get the prefix `X-Orig-`.
  private static func head(of response: Exchange.Response) -> [UInt8] {
    let framing: Set<String> = ["content-encoding", "content-length", "transfer-encoding"]
    var text = "HTTP/1.1 \(response.status) \(response.reason)\r\n"
    for line in response.headers {
      text += "\(framing.contains(line.name.lowercased()) ? "X-Orig-" : "")\(line.name): \(line.value)\r\n"
    }
    if ![204, 304].contains(response.status) { text += "Content-Length: \(response.content?.size ?? 0)\r\n" }
    return Array("\(text)\r\n".utf8)
  }

  private static func head(of exchange: Exchange) -> [UInt8] {
    let tail = exchange.url.firstRange(of: "://").map { exchange.url[$0.upperBound...].drop { $0 != "/" } } ?? ""
    var text = "\(exchange.method) \(tail.isEmpty ? "/" : String(tail)) HTTP/1.1\r\n"
    if exchange.requestHeaders.first(named: "host") == nil { text += "Host: \(RequestAddress(exchange.url).host)\r\n" }
    for line in exchange.requestHeaders { text += "\(line.name): \(line.value)\r\n" }
    return Array("\(text)\r\n".utf8)
  }
}

/// Keys by which indexes of web archives are sorted: `com,example,ads)/path?a=1&b=2`.
enum SURT {
  static func key(_ url: String) -> String {
    let lower = url.lowercased()
    guard let mark = lower.firstRange(of: "://") else { return lower }
    let rest = lower[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }.split(separator: "@").last ?? ""
    let tail = rest.drop { $0 != "/" && $0 != "?" }
    let isAddress = authority.hasPrefix("[")
    let name = isAddress ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    // Players turn addresses of the fourth version round as well.
    var host = isAddress ? String(name) : name.split(separator: ".").reversed().joined(separator: ",")
    // Archives take www.example.com and example.com for one.
    if name.hasPrefix("www."), host.hasSuffix(",www") { host.removeLast(4) }
    let port = authority.dropFirst(name.count)
    let isUsual =
      port.isEmpty || port == ":80" && lower.hasPrefix("http:") || port == ":443" && lower.hasPrefix("https:")
    var path = tail.prefix { $0 != "?" }
    if path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let query = tail.dropFirst(tail.prefix { $0 != "?" }.count).dropFirst().split(separator: "&").sorted()
    return host + (isUsual ? "" : port) + ")" + (path.isEmpty ? "/" : path) + (query.isEmpty ? "" : "?")
      + query.joined(separator: "&")
  }
}
