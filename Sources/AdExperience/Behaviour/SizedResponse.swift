/// An answer whose size behaviours are told.
package protocol SizedResponse {
  /// Bytes as they came.
  var byteCount: Int { get }
}

extension Array: SizedResponse where Element == UInt8 {
  package var byteCount: Int { count }
}
