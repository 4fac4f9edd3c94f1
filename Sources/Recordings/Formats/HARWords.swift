internal import Core

/// Dates in the format of archives.
enum HARDate {
  /// Returns the seconds since 1970; nil if the text is no date.
  static func seconds(_ text: String) -> Double? {
    Instant.parse(text).map { Double($0) / 1000 }
  }

  static func text(_ seconds: Double) -> String {
    Instant.text(near: seconds * 1000)
  }
}

/// Addresses as they occur in archives.
enum HARAddress {
  /// Indicates if the address uses the network (`http`, `https`, `ws`, `wss`), unlike `data:` and `blob:`.
  static func isOfNetwork(_ url: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return ["http", "https", "ws", "wss"].contains(scheme) && url.dropFirst(scheme.count).hasPrefix("://")
  }

  /// Returns the address as engines request it: without a fragment, with a path, scheme and host in lower case.
  static func plain(_ url: String) -> String {
    let whole = String(url.prefix { $0 != "#" })
    guard let mark = whole.firstRange(of: "://") else { return whole }
    let rest = whole[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let tail = rest.dropFirst(authority.count)
    return whole[..<mark.lowerBound].lowercased() + "://" + authority.lowercased() + (tail.hasPrefix("/") ? "" : "/")
      + tail
  }
}

/// Conversion of a server's address and TLS from and to the fields of archives.
enum HARServer {
  static func server(_ entry: HARFile.Entry) -> Exchange.Server? {
    guard let told = entry.serverIPAddress, !told.isEmpty else { return nil }
    let address = told.filter { $0 != "[" && $0 != "]" }
    let isSecure = entry.request.url.hasPrefix("https") || entry.request.url.hasPrefix("wss")
    var server = Exchange.Server(address: address, port: entry.port ?? (isSecure ? 443 : 80), resolved: [address])
    if let protection = entry.protection, let version = protection.protocol {
      server.tls = Exchange.TLS(
        version: version.replacing("TLS ", with: "TLSv"), subject: protection.subjectName ?? "",
        issuer: protection.issuer ?? "", validFrom: protection.validFrom ?? 0, validTo: protection.validTo ?? 0)
    }
    return server
  }

  static func protection(_ tls: Exchange.TLS) -> HARFile.Protection {
    HARFile.Protection(
      protocol: tls.version.replacing("TLSv", with: "TLS "), subjectName: tls.subject, issuer: tls.issuer,
      validFrom: tls.validFrom, validTo: tls.validTo)
  }
}

/// Reasons why no response came, in Chromium's words.
enum HARFailure {
  private static let words: [(word: String, failure: Exchange.Failure)] = [
    ("net::ERR_NAME_NOT_RESOLVED", .dns), ("net::ERR_CONNECTION_REFUSED", .unreachable),
    ("net::ERR_ACCESS_DENIED", .refused), ("net::ERR_SSL_PROTOCOL_ERROR", .tls), ("net::ERR_CONNECTION_RESET", .reset),
    ("net::ERR_CACHE_MISS", .missing),
  ]

  static func word(_ failure: Exchange.Failure) -> String { words.first { $0.failure == failure }?.word ?? "" }

  /// Returns the failure for a word of any browser; unknown words count as a connection that was reset.
  static func failure(_ word: String) -> Exchange.Failure {
    if let known = words.first(where: { $0.word == word }) { return known.failure }
    if word.contains("NAME_NOT_RESOLVED") || word.contains("resolve") { return .dns }
    if word.contains("CERT") || word.contains("SSL") { return .tls }
    return word.contains("REFUSED") || word.contains("UNREACHABLE") || word.contains("TIMED_OUT")
      ? .unreachable : .reset
  }
}
