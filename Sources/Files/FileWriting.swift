internal import Glibc

/// Failure of a system call: its `errno`, read immediately afterwards.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// The C library's message in lower case: `no space left on device`.
  package var description: String { String(cString: strerror(number)).lowercased() }
}

/// Writes to open files; the only place that calls `write`.
package enum FileWriting {
  /// Writes all the bytes, with as many calls as needed.
  package static func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemError) {
    try writeAll(bytes) { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// The same with any function like `write`. Writing zero bytes is an error, since the loop would never end.
  static func writeAll(
    _ bytes: some Collection<UInt8>, by write: (UnsafeRawBufferPointer) -> Int
  ) throws(SystemError) {
    let number =
      bytes.withContiguousStorageIfAvailable { writeAll(UnsafeRawBufferPointer($0), by: write) }
      ?? Array(bytes).withUnsafeBytes { writeAll($0, by: write) }
    guard number == 0 else { throw SystemError(number) }
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, by write: (UnsafeRawBufferPointer) -> Int) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(UnsafeRawBufferPointer(rebasing: rest))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return errno }
      guard count > 0 else { return EIO }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}
