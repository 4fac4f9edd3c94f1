internal import CGnuTLS

/// A failure of TLS, with GnuTLS's code and text.
struct TLSError: Error, CustomStringConvertible {
  let code: Int32

  var description: String { "TLS: \(String(cString: gnutls_strerror(code)))" }

  /// Returns the object that a function of GnuTLS allocates.
  static func made<Pointer>(_ allocate: (UnsafeMutablePointer<Pointer?>) -> Int32) throws -> Pointer {
    var made: Pointer?
    try check(allocate(&made))
    guard let made else { throw TLSError(code: GNUTLS_E_MEMORY_ERROR) }
    return made
  }

  /// Throws an error for a result below 0, else returns the result.
  @discardableResult static func check(_ result: Int32) throws -> Int32 {
    guard result >= 0 else { throw TLSError(code: result) }
    return result
  }
}
