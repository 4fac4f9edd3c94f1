internal import Core
import Glibc

/// Regular file held open for reading, so that its size and its bytes belong to the same file.
struct OpenFile: ~Copyable {
  /// Number of bytes read from the system at a time.
  private static let chunk = 1 << 16

  private let descriptor: Int32
  /// Path at which it was opened.
  let path: String
  /// Name for messages, as the caller wrote it.
  let name: String
  /// Number of bytes when it was opened.
  let size: Int

  /// Opens a file without ever waiting for a pipe or device; throws `file-missing`, `file-unreadable` or
  /// `file-not-regular`.
  init(path: String, name: String? = nil) throws(Fault) {
    let name = name ?? path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw FileStatus.fault(path: name, error: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .request("file-not-regular", "\(name.printable) isn't a regular file")
    }
    self.descriptor = descriptor
    self.path = path
    self.name = name
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Returns the first `count` bytes, fewer if the file is shorter.
  func head(_ count: Int) throws(Fault) -> [UInt8] {
    try bytes(from: 0, count: min(count, size))
  }

  /// Returns the whole file, of the size it had when opened.
  func contents() throws(Fault) -> [UInt8] {
    try bytes(from: 0, count: size)
  }

  /// Returns up to `count` bytes from `offset`; fewer only at the file's end.
  func bytes(from offset: Int, count: Int) throws(Fault) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
      while filled < count, failure == 0 {
        let read = pread(descriptor, buffer.baseAddress! + filled, count - filled, offset + filled)
        if read == 0 { break }
        if read > 0 { filled += read } else if errno != EINTR { failure = errno }
      }
    }
    guard failure == 0 else { throw FileStatus.fault(path: name, error: failure) }
    return bytes
  }

  /// Returns the SHA-256 of the bytes in lower-case hex; reads them in pieces.
  func sha256() throws(Fault) -> String {
    let hash = SHA256()
    var offset = 0
    while true {
      let piece = try bytes(from: offset, count: Self.chunk)
      guard !piece.isEmpty else { return hash.finish().hex }
      hash.update(piece)
      offset += piece.count
    }
  }
}

/// Type of the file at a path, with symbolic links followed.
enum FileStatus {
  case file
  case folder
  /// Pipe, socket or device.
  case special

  /// Determines the type; throws `file-missing` or `file-unreadable`.
  static func of(_ path: String) throws(Fault) -> FileStatus {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw fault(path: path, error: ENOENT) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw fault(path: path, error: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .special
    }
  }

  /// Returns the fault for a system error number that occurred at `path`.
  static func fault(path: String, error: Int32) -> Fault {
    switch error {
    case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
      .request("file-missing", "\(path.printable): no such file or folder")
    default:
      .request("file-unreadable", "can't read \(path.printable): \(String(cString: strerror(error)))")
    }
  }
}
