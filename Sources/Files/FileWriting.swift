internal import Glibc

/// Why the system refused something: its `errno`, taken at once.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// What the C library says of it, in lower case: `no space left on device`.
  package var description: String { String(cString: strerror(number)).lowercased() }
}

/// Writing to open files; the one place that calls `write`.
package enum FileWriting {
  /// Writes all the bytes, however many calls that takes.
  package static func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemError) {
    try writeAll(bytes) { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// The same by any function like `write`. One that writes nothing would never end, so it is an error.
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
