/// One field of a form.
package struct MultipartPart: Hashable, Sendable {
  package var name: String
  /// What the sender's file was called; nil for a plain field.
  package var fileName: String?
  package var contentType: String?
  package var body: ArraySlice<UInt8>

  package init(name: String, fileName: String? = nil, contentType: String? = nil, body: ArraySlice<UInt8>) {
    (self.name, self.fileName) = (name, fileName)
    (self.contentType, self.body) = (contentType, body)
  }
}
