/// A file of a request's that lies on the disk by the time anybody looks at it.
package struct SpooledFile: Hashable, Sendable {
  package let path: String
  /// In bytes.
  package let size: Int
  /// SHA-256 in lower-case hex.
  package let hash: String
  /// Its first bytes, four at most, which tell a zip.
  package let beginning: [UInt8]

  package init(path: String, size: Int, hash: String, beginning: [UInt8]) {
    (self.path, self.size, self.hash, self.beginning) = (path, size, hash, beginning)
  }
}
