internal import Glibc

/// What stands where something is to be written, links followed.
enum OutputPlace {
  /// A regular file with its mode and owners, or nothing yet.
  case regular(String, (mode: UInt32, owner: UInt32, group: UInt32)?)
  /// A device or pipe, or another program's open file.
  case special(String)
  case socket(String)
  /// A descriptor of this program's, as `/dev/stdout` is.
  case open(Int32)

  /// - Throws: when it is a folder, or links lead nowhere.
  static func of(_ path: String) throws(SystemError) -> OutputPlace {
    var current = path
    // As many links as the system follows.
    for _ in 0..<40 {
      let (parent, name) = OutputFile.split(current)
      guard !["", ".", ".."].contains(name) else { throw SystemError(EISDIR) }
      guard let folder = real(parent) else { throw SystemError(errno) }
      let place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      if let process = owner(ofDescriptorsIn: folder), let number = Int32(name) {
        return process == getpid() ? .open(number) : .special(place)
      }
      var facts = stat()
      guard lstat(place, &facts) == 0 else {
        guard errno == ENOENT else { throw SystemError(errno) }
        return .regular(place, nil)
      }
      switch facts.st_mode & S_IFMT {
      case S_IFREG: return .regular(place, (facts.st_mode, facts.st_uid, facts.st_gid))
      case S_IFDIR: throw SystemError(EISDIR)
      case S_IFSOCK: return .socket(place)
      case S_IFLNK:
        guard let target = target(of: place) else { throw SystemError(errno) }
        current = target.utf8.first == UInt8(ascii: "/") ? target : "\(folder)/\(target)"
      default: return .special(place)
      }
    }
    throw SystemError(ELOOP)
  }

  /// The process whose open files a folder of `/proc` lists.
  private static func owner(ofDescriptorsIn folder: String) -> pid_t? {
    let parts = folder.split(separator: "/")
    guard parts.count >= 3, parts[0] == "proc", parts.last == "fd" else { return nil }
    return pid_t(parts[1])
  }

  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }

  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return count > 0 ? String(validating: bytes[..<count], as: UTF8.self) : nil
  }
}
