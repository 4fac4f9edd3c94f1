internal import Core
internal import Files
internal import Glibc

/// Reading and writing of whole files; a written file replaces its predecessor in one step.
package enum PNGFile {
  /// Writes a hidden file beside `path` and renames it, so that no incomplete file is ever visible.
  /// - Throws: `file` with the errno and path if writing fails.
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

  /// Reads a regular file of at most `PNGLimits.bytes`.
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

  /// Returns the folder part of a path with its slash; empty for a bare name.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}

/// Limits of the codec, so that a bad file can't use up the memory.
enum PNGLimits {
  /// Maximum number of pixels in an image: 400 MB of memory.
  static let pixels = 100_000_000
  /// Maximum number of bytes in a file.
  static let bytes = 512 << 20
  /// Maximum number of bytes in a text, profile or other chunk besides the image.
  static let chunk = 16 << 20

  /// Throws if an image has more pixels than allowed.
  static func check(width: Int, height: Int) throws(PNGError) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= pixels else {
      throw .tooLarge("\(width)x\(height) is more than \(pixels / 1_000_000) megapixels")
    }
  }
}

/// Reason why a PNG couldn't be encoded, decoded, written or read.
package enum PNGError: Error, Hashable, Sendable {
  /// A bitmap has no pixels, which the format can't represent.
  case empty
  /// There are more pixels or bytes than allowed; a file that claims so many is refused before memory is allocated.
  case tooLarge(String)
  /// The file isn't a PNG, is broken or ends early; in the decoder's words.
  case malformed(String)
  /// There wasn't enough memory for the codec.
  case outOfMemory
  /// A system call failed on a file; `number` is its errno.
  case file(operation: String, path: String, number: Int32)

  /// Stable code in kebab-case, for machines.
  package var code: String {
    switch self {
    case .empty: "png-empty"
    case .tooLarge: "png-too-large"
    case .malformed: "png-malformed"
    case .outOfMemory: "png-out-of-memory"
    case .file(_, _, ENOSPC), .file(_, _, EDQUOT): "png-disk-full"
    case .file(_, _, EACCES), .file(_, _, EPERM), .file(_, _, EROFS): "png-not-permitted"
    case .file: "png-file-failed"
    }
  }
}

extension PNGError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "a picture needs at least one pixel"
    case .tooLarge(let what): "the picture is too large: \(what)"
    case .malformed(let reason): "not a readable PNG: \(reason)"
    case .outOfMemory: "not enough memory for the picture"
    case .file(let operation, let path, let number):
      "can't \(operation) \(path): \(String(cString: strerror(number))) (errno \(number))"
    }
  }
}
