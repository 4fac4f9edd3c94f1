internal import Core
internal import FoundationEssentials
internal import Glibc
internal import Jobs

/// Files of a store, which came by way of version control and aren't trusted.
enum StoredFile {
  /// The most bytes read: a picture of the greatest size there is.
  private static let limit = 256 << 20

  /// Nil when there is no such file.
  /// - Throws: a request's fault when it isn't a readable file of bounded size.
  static func read(_ path: String) throws(Fault) -> [UInt8]? {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .request("baseline-unreadable", "\(path) can't be read: \(String(cString: strerror(errno)))")
    }
    guard facts.st_mode & S_IFMT == S_IFREG, Int(facts.st_size) <= limit,
      let data = FileManager.default.contents(atPath: path)
    else { throw .request("baseline-unreadable", "\(path) can't be read") }
    if data.starts(with: Array("version https://git-lfs".utf8)) {
      throw .request("baseline-pointer", "\(path) is a pointer of Git LFS: fetch the files with 'git lfs pull'")
    }
    return Array(data)
  }

  /// Whole or not at all, with the folders on the way.
  static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
    let file = URL(filePath: path)
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: .atomic)
    } catch {
      throw .engine("baseline-unwritable", "\(path) can't be written")
    }
  }
}
