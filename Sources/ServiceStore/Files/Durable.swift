internal import Core
internal import FoundationEssentials
internal import Glibc
package import Jobs

/// Files that are whole, and stay so when the machine stops.
package enum Durable {
  /// Writes a file and waits until it is on the disk.
  package static func write(_ bytes: some Collection<UInt8>, to path: String) throws(Fault) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw fault("write", path) }
    defer { close(file) }
    try write(all: Array(bytes), to: file, at: path)
    guard fsync(file) == 0 else { throw fault("write", path) }
  }

  /// Writes on in a file that is open; it isn't on the disk yet when this returns.
  package static func write(all bytes: [UInt8], to file: Int32, at path: String) throws(Fault) {
    do throws(SystemError) {
      try FileWriting.writeAll(bytes, to: file)
    } catch {
      throw fault("write", path, error)
    }
  }

  /// Moves a file or folder in one step; what it is called is on the disk when this returns.
  package static func move(_ from: String, to: String) throws(Fault) {
    guard rename(from, to) == 0 else { throw fault("move", to) }
    let slash = to.lastIndex(of: "/")
    try synchronise(folder: slash.map { String(to[...$0]) } ?? ".")
  }

  /// Waits until a file's contents, or a folder's names, are on the disk.
  package static func synchronise(_ path: String) throws(Fault) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw fault("read", path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw fault("write", path) }
  }

  /// The same for the names in a folder.
  package static func synchronise(folder: String) throws(Fault) { try synchronise(folder) }

  /// Takes a file or folder out of the way in one step, then removes it; what is left after a crash is in `scratch`.
  package static func remove(_ path: String, by scratch: String) {
    guard rename(path, scratch) == 0 else { return }
    try? FileManager.default.removeItem(atPath: scratch)
  }

  /// What `errno` means: a full disk, or another fault of the machine's.
  package static func fault(_ what: String, _ path: String) -> Fault { fault(what, path, SystemError(errno)) }

  private static func fault(_ what: String, _ path: String, _ error: SystemError) -> Fault {
    let message = "can't \(what) \(path): \(error)"
    let isFull = [ENOSPC, EDQUOT].contains(error.number)
    return isFull ? .engine("disk-full", message) : .engine("data-failed", message)
  }
}
