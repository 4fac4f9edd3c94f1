import Core
import Glibc
import Jobs

/// What stands at a path, symbolic links followed.
enum FileStatus {
  case file
  case folder
  /// Pipe, socket or device.
  case special

  /// Throws `no-such-file` or `not-readable`.
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

  /// The fault for a system error number met at `path`.
  static func fault(path: String, error: Int32) -> Fault {
    switch error {
    case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
      .request("no-such-file", "\(path.printable): no such file or folder")
    default:
      .request("not-readable", "\(path.printable) can't be read: \(String(cString: strerror(error)))")
    }
  }
}
