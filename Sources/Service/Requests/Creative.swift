/// A creative as it came with a request.
package enum Creative: Hashable, Sendable {
  /// A file's bytes and what its sender called it; nil for what has no name.
  case file([UInt8], name: String?)
  case address(String)

  /// Bytes of what was delivered.
  package var bytes: [UInt8] {
    switch self {
    case .file(let bytes, _): bytes
    case .address(let address): Array(address.utf8)
    }
  }
}
