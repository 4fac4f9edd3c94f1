internal import CNamespaces
internal import Files
internal import Glibc

/// What stands in a worker's view, as who makes that view sees it.
enum Place {
  /// Makes what is at `path` appear at the same path below `root`; nothing where there is nothing.
  @discardableResult static func bind(_ path: String, in root: String, _ use: namespaces_use) -> Bool {
    bind(path, at: root + path, use)
  }

  /// The same at a path of its own; false, and nothing is there, where it can't be done.
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

  /// With all folders above; who sees the view may look into it.
  static func makeFolder(_ path: String, mode: mode_t = 0o755) {
    guard mkdir(path, mode) != 0, errno == ENOENT, !folder(of: path).isEmpty else { return }
    makeFolder(folder(of: path), mode: mode)
    mkdir(path, mode)
  }

  /// A small file of our own; one that is there stays.
  static func makeFile(_ path: String, _ bytes: some Collection<UInt8>) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { return }
    defer { close(file) }
    // The view's own memory has room for it.
    try? FileWriting.writeAll(bytes, to: file)
  }

  /// What stands at a path, links followed: `S_IFDIR` and the like; nil for nothing.
  static func kind(of path: String) -> mode_t? {
    var facts = Glibc.stat()
    return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }

  /// Where a link leads, as it says; nil for what is none.
  static func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The folder a path lies in; empty at the top.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// The last part of a path.
  static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// What lies in a folder, hidden things excepted unless they are asked for.
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
