package import Core
internal import FoundationEssentials

/// Personal data that is removed from a recording before others see it; names stay, values become `redacted`.
///
/// In bodies that are markup or scripts only addresses are searched, as other names there may be variables.
package struct Redaction: Hashable, Sendable {
  /// Names of headers, in lower case.
  package var headers: Set<String>
  /// Names of parameters in addresses and forms, and of members anywhere in JSON, in lower case.
  package var parameters: Set<String>
  /// Fields of bodies: dotted names in JSON, or names in a form.
  package var fields: Set<String>

  /// Headers that identify a user or authenticate one, from servers, browsers and proxies.
  package static let usualHeaders: Set<String> = [
    "api-key", "authentication-info", "authorization", "cf-connecting-ip", "client-ip", "cookie", "fastly-client-ip",
    "forwarded", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "set-cookie",
    "true-client-ip", "www-authenticate", "x-access-token", "x-amz-security-token", "x-api-key", "x-auth-token",
    "x-client-ip", "x-cluster-client-ip", "x-csrf-token", "x-forwarded-for", "x-real-ip", "x-session-token",
    "x-xsrf-token",
  ]
  /// Parameters for the user's location and the device's identifiers, as macros and ad requests name them.
  package static let usualParameters: Set<String> = [
    "lat", "lon", "latitude", "longitude", "ifa", "idfa", "gaid", "ip",
  ]

  /// Text that replaces a removed value.
  package static let mark = "redacted"
  /// Maximum number of bytes of a body that is searched.
  private static let mostBody = 16 << 20

  package init(headers: Set<String> = [], parameters: Set<String> = [], fields: Set<String> = []) {
    self.headers = Self.usualHeaders.union(headers.map { $0.lowercased() })
    self.parameters = Self.usualParameters.union(parameters.map { $0.lowercased() })
    self.fields = fields
  }

  /// Redacts all exchanges, and adds rules by which the creative's requests still match their recorded answers.
  package func apply(to folder: RecordingFolder) throws(Fault) {
    var exchanges = try folder.exchanges()
    var (queries, paths, hosts) = (Set<String>(), Set<String>(), Set<String>())
    for index in exchanges.indices {
      let before = exchanges[index]
      var own: Set<String> = []
      try redact(&exchanges[index], folder, &own)
      paths.formUnion(own)
      let (old, new) = (RequestAddress(before.url), RequestAddress(exchanges[index].url))
      for (one, other) in zip(old.query, new.query) where one != other { queries.insert(one.name) }
      // Without fields that have names, all of the body is another.
      if exchanges[index].requestBody != before.requestBody, own.isEmpty { hosts.insert(old.host) }
    }
    queries = queries.filter { name in !name.contains { $0.isWhitespace || $0 == "," } }
    try folder.replace(exchanges)
    var rules: [MatchRule] = []
    if !queries.isEmpty {
      rules.append(try MatchRule(parsing: "ignore query \(queries.sorted().joined(separator: ","))"))
    }
    // A rule's words have neither spaces nor commas.
    let named = paths.filter { path in !path.contains { $0.isWhitespace || $0 == "," } }
    if !named.isEmpty {
      rules.append(try MatchRule(parsing: "ignore body field \(named.sorted().joined(separator: ","))"))
    }
    for host in hosts.sorted() where !host.contains(where: \.isWhitespace) && !host.isEmpty {
      rules.append(try MatchRule(parsing: "ignore body on \(host)"))
    }
    try RecordingEdit.add(rules, to: folder)
  }

  /// Redacts one exchange; adds the names of the changed fields in its request's body to `paths`.
  private func redact(
    _ exchange: inout Exchange, _ folder: RecordingFolder, _ paths: inout Set<String>
  ) throws(Fault) {
    exchange.url = address(exchange.url)
    exchange.requestHeaders = exchange.requestHeaders.map(header)
    if let content = exchange.requestBody {
      exchange.requestBody = try self.content(content, folder, &paths, isSent: true)
    }
    // Only what is sent has to be found again.
    var others: Set<String> = []
    exchange.messages = exchange.messages?.map { message in
      var message = message
      if message.opcode == 1, let bytes = body(Array(message.data.utf8), Self.form, &others) {
        message.data = String(decoding: bytes, as: UTF8.self)
      }
      return message
    }
    guard var response = exchange.response else { return }
    response.headers = response.headers.map(header)
    if let content = response.content, Self.isText(content.mimeType) {
      let redacted = try self.content(content, folder, &others)
      if redacted.digest != content.digest {
        (response.content, response.wireSize, response.pieces) = (redacted, redacted.size, nil)
        response.headers.removeAll { ["content-encoding", "content-length"].contains($0.name.lowercased()) }
      }
    }
    exchange.response = response
  }

  /// Indicates if bodies of the type are searched.
  private static func isText(_ type: String) -> Bool {
    let type = type.lowercased()
    return ["json", "html", "xml", "script", "text/", "form"].contains { type.contains($0) }
  }

  /// Indicates if bodies of the type have code or text between addresses.
  private static func isMarkup(_ type: String) -> Bool {
    ["html", "xml", "script", "css"].contains { type.contains($0) }
  }

  /// Type of bodies that consist of names and values.
  private static let form = "application/x-www-form-urlencoded"

  private func header(_ header: Exchange.Header) -> Exchange.Header {
    let name = header.name.lowercased()
    guard headers.contains(name) else { return Exchange.Header(header.name, address(header.value)) }
    if name.hasSuffix("cookie") { return Exchange.Header(header.name, Self.cookies(header.value, name)) }
    // The scheme stays: without it a challenge is none.
    let scheme = name.hasSuffix("-authenticate") ? header.value.prefix { $0.isASCII && $0.isLetter } + " " : ""
    return Exchange.Header(header.name, scheme + Self.mark)
  }

  /// Redacts cookies' values; names and attributes stay, as creatives behave differently without them.
  private static func cookies(_ value: String, _ name: String) -> String {
    let parts = value.split(separator: ";").map { $0.drop { $0 == " " } }
    return parts.enumerated().map { index, part in
      guard name != "set-cookie" || index == 0, let end = part.firstIndex(of: "=") else { return String(part) }
      return "\(part[..<end])=\(mark)"
    }
    .joined(separator: "; ")
  }

  private func address(_ text: String) -> String {
    let redacted = NamedValues.without(Array(text.utf8), .pairs, where: isParameter)
    return redacted.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// Indicates if a name or its last part is a redacted parameter: `idfa`, `device.ifa`, `user[idfa]`, `idfa[]`.
  private func isParameter(_ name: String) -> Bool {
    let name = name.lowercased()
    if parameters.contains(name) { return true }
    let parts = name.split { "[].".contains($0) }.filter { part in !part.allSatisfy(\.isNumber) }
    return parts.last.map { parameters.contains(String($0)) } ?? false
  }

  private func isField(_ name: String) -> Bool { fields.contains(name) || isParameter(name) }

  /// Returns a parameter without percent-encoding; nil for a percent sign without its digits or invalid UTF-8.
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

  private func content(
    _ content: Exchange.Content, _ folder: RecordingFolder, _ paths: inout Set<String>, isSent: Bool = false
  ) throws(Fault) -> Exchange.Content {
    guard content.size > 0, content.size <= Self.mostBody else { return content }
    let bytes = try folder.body(content, most: Self.mostBody)
    let type = content.mimeType.lowercased()
    // What pages send is no code, however they call it.
    guard let redacted = body(bytes, isSent && !Self.isMarkup(type) ? Self.form : type, &paths) else { return content }
    return try folder.keep(redacted, mimeType: content.mimeType)
  }

  /// Returns the redacted body; nil if it has nothing to redact.
  private func body(_ bytes: [UInt8], _ type: String, _ paths: inout Set<String>, depth: Int = 0) -> [UInt8]? {
    let first = bytes.first { ![9, 10, 13, 32].contains($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      if let value = JSONText.value(bytes) {
        let redacted = redacted(value, at: "", &paths, depth)
        return redacted == value ? nil : try? JSONText.bytes(redacted)
      }
      if let lines = lines(bytes) { return lines.redacted }
    }
    if depth == 0, let form = MultipartForm(bytes) { return multipart(form, bytes) }
    guard Self.isText(type) || String(validating: bytes, as: UTF8.self) != nil else { return nil }
    let isMarkup =
      type != Self.form && (Self.isMarkup(type) || bytes.contains { $0 <= 0x20 || $0 == UInt8(ascii: "<") })
    guard let redacted = NamedValues.without(bytes, isMarkup ? .markup : .pairs, where: isField) else { return nil }
    if !isMarkup { paths.formUnion(Self.changed(bytes, redacted)) }
    return redacted
  }

  /// Returns the names of a form's fields whose values differ.
  private static func changed(_ old: [UInt8], _ new: [UInt8]) -> [String] {
    let forms = [old, new].map { $0.split(separator: UInt8(ascii: "&")) }
    return zip(forms[0], forms[1]).filter { $0 != $1 }.map { pair, _ in
      String(decoding: pair.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
  }

  /// Redacts one JSON document per line, as in logs; nil for other bodies; `redacted` is nil without changes.
  private func lines(_ bytes: [UInt8]) -> (redacted: [UInt8]?, count: Int)? {
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    var (written, hasChanged, others) = ([[UInt8]](), false, Set<String>())
    for line in lines {
      guard line.contains(where: { $0 > 0x20 }) else {
        written.append(Array(line))
        continue
      }
      guard let value = JSONText.value(Array(line)) else { return nil }
      let redacted = redacted(value, at: "", &others, 0)
      if redacted == value {
        written.append(Array(line))
      } else {
        guard let text = try? JSONText.bytes(redacted) else { return nil }
        written.append(text)
        hasChanged = true
      }
    }
    return (hasChanged ? Array(written.joined(separator: [10])) : nil, lines.count)
  }

  private func multipart(_ form: MultipartForm, _ bytes: [UInt8]) -> [UInt8]? {
    var (written, place, others) = ([UInt8](), 0, Set<String>())
    for part in form.parts {
      let value = Array(bytes[part.value])
      let isNamed = part.name.map(isField) ?? false
      let redacted = isNamed ? Array(Self.mark.utf8) : body(value, "", &others, depth: 1)
      guard let redacted, redacted != value else { continue }
      written += bytes[place..<part.value.lowerBound] + redacted
      place = part.value.upperBound
    }
    // Nothing is known of what comes after the parts that were looked at.
    if form.isCut, let last = form.parts.last {
      return written + bytes[min(place, last.value.upperBound)..<last.value.upperBound] + Self.mark.utf8
    }
    return place == 0 ? nil : written + bytes[place...]
  }

  /// Maximum depth of JSON nested in strings of JSON.
  private static let deepest = 8

  private func redacted(_ value: JSONValue, at place: String, _ paths: inout Set<String>, _ depth: Int) -> JSONValue {
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
          kept[name] = redacted(member, at: path, &paths, depth)
        }
      }
      return .object(kept)
    case .array(let elements): return .array(elements.map { redacted($0, at: place, &paths, depth) })
    case .string(let text):
      var others: Set<String> = []
      guard depth < Self.deepest, let bytes = body(Array(text.utf8), "", &others, depth: depth + 1) else {
        return value
      }
      if !place.isEmpty { paths.insert(place) }
      return .string(String(decoding: bytes, as: UTF8.self))
    default: return value
    }
  }
}
