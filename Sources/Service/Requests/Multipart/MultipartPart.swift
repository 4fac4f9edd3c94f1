/// One field of a form.
package struct MultipartPart: Hashable, Sendable {
  package var name: String
  /// What the sender's file was called; nil for a plain field.
  package var fileName: String?
  package var contentType: String?
  package var body: ArraySlice<UInt8>
}
