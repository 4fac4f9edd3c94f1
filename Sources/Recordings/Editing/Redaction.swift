package import Core

/// What is taken out of a recording before it is given away.
package struct Redaction: Hashable, Sendable {
  /// Lines of heads by name, in small letters.
  package var headers: Set<String>
  /// Parameters of queries by name.
  package var parameters: Set<String>
  /// Fields of bodies that are JSON, by dotted names, or a form.
  package var fields: Set<String>

  /// Who somebody is, by what servers told browsers to say.
  package static let usualHeaders: Set<String> = ["authorization", "cookie", "proxy-authorization", "set-cookie"]
  /// Where somebody is, and by which number their device is known, as macros and requests for ads have it.
  package static let usualParameters: Set<String> = ["lat", "lon", "latitude", "longitude", "ifa", "idfa", "gaid", "ip"]

  /// What stands in the place of what was taken out.
  package static let mark = "redacted"

  package init(headers: Set<String> = [], parameters: Set<String> = [], fields: Set<String> = []) {
    self.headers = Self.usualHeaders.union(headers.map { $0.lowercased() })
    self.parameters = Self.usualParameters.union(parameters)
    self.fields = fields
  }

  /// Takes it out of a recording.
  package func apply(to folder: RecordingFolder) throws(Fault) {
    var changed: [Exchange] = []
    for exchange in try folder.exchanges() { changed.append(try redacted(exchange, folder)) }
    try folder.replace(changed)
    // A creative asks for what was there: the parameters that are gone don't count.
    let names = parameters.sorted().joined(separator: ",")
    try folder.write(try folder.rules() + [try MatchRule(parsing: "ignore query \(names)")])
  }

  private func redacted(_ exchange: Exchange, _ folder: RecordingFolder) throws(Fault) -> Exchange {
    var exchange = exchange
    exchange.url = address(exchange.url)
    exchange.requestHeaders = lines(exchange.requestHeaders)
    exchange.requestBody = try body(exchange.requestBody, folder)
    if var response = exchange.response {
      response.headers = lines(response.headers)
      response.content = try body(response.content, folder)
      exchange.response = response
    }
    return exchange
  }

  private func lines(_ lines: [Exchange.Header]) -> [Exchange.Header] {
    lines.map { line in
      if headers.contains(line.name.lowercased()) { return Exchange.Header(line.name, Self.mark) }
      let isAddress = ["referer", "location", "origin"].contains(line.name.lowercased())
      return isAddress ? Exchange.Header(line.name, address(line.value)) : line
    }
  }

  private func address(_ url: String) -> String {
    let address = RequestAddress(url)
    guard address.query.contains(where: { parameters.contains($0.name.lowercased()) }) else { return url }
    let pairs = address.query.map { pair in
      "\(pair.name)=\(parameters.contains(pair.name.lowercased()) ? Self.mark : pair.value)"
    }
    return "\(address.base)?\(pairs.joined(separator: "&"))"
  }

  private func body(_ content: Exchange.Content?, _ folder: RecordingFolder) throws(Fault) -> Exchange.Content? {
    guard let content, !fields.isEmpty, content.size <= 1 << 24 else { return content }
    let bytes = try folder.body(content, most: 1 << 24)
    let rest = BodyFields.without(fields, bytes)
    return rest == bytes ? content : try folder.keep(rest, mimeType: content.mimeType)
  }
}
