internal import Core
internal import Glibc

/// Where bytes are in other bytes.
enum ByteSearch {
  /// The first place of `needle`; nil when it isn't there.
  static func first(_ needle: [UInt8], in bytes: [UInt8]) -> Int? {
    guard let first = needle.first else { return nil }
    return bytes.withUnsafeBytes { bytes in
      var start = 0
      while start + needle.count <= bytes.count, let base = bytes.baseAddress {
        let rest = base + start
        guard let found = memchr(rest, Int32(first), bytes.count - start) else { return nil }
        start += rest.distance(to: UnsafeRawPointer(found))
        guard start + needle.count <= bytes.count else { return nil }
        if memcmp(base + start, needle, needle.count) == 0 { return start }
        start += 1
      }
      return nil
    }
  }
}
