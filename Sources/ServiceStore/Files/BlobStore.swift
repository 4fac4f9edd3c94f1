internal import Crypto
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
    guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
      throw Durable.fault("read", path)
    }
    let hash = SHA256.hash(data: data).map { Self.hex($0) }.joined()
    let blob = self.path(of: hash)
    if Self.share(blob, path) { return hash }
    try? FileManager.default.createDirectory(
      atPath: String(blob.dropLast(63)), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Durable.synchronise(path)
    // Somebody else may have kept the same contents meanwhile: then theirs stay.
    guard link(path, blob) == 0 || (errno == EEXIST && Self.share(blob, path)) else {
      throw Durable.fault("keep", blob)
    }
    return hash
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

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
