import Glibc
import Jobs

/// A folder's visible entries in byte order of their names.
struct FolderListing {
  struct Entry {
    enum Form {
      case file, folder, link
      /// Pipe, socket or device.
      case special
    }
    let name: String
    /// Of the entry itself, links not followed.
    let form: Form
  }

  let entries: [Entry]

  /// Skips hidden names and names that aren't UTF-8; throws `no-such-file` or `not-readable`.
  init(path: String) throws(Fault) {
    guard let folder = opendir(path) else { throw FileStatus.fault(path: path, error: errno) }
    defer { closedir(folder) }
    var entries: [Entry] = []
    while let entry = readdir(folder) {
      guard let name = Self.name(of: entry), name.utf8.first != UInt8(ascii: ".") else { continue }
      var status = stat()
      guard lstat(path + "/" + name, &status) == 0 else { continue }
      entries.append(Entry(name: name, form: Self.form(status.st_mode)))
    }
    self.entries = entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
    withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func form(_ mode: mode_t) -> Entry.Form {
    switch mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .special
    }
  }
}
