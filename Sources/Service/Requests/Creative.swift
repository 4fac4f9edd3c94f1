internal import Baselines

/// A creative as it came with a request.
package enum Creative: Hashable, Sendable {
  /// Markup or a small zip, of which nobody said what it is called.
  case bytes([UInt8])
  /// What was written to the disk as it came, and what its sender called it; nil for what has no name.
  case file(SpooledFile, name: String?)
  case address(String)

  /// What tells it from others: the SHA-256 of what was delivered.
  package var hash: String {
    switch self {
    case .bytes(let bytes): Document.hash(of: bytes)
    case .file(let file, _): file.hash
    case .address(let address): Document.hash(of: Array(address.utf8))
    }
  }
}
