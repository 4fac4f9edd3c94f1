/// One file of a creative as it goes to the web view.
package struct BundleResource: Hashable, Sendable {
  /// Below the creative's root, decoded and normalised: `img/logo.png`.
  package let path: String
  package let bytes: [UInt8]
  /// By the path's extension: `image/png`; `application/octet-stream` when it is unknown.
  package let mimeType: String
  /// The character encoding to announce; nil for what isn't text, or whose encoding is the page's to say.
  package let charset: String?

  /// The value of a `Content-Type` header.
  package var contentType: String { charset.map { "\(mimeType); charset=\($0)" } ?? mimeType }

  /// Any file of a creative.
  init(path: String, bytes: [UInt8]) {
    let type = MediaType.of(path: path)
    self.path = path
    self.bytes = bytes
    mimeType = type
    charset = MediaType.isText(type) ? TextEncoding.charset(of: bytes, isHTML: type == "text/html") : nil
  }

  /// A creative's document, HTML whatever its name says.
  init(document bytes: [UInt8], path: String, charset: String?) {
    self.path = path
    self.bytes = bytes
    mimeType = "text/html"
    self.charset = charset
  }
}
