internal import Core
internal import Glibc

/// Whole files in and out; a written one replaces its predecessor in one step.
package enum PNGFile {
  /// Writes a hidden file beside `path` and renames it, so that nobody ever sees a half one.
  /// - Throws: `file` with the errno and path when the disk says no.
  package static func write(_ bytes: [UInt8], to path: String) throws(PNGError) {
    let temporary = folder(of: path) + ".\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .file(operation: "write", path: path, number: errno) }
    var failure = fill(descriptor, with: bytes)
    // Some file systems only say at the end that the disk is full.
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == 0, rename(temporary, path) != 0 { failure = errno }
    guard failure != 0 else { return }
    unlink(temporary)
    throw .file(operation: "write", path: path, number: failure)
  }

  /// Reads a regular file that isn't too large.
  static func read(_ path: String) throws(PNGError) -> [UInt8] {
    // A pipe would otherwise hold the caller until someone writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .file(operation: "read", path: path, number: errno) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .file(operation: "read", path: path, number: errno) }
    guard facts.st_mode & S_IFMT != S_IFDIR else { throw .file(operation: "read", path: path, number: EISDIR) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw .file(operation: "read", path: path, number: EINVAL) }
    let size = Int(facts.st_size)
    guard size <= PNGLimits.bytes else { throw .tooLarge("\(path) has \(size) bytes") }

    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      failure = load(descriptor, into: buffer, count: &count)
    }
    guard failure == 0 else { throw .file(operation: "read", path: path, number: failure) }
    return bytes
  }

  /// Writes everything; returns 0 or an errno.
  static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Int32 {
    do throws(SystemError) {
      try FileWriting.writeAll(bytes, to: descriptor)
      return 0
    } catch {
      return error.number
    }
  }

  /// Reads until the buffer is full or the file ends; returns 0 or an errno.
  private static func load(
    _ descriptor: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>, count: inout Int
  ) -> Int32 {
    while count < buffer.count {
      let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      if got == 0 { break }
      if got > 0 { count += got } else if errno != EINTR { return errno }
    }
    return 0
  }

  /// The folder part of a path with its slash; empty for a bare name.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
