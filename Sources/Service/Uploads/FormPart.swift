/// One field of a form.
package struct FormPart: Hashable, Sendable {
  /// Where what it holds is.
  package enum Content: Hashable, Sendable {
    case bytes([UInt8])
    case file(SpooledFile)
  }

  package var name: String
  /// What the sender's file was called; nil for a plain field.
  package var fileName: String?
  package var content: Content

  package init(name: String, fileName: String? = nil, content: Content) {
    (self.name, self.fileName, self.content) = (name, fileName, content)
  }

  /// What it holds as text; nil for a file and for what isn't UTF-8.
  var text: String? {
    if case .bytes(let bytes) = content { String(validating: bytes, as: UTF8.self) } else { nil }
  }
}
