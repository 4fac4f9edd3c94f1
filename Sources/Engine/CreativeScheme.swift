/// Scheme under which creatives are served, and its addresses.
package enum CreativeScheme {
  /// Name of the scheme; it is secure, with storage and CORS.
  package static let name = "creative"

  /// Returns the address that a page means by one of this scheme: `//host/path` in a creative's file means the web.
  ///
  /// A session's own hosts are single words, so a host with a dot, a port or brackets is on the web. The web process
  /// extension redirects such requests by the same rule.
  package static func meant(_ url: String) -> String {
    guard url.hasPrefix("\(name)://") else { return url }
    let rest = url.dropFirst(name.count + 3)
    let host = rest.prefix { !"/?#".contains($0) }
    guard host.lowercased() == "localhost" || host.contains(where: { ".:[]@%".contains($0) }) else { return url }
    return "https://" + rest
  }
}

/// Answer to a request of the creative scheme.
package struct SchemeResponse: Sendable {
  package var status: Int
  package var mimeType: String
  package var body: [UInt8]
  /// Indicates if pages may reuse the answer without a request; the engine then keeps it until its session is cleared.
  package private(set) var mayBeReused = false

  package init(status: Int = 200, mimeType: String, body: [UInt8]) {
    self.status = status
    self.mimeType = mimeType
    self.body = body
  }

  /// Copy for a creative's file that a web server would be asked for once; video and audio are never kept.
  package var reusable: SchemeResponse {
    var response = self
    response.mayBeReused = !mimeType.hasPrefix("video/") && !mimeType.hasPrefix("audio/")
    return response
  }

  /// Answer for a file that the creative doesn't have.
  package static let notFound = SchemeResponse(status: 404, mimeType: "text/plain", body: Array("not found".utf8))
}
