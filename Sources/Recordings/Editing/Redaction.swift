package import Core
internal import FoundationEssentials

/// What is taken out of a recording before others see it; names stay, values become `redacted`.
///
/// Bodies of responses are only looked at for fields of JSON: what a page or a script has in its text stays there.
package struct Redaction: Hashable, Sendable {
  /// Lines of heads by name, in small letters.
  package var headers: Set<String>
  /// Parameters of addresses and forms by name, in small letters, and members of JSON wherever they stand.
  package var parameters: Set<String>
  /// Fields of bodies that are JSON, by dotted names, or a form.
  package var fields: Set<String>

  /// Who somebody is, by what servers told browsers to say.
  package static let usualHeaders: Set<String> = ["authorization", "cookie", "proxy-authorization", "set-cookie"]
  /// Where somebody is, and by which number their device is known, as macros and requests for ads have it.
  package static let usualParameters: Set<String> = ["lat", "lon", "latitude", "longitude", "ifa", "idfa", "gaid", "ip"]

  /// What stands in the place of what was taken out.
  package static let mark = "redacted"
  /// Bytes of a body whose fields are looked for.
  private static let mostBody = 16 << 20

  package init(headers: Set<String> = [], parameters: Set<String> = [], fields: Set<String> = []) {
    self.headers = Self.usualHeaders.union(headers.map { $0.lowercased() })
    self.parameters = Self.usualParameters.union(parameters.map { $0.lowercased() })
    self.fields = fields
  }

  /// Takes it out of all exchanges, and adds the rules by which a creative's requests find their answers again.
  package func apply(to folder: RecordingFolder) throws(Fault) {
    var exchanges = try folder.exchanges()
    var (queries, paths) = (Set<String>(), Set<String>())
    for index in exchanges.indices {
      let before = exchanges[index]
      try redact(&exchanges[index], folder, &paths)
      if exchanges[index].url != before.url {
        queries.formUnion(RequestAddress(before.url).query.map(\.name).filter(isParameter))
      }
    }
    try folder.replace(exchanges)
    var rules: [MatchRule] = []
    if !queries.isEmpty { rules.append(try MatchRule(parsing: "ignore query \(queries.sorted().joined(separator: ","))")) }
    // A rule's words have neither spaces nor commas.
    let named = paths.filter { path in !path.contains { $0.isWhitespace || $0 == "," } }
    if !named.isEmpty { rules.append(try MatchRule(parsing: "ignore body field \(named.sorted().joined(separator: ","))")) }
    try RecordingEdit.add(rules, to: folder)
  }

  /// Tells which fields of requests' bodies it took out.
  private func redact(
    _ exchange: inout Exchange, _ folder: RecordingFolder, _ paths: inout Set<String>
  ) throws(Fault) {
    exchange.url = address(exchange.url)
    exchange.requestHeaders = exchange.requestHeaders.map(header)
    if let content = exchange.requestBody { exchange.requestBody = try self.content(content, folder, &paths) }
    // Only what is sent has to be found again.
    var others: Set<String> = []
    exchange.messages = exchange.messages?.map { message in
      var message = message
      if message.opcode == 1, let bytes = body(Array(message.data.utf8), &others) {
        message.data = String(decoding: bytes, as: UTF8.self)
      }
      return message
    }
    guard var response = exchange.response else { return }
    response.headers = response.headers.map(header)
    if let content = response.content, content.mimeType.contains("json") {
      let redacted = try self.content(content, folder, &others)
      if redacted.digest != content.digest {
        (response.content, response.wireSize, response.pieces) = (redacted, redacted.size, nil)
        response.headers.removeAll { ["content-encoding", "content-length"].contains($0.name.lowercased()) }
      }
    }
    exchange.response = response
  }

  private func header(_ header: Exchange.Header) -> Exchange.Header {
    let name = header.name.lowercased()
    if headers.contains(name) {
      return Exchange.Header(header.name, name.hasSuffix("cookie") ? Self.cookies(header.value, name) : Self.mark)
    }
    return ["referer", "location", "content-location", "link"].contains(name)
      ? Exchange.Header(header.name, address(header.value)) : header
  }

  /// A cookie's name and how it is kept stay: without them a creative goes other ways.
  private static func cookies(_ value: String, _ name: String) -> String {
    let parts = value.split(separator: ";").map { $0.drop { $0 == " " } }
    return parts.enumerated().map { index, part in
      guard name != "set-cookie" || index == 0, let end = part.firstIndex(of: "=") else { return String(part) }
      return "\(part[..<end])=\(mark)"
    }
    .joined(separator: "; ")
  }

  private func address(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "?") else { return text }
    let tail = text[text.index(after: mark)...]
    let end = tail.firstIndex { $0 == "#" || $0 == ">" } ?? tail.endIndex
    return text[...mark] + pairs(tail[..<end], isParameter) + tail[end...]
  }

  private func isParameter(_ name: String) -> Bool { parameters.contains(name.lowercased()) }

  private func isField(_ name: String) -> Bool { fields.contains(name) || isParameter(name) }

  /// As an address's parameter is meant; nil for a percent sign without its digits, or what is no text then.
  static func withoutPercents(_ name: some StringProtocol) -> String? {
    var (bytes, rest) = ([UInt8](), name.utf8[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      guard digits.count == 2 else { return nil }
      bytes.append(UInt8(digits[0] * 16 + digits[1]))
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private func pairs(_ text: some StringProtocol, _ isMeant: (String) -> Bool) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      let plain = Self.withoutPercents(name) ?? String(name)
      return isMeant(plain) && name.endIndex < pair.endIndex ? "\(name)=\(Self.mark)" : String(pair)
    }
    .joined(separator: "&")
  }

  private func content(
    _ content: Exchange.Content, _ folder: RecordingFolder, _ paths: inout Set<String>
  ) throws(Fault) -> Exchange.Content {
    guard content.size > 0, content.size <= Self.mostBody else { return content }
    guard let redacted = body(try folder.body(content, most: Self.mostBody), &paths) else { return content }
    return try folder.keep(redacted, mimeType: content.mimeType)
  }

  /// Nil where there is nothing to take out.
  private func body(_ bytes: [UInt8], _ paths: inout Set<String>) -> [UInt8]? {
    let first = bytes.first { ![9, 10, 13, 32].contains($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "["), let value = JSONText.value(bytes) {
      let redacted = redacted(value, at: "", &paths)
      return redacted == value ? nil : try? JSONText.bytes(redacted)
    }
    guard bytes.contains(UInt8(ascii: "=")), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let redacted = pairs(text, isField)
    guard redacted != text else { return nil }
    paths.formUnion(text.split(separator: "&").map { String($0.prefix { $0 != "=" }) }.filter(isField))
    return Array(redacted.utf8)
  }

  private func redacted(_ value: JSONValue, at place: String, _ paths: inout Set<String>) -> JSONValue {
    switch value {
    case .object(let members):
      var kept: [String: JSONValue] = [:]
      for (name, member) in members {
        let path = place.isEmpty ? name : "\(place).\(name)"
        // A parameter's name is meant wherever it stands, as SDKs put it anywhere; an object of the name is looked into.
        if fields.contains(path) || isParameter(name) && member.object == nil {
          paths.insert(path)
          kept[name] = .string(Self.mark)
        } else {
          kept[name] = redacted(member, at: path, &paths)
        }
      }
      return .object(kept)
    case .array(let elements): return .array(elements.map { redacted($0, at: place, &paths) })
    default: return value
    }
  }
}
