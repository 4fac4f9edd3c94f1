internal import FoundationEssentials

/// The public address of the server, like `https://galley.example`; usually that of a proxy in front of it.
package struct PublicAddress: Hashable, Sendable {
  /// Scheme, host and port, without a slash at the end.
  package let text: String

  /// Indicates if the address uses TLS.
  package var isSecure: Bool { text.hasPrefix("https:") }

  /// Parses an http or https address without a path; nil for anything else.
  package init?(_ text: String) {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty, ["", "/"].contains(url.path()),
      url.query() == nil, url.fragment() == nil, url.user() == nil
    else { return nil }
    let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    // Browsers leave a scheme's own port out of an origin.
    let standard = scheme == "https" ? 443 : 80
    self.text = "\(scheme)://\(bracketed)" + (url.port.map { $0 == standard ? "" : ":\($0)" } ?? "")
  }
}
