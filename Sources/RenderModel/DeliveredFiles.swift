/// A creative's files as delivered: the digest of each, and the addresses that it contains.
///
/// Screenshots and event log can stay the same even if a click leads elsewhere; these data can't.
package struct DeliveredFiles: Hashable, Sendable, Codable {
  package struct File: Hashable, Sendable, Codable {
    /// Path below the creative's root: `img/logo.png`.
    package var path: String
    /// Digest in lower-case hex.
    package var sha256: String
    /// Addresses in the order of their occurrence, each once; nil for none.
    package var addresses: [String]?

    package init(path: String, sha256: String, addresses: [String] = []) {
      (self.path, self.sha256) = (path, sha256)
      self.addresses = addresses.isEmpty ? nil : addresses
    }
  }

  /// Maximum numbers of listed files, of addresses in one file, and of addresses in all files.
  package static let mostFiles = 2_000
  package static let mostAddresses = 100
  package static let mostAddressesInAll = 1_000

  /// Digest of all files' digests and paths, including files beyond the list, in lower-case hex.
  package var sha256: String
  /// True if these are all files of the creative, false if they are only those that the render requested.
  package var whole: Bool
  /// Path of the file that the creative begins with.
  package var document: String
  /// Files in the order of their paths.
  package var files: [File]

  package init(sha256: String, whole: Bool, document: String, files: [File]) {
    (self.sha256, self.whole, self.document, self.files) = (sha256, whole, document, files)
  }
}
