internal import Digests
internal import FoundationEssentials
internal import Glibc
package import Jobs

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
    try Durable.synchronise(path)
    // Somebody else may have kept the same contents meanwhile: then theirs stay.
    guard link(path, blob) == 0 || (errno == EEXIST && Self.share(blob, path)) else {
      throw Durable.fault("keep", blob)
    }
  }

  /// Reads a piece at a time: a file may be large.
  private static func hash(_ path: String) throws(Fault) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Durable.fault("read", path) }
    defer { close(file) }
    let hash = SHA256()
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Durable.fault("read", path) }
      if count == 0 { break }
      bytes.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    return hash.finish().hex
  }

  /// Keeps every file below a folder.
  package func adopt(below root: String) throws(Fault) {
    for path in Self.files(below: root) { try adopt(path) }
    try Durable.synchronise(folder: root)
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
