internal import Files
internal import FoundationEssentials
internal import Glibc

/// File operations that leave complete files even after a crash of the machine.
package enum DurableFile {
  /// Writes a file and waits until it is on the disk.
  package static func write(_ bytes: some Collection<UInt8>, to path: String) throws(Fault) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw fault("write", path) }
    defer { close(file) }
    try write(all: Array(bytes), to: file, at: path)
    guard fsync(file) == 0 else { throw fault("write", path) }
  }

  /// Appends to an open file without waiting for the disk.
  package static func write(all bytes: [UInt8], to file: Int32, at path: String) throws(Fault) {
    do throws(SystemError) {
      try FileWriting.writeAll(bytes, to: file)
    } catch {
      throw fault("write", path, error)
    }
  }

  /// Moves a file or folder in one step; its new name is on the disk on return.
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

  /// Renames a file or folder to `scratch` in one step, then removes it; after a crash its rest is found there.
  package static func remove(_ path: String, by scratch: String) {
    guard rename(path, scratch) == 0 else { return }
    try? FileManager.default.removeItem(atPath: scratch)
  }

  /// The fault for `errno`: `disk-full`, or else `data-failed`.
  package static func fault(_ what: String, _ path: String) -> Fault { fault(what, path, SystemError(errno)) }

  private static func fault(_ what: String, _ path: String, _ error: SystemError) -> Fault {
    let message = "can't \(what) \(path): \(error)"
    let isFull = [ENOSPC, EDQUOT].contains(error.number)
    return isFull ? .engine(.diskFull, message) : .engine("data-failed", message)
  }
}
