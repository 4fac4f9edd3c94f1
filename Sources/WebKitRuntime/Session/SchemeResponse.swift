/// What the creative scheme answers a request with.
package struct SchemeResponse: Sendable {
  package var status: Int
  package var mimeType: String
  package var body: [UInt8]

  package init(status: Int = 200, mimeType: String, body: [UInt8]) {
    self.status = status
    self.mimeType = mimeType
    self.body = body
  }

  /// No such file in the creative.
  package static let notFound = SchemeResponse(status: 404, mimeType: "text/plain", body: Array("not found".utf8))
}
