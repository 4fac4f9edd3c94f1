internal import Files
internal import Glibc

/// Snapshot of a few small files, which are copied into the view.
///
/// A mount instead would cost time in each of the engine's sandboxes, which go through every mount many times.
struct SettingsCopy {
  /// Maximum number of entries of one path, and of bytes of a file; paths with more are mounted.
  private static let mostEntries = 32
  private static let largest = 128 << 10
  private static let deepest = 4

  private enum Entry {
    case folder(String)
    case file(String, [UInt8])
    case link(String, to: String)
  }

  private var entries: [Entry] = []

  /// Reads the files at a path, following a link there; nil if there are too many, or one can't be read.
  init?(of path: String) {
    guard let kind = Place.kind(of: path) else { return nil }
    guard read(path, kind, Self.deepest) else { return nil }
  }

  /// Writes all entries below `root`.
  func write(to root: String) {
    for entry in entries {
      switch entry {
      case .folder(let path): Place.makeFolder(root + path)
      case .link(let path, let target): symlink(target, root + path)
      case .file(let path, let bytes):
        Place.makeFolder(Place.folder(of: root + path))
        Place.makeFile(root + path, bytes)
      }
    }
  }

  private mutating func read(_ path: String, _ kind: mode_t, _ depth: Int) -> Bool {
    guard entries.count < Self.mostEntries, depth > 0 else { return false }
    guard kind == S_IFDIR else {
      guard kind == S_IFREG, let bytes = Self.bytes(of: path) else { return false }
      entries.append(.file(path, bytes))
      return true
    }
    guard access(path, R_OK | X_OK) == 0 else { return false }
    entries.append(.folder(path))
    for name in Place.names(in: path, hidden: true) {
      let inner = "\(path)/\(name)"
      if let target = Place.link(inner) {
        entries.append(.link(inner, to: target))
      } else {
        guard let kind = Place.kind(of: inner), read(inner, kind, depth - 1) else { return false }
      }
    }
    return entries.count <= Self.mostEntries
  }

  private static func bytes(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: largest + 1) { room, count in
      while count < room.count {
        let got = Glibc.read(file, room.baseAddress?.advanced(by: count), room.count - count)
        if got < 0, errno == EINTR { continue }
        if got <= 0 {
          if got < 0 { count = room.count }
          break
        }
        count += got
      }
    }
    return bytes.count > largest ? nil : bytes
  }
}
