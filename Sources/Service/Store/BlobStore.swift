package import Core
internal import Files
internal import FoundationEssentials
internal import Glibc

/// Store that keeps equal file contents once, named by their SHA-256; files of renders are hard links to them.
///
/// References are counted by the file system: contents with only one name left are unused.
package struct BlobStore: Sendable {
  private let folder: String

  package init(_ folder: String) { self.folder = folder }

  /// Adds a file's contents to the store and makes the file a link to them; returns their hash.
  @discardableResult package func adopt(_ path: String) throws(Fault) -> String {
    let hash = try Self.hash(path)
    try adopt(path, hash: hash)
    return hash
  }

  /// The same with a hash that is known already.
  package func adopt(_ path: String, hash: String) throws(Fault) {
    let blob = self.path(of: hash)
    if Self.share(blob, path) { return }
    try? PrivateFolder.make(String(blob.dropLast(63)))
    try DurableFile.synchronise(path)
    // Somebody else may have kept the same contents meanwhile: then theirs stay.
    guard link(path, blob) == 0 || (errno == EEXIST && Self.share(blob, path)) else {
      throw DurableFile.fault("keep", blob)
    }
  }

  /// SHA-256 of a file, read piece by piece because it may be large.
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

  /// Adds every file below a folder to the store.
  package func adopt(below root: String) throws(Fault) {
    for path in Self.files(below: root) { try adopt(path) }
    try DurableFile.synchronise(folder: root)
  }

  /// Removes contents without references; returns the number of bytes of the others.
  package func sweep() -> Int64 {
    var total: Int64 = 0
    for path in Self.files(below: folder) {
      var facts = stat()
      guard stat(path, &facts) == 0 else { continue }
      if facts.st_nlink == 1 { unlink(path) } else { total += Int64(facts.st_size) }
    }
    return total
  }

  /// Number of bytes of contents used only by files below a folder, which a sweep frees once the folder is removed.
  ///
  /// Contents with two names in that folder aren't counted.
  package func bytes(onlyIn root: String) -> Int64 {
    Self.files(below: root).reduce(0) { bytes, path in
      var facts = stat()
      return stat(path, &facts) == 0 && facts.st_nlink == 2 ? bytes + Int64(facts.st_size) : bytes
    }
  }

  private func path(of hash: String) -> String { "\(folder)/\(hash.prefix(2))/\(hash.dropFirst(2))" }

  /// Makes `path` a link to a blob in one step; false if there is no such blob.
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
