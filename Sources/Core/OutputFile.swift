package import Files
internal import Glibc

/// An output file that the caller named.
///
/// A regular file is replaced in one step once everything is written, so that it is always either complete or
/// unchanged. Links are followed; devices, pipes, sockets and this program's own open files are written to directly and
/// stay in place.
package final class OutputFile {
  /// The path as the caller wrote it.
  private let path: String
  private let descriptor: Int32
  /// The temporary file and the place that it will take; nil if the place is written to directly.
  private var waiting: (file: String, place: String)?

  /// Opens the file and makes missing folders on the way; `mode` is the mode of a new file.
  ///
  /// - Throws: the reason why it can't be written to.
  package init(_ path: String, mode: UInt32 = 0o666) throws(SystemError) {
    self.path = path
    let (parent, _) = Self.split(path)
    Self.makeFolders(parent)
    switch try OutputPlace.of(path) {
    case .open(let number): (descriptor, waiting) = (fcntl(number, F_DUPFD_CLOEXEC, 0), nil)
    case .socket(let place): (descriptor, waiting) = (Self.connected(to: place), nil)
    case .special(let place): (descriptor, waiting) = (open(place, O_WRONLY | O_NOCTTY | O_CLOEXEC), nil)
    case .regular(let place, let old):
      Self.makeFolders(Self.split(place).parent)
      let file = "\(place).\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
      let fresh = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if fresh >= 0 {
        (descriptor, waiting) = (fresh, (file, place))
        if let old { Self.take(after: old, fresh) }
      } else if old != nil, ![ENOSPC, EDQUOT, EROFS].contains(errno) {
        // Its folder takes no further file.
        (descriptor, waiting) = (open(place, O_WRONLY | O_TRUNC | O_CLOEXEC), nil)
      } else {
        descriptor = fresh
      }
    }
    guard descriptor >= 0 else { throw SystemError(errno) }
  }

  /// Checks that a file could be written there without changing what is there; missing folders on the way are made.
  ///
  /// Devices, pipes and sockets aren't checked: opening one would already begin the output.
  package static func check(_ path: String) throws(SystemError) {
    makeFolders(split(path).parent)
    guard case .regular = try OutputPlace.of(path) else { return }
    _ = try OutputFile(path)
  }

  deinit {
    close(descriptor)
    if let waiting { unlink(waiting.file) }
  }

  /// Appends bytes. A reader that closed its end of a pipe is no error.
  package func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
    do throws(SystemError) {
      try FileWriting.writeAll(bytes, to: descriptor)
    } catch {
      guard error.number == EPIPE else { throw error }
    }
  }

  /// Moves the written file to its place; with `isDurable` it is also flushed to the disk.
  package func finish(isDurable: Bool = false) throws(SystemError) {
    if isDurable, fsync(descriptor) != 0, errno != EINVAL { throw SystemError(errno) }
    guard let (file, place) = waiting else { return }
    if rename(file, place) == 0 {
      waiting = nil
      if isDurable { Self.synchronise(folder: Self.split(place).parent) }
      return
    }
    // What is mounted there can't be replaced.
    guard errno == EBUSY || errno == EXDEV else { throw SystemError(errno) }
    try copy(to: place)
  }

  private func copy(to place: String) throws(SystemError) {
    let target = open(place, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard target >= 0 else { throw SystemError(errno) }
    defer { close(target) }
    var (chunk, offset) = ([UInt8](repeating: 0, count: 1 << 16), 0)
    while true {
      let count = pread(descriptor, &chunk, chunk.count, offset)
      guard count >= 0 else { throw SystemError(errno) }
      if count == 0 { return }
      offset += count
      try FileWriting.writeAll(chunk[..<count], to: target)
    }
  }

  /// Writes a whole text in one call.
  package static func write(
    _ text: String, to path: String, mode: UInt32 = 0o666, isDurable: Bool = false
  ) throws(SystemError) {
    let file = try OutputFile(path, mode: mode)
    try file.write(text.utf8)
    try file.finish(isDurable: isDurable)
  }

  /// Appends to a file; other processes may append to it as well.
  package static func append(_ text: String, to path: String) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    try FileWriting.writeAll(text.utf8, to: descriptor)
  }

  /// Gives the new file the owner, group and mode of the old one, as far as the system permits.
  private static func take(after old: (mode: UInt32, owner: UInt32, group: UInt32), _ descriptor: Int32) {
    _ = fchown(descriptor, old.owner, old.group)
    _ = fchmod(descriptor, old.mode & 0o7777)
  }

  private static func connected(to place: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard place.utf8.count < room.count else { return false }
      room.copyBytes(from: place.utf8)
      return true
    }
    guard fits else {
      errno = ENAMETOOLONG
      return -1
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard !isConnected else { return descriptor }
    let number = errno
    close(descriptor)
    errno = number
    return -1
  }

  /// Makes the missing folders; errors are ignored, because opening the file reports them.
  private static func makeFolders(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) != 0, path != "/", path != "." else { return }
    makeFolders(split(path).parent)
    mkdir(path, 0o777)
  }

  private static func synchronise(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The folder a path lies in and its last component, by bytes.
  static func split(_ path: String) -> (parent: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(Substring(path.utf8[path.utf8.index(after: slash)...]))
    return (slash == path.utf8.startIndex ? "/" : String(Substring(path.utf8[..<slash])), name)
  }
}

/// The kind of thing at an output path, after following links.
enum OutputPlace {
  /// A regular file with its mode and owners; without them if nothing is there yet.
  case regular(String, (mode: UInt32, owner: UInt32, group: UInt32)?)
  /// A device or pipe, or another program's open file.
  case special(String)
  case socket(String)
  /// A descriptor of this program, such as `/dev/stdout`.
  case open(Int32)

  /// - Throws: if it is a folder, or if links lead nowhere.
  static func of(_ path: String) throws(SystemError) -> OutputPlace {
    var current = path
    // As many links as the system follows.
    for _ in 0..<40 {
      let (parent, name) = OutputFile.split(current)
      guard !["", ".", ".."].contains(name) else { throw SystemError(EISDIR) }
      guard let folder = AbsolutePath.real(parent) else { throw SystemError(errno) }
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

  /// The process whose open files the folder lists; nil if it isn't `/proc/<pid>/…/fd`.
  private static func owner(ofDescriptorsIn folder: String) -> pid_t? {
    let parts = folder.split(separator: "/")
    guard parts.count >= 3, parts[0] == "proc", parts.last == "fd" else { return nil }
    return pid_t(parts[1])
  }

  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return count > 0 ? String(validating: bytes[..<count], as: UTF8.self) : nil
  }
}
