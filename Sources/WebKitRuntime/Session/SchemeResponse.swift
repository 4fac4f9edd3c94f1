/// What the creative scheme answers a request with.
package struct SchemeResponse: Sendable {
  package var status: Int
  package var mimeType: String
  package var body: [UInt8]
  /// Whether pages may use it again without asking; the engine then keeps it as long as its session isn't cleared.
  package private(set) var mayBeReused = false

  package init(status: Int = 200, mimeType: String, body: [UInt8]) {
    self.status = status
    self.mimeType = mimeType
    self.body = body
  }

  /// The same for a file of a creative's, which a web server would be asked for once; films are never kept.
  package var reusable: SchemeResponse {
    var response = self
    response.mayBeReused = !mimeType.hasPrefix("video/") && !mimeType.hasPrefix("audio/")
    return response
  }

  /// No such file in the creative.
  package static let notFound = SchemeResponse(status: 404, mimeType: "text/plain", body: Array("not found".utf8))
}
