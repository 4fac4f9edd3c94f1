package import Core
internal import Files
internal import FoundationEssentials
internal import Glibc

/// Each file's contents once, named by their SHA-256; a render's files are further names of them.
///
/// Who refers to what is in the file system itself: contents with one name left are nobody's.
package struct BlobStore: Sendable {
  private let folder: String

  package init(_ folder: String) { self.folder = folder }

  /// Keeps a file's contents and makes the file a further name of them; returns their hash.
  @discardableResult package func adopt(_ path: String) throws(Fault) -> String {
    let hash = try Self.hash(path)
    try adopt(path, hash: hash)
    return hash
  }

  /// The same where somebody knows the hash already.
  package func adopt(_ path: String, hash: String) throws(Fault) {
    let blob = self.path(of: hash)
    if Self.share(blob, path) { return }
    try? FileManager.default.createDirectory(
      atPath: String(blob.dropLast(63)), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try DurableFile.synchronise(path)
    // Somebody else may have kept the same contents meanwhile: then theirs stay.
    guard link(path, blob) == 0 || (errno == EEXIST && Self.share(blob, path)) else {
      throw DurableFile.fault("keep", blob)
    }
  }

  /// Reads a piece at a time: a file may be large.
  private static func hash(_ path: String) throws(Fault) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw DurableFile.fault("read", path) }
    defer { close(file) }
    let hash = SHA256()
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw DurableFile.fault("read", path) }
      if count == 0 { break }
      bytes.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    return hash.finish().hex
  }

  /// Keeps every file below a folder.
  package func adopt(below root: String) throws(Fault) {
    for path in Self.files(below: root) { try adopt(path) }
    try DurableFile.synchronise(folder: root)
  }

  /// Removes contents that nobody refers to; returns how many bytes the rest has.
  package func sweep() -> Int64 {
    var total: Int64 = 0
    for path in Self.files(below: folder) {
      var facts = stat()
      guard stat(path, &facts) == 0 else { continue }
      if facts.st_nlink == 1 { unlink(path) } else { total += Int64(facts.st_size) }
    }
    return total
  }

  /// Bytes of contents to which only files below a folder refer: what a sweep removes once the folder is gone.
  ///
  /// Those to which two of its own files refer aren't counted.
  package func bytes(onlyIn root: String) -> Int64 {
    Self.files(below: root).reduce(0) { bytes, path in
      var facts = stat()
      return stat(path, &facts) == 0 && facts.st_nlink == 2 ? bytes + Int64(facts.st_size) : bytes
    }
  }

  private func path(of hash: String) -> String { "\(folder)/\(hash.prefix(2))/\(hash.dropFirst(2))" }

  /// Makes `path` a name of a blob's contents in one step; false when there is no such blob.
  private static func share(_ blob: String, _ path: String) -> Bool {
    let half = path + ".part"
    unlink(half)
    guard link(blob, half) == 0 else { return false }
    guard rename(half, path) == 0 else {
      unlink(half)
      return false
    }
    // When both are the same file already, renaming leaves the other name.
    unlink(half)
    return true
  }

  private static func files(below root: String) -> [String] {
    var found: [String] = []
    var waiting = [root]
    while let folder = waiting.popLast() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        let path = "\(folder)/\(name)"
        var facts = stat()
        guard lstat(path, &facts) == 0 else { continue }
        if facts.st_mode & S_IFMT == S_IFDIR { waiting.append(path) }
        if facts.st_mode & S_IFMT == S_IFREG { found.append(path) }
      }
    }
    return found
  }
}

/// Files that are whole, and stay so when the machine stops.
package enum DurableFile {
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
