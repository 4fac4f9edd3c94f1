internal import CNamespaces
internal import Files
internal import Glibc

/// Functions for files of a worker's view, as seen by the process that builds it.
enum Place {
  /// Mounts what is at `path` at the same path below `root`; returns false if there is nothing, or it can't be mounted.
  @discardableResult static func bind(_ path: String, in root: String, _ use: namespaces_use) -> Bool {
    bind(path, at: root + path, use)
  }

  /// Mounts what is at `path` at another path; returns false if there is nothing, or it can't be mounted.
  @discardableResult static func bind(_ path: String, at target: String, _ use: namespaces_use) -> Bool {
    guard let kind = kind(of: path) else { return false }
    if kind == S_IFDIR {
      makeFolder(target)
    } else {
      makeFolder(folder(of: target))
      makeFile(target, [])
    }
    return namespaces_bind(path, target, use) == 0
  }

  /// Creates a folder and its parents, readable for all users of the view unless `mode` says otherwise.
  static func makeFolder(_ path: String, mode: mode_t = 0o755) {
    guard mkdir(path, mode) != 0, errno == ENOENT, !folder(of: path).isEmpty else { return }
    makeFolder(folder(of: path), mode: mode)
    mkdir(path, mode)
  }

  /// Creates a small file; an existing one stays unchanged.
  static func makeFile(_ path: String, _ bytes: some Collection<UInt8>) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { return }
    defer { close(file) }
    // The view's own memory has room for it.
    try? FileWriting.writeAll(bytes, to: file)
  }

  /// Returns the kind of file at a path, links followed, such as `S_IFDIR`; nil if there is none.
  static func kind(of path: String) -> mode_t? {
    var facts = Glibc.stat()
    return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }

  /// Returns the target of a link as it is stored; nil for a path that isn't a link.
  static func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the folder of a path; empty at the top.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// Returns the last part of a path.
  static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// Returns the names in a folder; hidden ones only if `hidden` is true.
  static func names(in folder: String, hidden: Bool = false) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") || hidden && name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
