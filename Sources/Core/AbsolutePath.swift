internal import FoundationEssentials
internal import Glibc

/// Absolute paths as the system expects them, with symbolic links resolved where a comment says so.
///
/// Paths are split by bytes: a slash followed by a combining mark is one character in Swift, but still a separator.
package enum AbsolutePath {
  /// The path with all symbolic links resolved; nil if nothing is there.
  package static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }

  /// The absolute form of a path that the caller gave; a link as the last component keeps its own name.
  package static func of(_ path: String) -> String? {
    let (parent, name) = split(path)
    guard !name.isEmpty, name != ".", name != ".." else { return real(path) }
    return real(parent).map { $0 == "/" ? "/" + name : $0 + "/" + name }
  }

  /// The absolute form of a path whose last components needn't exist yet.
  package static func resolved(_ path: String) -> String {
    if let path = real(path) { return path }
    let (parent, name) = split(path)
    guard parent != path, name != "." else { return path }
    let folder = resolved(parent)
    return folder == "/" ? "/" + name : folder + "/" + name
  }

  /// Joins a relative path to `folder` or the working folder without resolving it; keeps an absolute path unchanged.
  package static func written(_ path: String, in folder: String? = nil) -> String {
    path.hasPrefix("/") ? path : (folder ?? FileManager.default.currentDirectoryPath) + "/" + path
  }

  /// Indicates if the path is a folder, directly or by links.
  package static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return !path.utf8.contains(0) && stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Indicates if a foreign path stays below the folder that it is joined to: names between single slashes, no dots.
  package static func isPlain(_ path: String) -> Bool {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return path.utf8.count < 4_096 && !path.utf8.contains(0)
      && names.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
  }

  /// Indicates if a text of foreign origin is a single file name: 1 to 255 bytes, no slash, neither `.` nor `..`.
  package static func isPlainName(_ name: String) -> Bool {
    isPlain(name) && (1...255).contains(name.utf8.count) && !name.utf8.contains(UInt8(ascii: "/"))
  }

  /// Indicates if the file at a path below a folder really lies there, with no link on the way.
  package static func isOwn(_ path: String, in folder: String) -> Bool {
    guard isPlain(path), let root = real(folder), let place = real("\(folder)/\(path)") else { return false }
    return place.utf8.elementsEqual((root == "/" ? "/\(path)" : "\(root)/\(path)").utf8)
  }

  /// Indicates if the path's last component is itself a symbolic link, regardless of its target.
  package static func isLink(_ path: String) -> Bool {
    var facts = stat()
    return !path.utf8.contains(0) && lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }

  /// The folder a path lies in and its last component, trailing slashes ignored.
  package static func split(_ path: String) -> (parent: String, name: String) {
    let separator = UInt8(ascii: "/")
    var trimmed = path.utf8[...]
    while trimmed.last == separator, trimmed.count > 1 { trimmed.removeLast() }
    guard let slash = trimmed.lastIndex(of: separator) else { return (".", String(Substring(trimmed))) }
    let parent = String(Substring(trimmed[..<slash]))
    return (parent.isEmpty ? "/" : parent, String(Substring(trimmed[trimmed.index(after: slash)...])))
  }

  /// The last component without its last extension, and that extension in lower case (`""` when there is none).
  package static func stem(_ path: String) -> (stem: String, fileExtension: String) {
    let name = split(path).name
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), name[name.utf8.index(after: dot)...].lowercased())
  }
}
