internal import FoundationEssentials
internal import Glibc

/// Paths as the system takes them: from the root, and with symbolic links resolved where that is said.
///
/// Paths are taken apart by bytes: a slash with a combining mark after it is one character, but still separates.
package enum AbsolutePath {
  /// The real place of `path`, nil when nothing is there.
  package static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }

  /// The absolute form of what a caller wrote; a link as the last component keeps its own name.
  package static func of(_ path: String) -> String? {
    let (parent, name) = split(path)
    guard !name.isEmpty, name != ".", name != ".." else { return real(path) }
    return real(parent).map { $0 == "/" ? "/" + name : $0 + "/" + name }
  }

  /// The absolute form of a path of which the last parts needn't exist yet.
  package static func resolved(_ path: String) -> String {
    if let path = real(path) { return path }
    let (parent, name) = split(path)
    guard parent != path, name != "." else { return path }
    let folder = resolved(parent)
    return folder == "/" ? "/" + name : folder + "/" + name
  }

  /// What a caller wrote, from the root, else from the working folder; nothing of it is resolved.
  package static func written(_ path: String, in folder: String? = nil) -> String {
    path.hasPrefix("/") ? path : (folder ?? FileManager.default.currentDirectoryPath) + "/" + path
  }

  /// Whether a folder is there, or behind links.
  package static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return !path.utf8.contains(0) && stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
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
