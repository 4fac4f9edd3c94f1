internal import Core
import Glibc

/// Files of a folder, read on demand; hidden files and files outside the folder are never served.
struct FolderStore: BundleStore {
  /// Real path of the folder, without a trailing slash (so `""` for the file system's root).
  private let root: String
  /// Maximum number of bytes of a single file.
  var largestFile = BundleLimits.standard.largestFile

  /// Creates a store; throws `file-missing` if there is no folder at `root`.
  init(root: String) throws(Fault) {
    guard try FileStatus.of(root) == .folder, let real = AbsolutePath.real(root) else {
      throw .request("file-missing", "\(root.printable): no such folder")
    }
    self.root = real == "/" ? "" : real
  }

  /// Returns the real path of a visible regular file inside the folder; links may lead to files inside, but never
  /// outside.
  func locate(_ components: [String]) -> String? {
    guard !components.isEmpty, components.allSatisfy(Self.isVisible),
      let real = AbsolutePath.real(path(to: components)),
      real.utf8.starts(with: "\(root)/".utf8),
      ResourcePath.split(real.utf8.dropFirst(root.utf8.count)).allSatisfy(Self.isVisible),
      (try? FileStatus.of(real)) == .file
    else { return nil }
    return real
  }

  /// Returns the path at which `components` would lie, the root for none.
  func path(to components: [String]) -> String {
    root + "/" + components.joined(separator: "/")
  }

  private static func isVisible(_ component: String) -> Bool {
    !component.isEmpty && component.utf8.first != UInt8(ascii: ".") && !component.utf8.contains(UInt8(ascii: "/"))
  }

  /// Returns a file's bytes, nil for one that doesn't exist; throws `file-too-large` and `file-unreadable`.
  func bytes(at components: [String]) throws(Fault) -> [UInt8]? {
    guard let path = locate(components), !SideFile.isSideFile(components) else { return nil }
    let file = try OpenFile(path: path)
    guard file.size <= largestFile else {
      let sizes = "\(file.size.asMegabytes), the limit is \(largestFile.asMegabytes)"
      throw .creative("file-too-large", "\(components.joined(separator: "/").printable) has \(sizes)")
    }
    return try file.contents()
  }

  /// Returns the path components of all files, sorted; links count if they lead to a file inside the folder.
  func listing() throws(Fault) -> [[String]] {
    var files: [[String]] = []
    var pending: [[String]] = [[]]
    while let folder = pending.popLast() {
      for entry in try FolderListing(path: path(to: folder)).entries {
        let components = folder + [entry.name]
        switch entry.form {
        case .folder: pending.append(components)
        case .file, .link: if locate(components) != nil, !SideFile.isSideFile(components) { files.append(components) }
        case .special: break
        }
      }
    }
    return files.sorted { $0.joined(separator: "/") < $1.joined(separator: "/") }
  }
}

/// Visible entries of a folder in byte order of their names.
struct FolderListing {
  struct Entry {
    enum Form {
      case file, folder, link
      /// Pipe, socket or device.
      case special
    }
    let name: String
    /// Form of the entry itself; links aren't followed.
    let form: Form
  }

  let entries: [Entry]

  /// Reads a folder without hidden names and names that aren't UTF-8; throws `file-missing` or `file-unreadable`.
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

/// Digest of a folder: the SHA-256 of its sorted list of paths and file hashes.
enum FolderDigest {
  /// Hashes `path NUL hash LF` for each file, sorted by path in bytes.
  ///
  /// Hidden files, side files and linked folders don't count.
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

/// Files for Galley beside a creative, which aren't part of the creative.
enum SideFile {
  /// Indicates if a path below the root of a folder or zip is one of Galley's own files.
  static func isSideFile(_ components: [String]) -> Bool {
    components.count == 1 && [OwnScenario.fileName, "expected.yaml", "galley.yaml"].contains(components[0])
  }
}
