import Digests
import Jobs

/// A folder's fingerprint: the SHA-256 of its sorted list of paths and file hashes.
enum FolderDigest {
  /// Hashes `path NUL hash LF` a file, sorted by path in bytes; hidden and side files and linked folders don't count.
  static func sha256(of store: FolderStore) throws(Fault) -> String {
    var files: [(path: String, components: [String])] = []
    var pending: [[String]] = [[]]
    while let folder = pending.popLast() {
      for entry in try FolderListing(path: store.path(to: folder)).entries {
        let components = folder + [entry.name]
        switch entry.form {
        case .folder: pending.append(components)
        case .file, .link: files.append((components.joined(separator: "/"), components))
        case .special: break
        }
      }
    }
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    var list: [UInt8] = []
    for file in files where !SideFile.isSideFile(file.components) {
      guard let path = store.locate(file.components) else { continue }
      list += try Array("\(file.path)\0\(OpenFile(path: path).sha256())\n".utf8)
    }
    return SHA256.of(list).hex
  }
}
