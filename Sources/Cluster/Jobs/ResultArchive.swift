package import Core
internal import Files
internal import Foundation
internal import Glibc

/// A folder's files packed as one file, so that a result is one object in the contents that machines share.
///
/// A line of JSON lists the files with their sizes; their bytes follow one after the other.
package enum ResultArchive {
  private struct Entry: Codable {
    let path: String
    let size: Int
  }

  /// Maximum numbers of a parcel's files, of bytes in its first line, and of bytes in all files.
  private static let mostFiles = 20_000
  private static let longestLine = 8_000_000
  private static let mostBytes = 4_000_000_000
  private static let piece = 131_072

  /// Indicates if a folder is small enough to be a creative: 2,000 files and 200 MB.
  static func fits(_ folder: String) -> Bool {
    let paths = list(folder, most: 2001)
    guard paths.count <= 2000 else { return false }
    return paths.reduce(into: 0) { bytes, path in
      var facts = stat()
      if lstat("\(folder)/\(path)", &facts) == 0 { bytes += Int(facts.st_size) }
    } <= 200_000_000
  }

  /// Packs a folder's regular files; a missing folder is packed as an empty one.
  package static func pack(_ folder: String, to file: String) throws(Fault) {
    let paths = list(folder)
    var entries: [Entry] = []
    for path in paths {
      var facts = stat()
      guard lstat("\(folder)/\(path)", &facts) == 0 else { throw DurableFile.fault("read", "\(folder)/\(path)") }
      entries.append(Entry(path: path, size: Int(facts.st_size)))
    }
    guard entries.count <= mostFiles else { throw .engine("data-failed", "\(folder) has more than \(mostFiles) files") }
    let target = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw DurableFile.fault("write", file) }
    defer { close(target) }
    guard let head = try? JSONText.bytes(entries) else { throw .engine("data-failed", "\(folder) can't be listed") }
    try DurableFile.write(all: head + [10], to: target, at: file)
    for entry in entries { try copy("\(folder)/\(entry.path)", entry.size, to: target, file) }
  }

  private static func copy(_ path: String, _ size: Int, to target: Int32, _ file: String) throws(Fault) {
    let source = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard source >= 0 else { throw DurableFile.fault("read", path) }
    defer { close(source) }
    var left = size
    while left > 0 {
      let bytes = try read(source, min(left, piece), path)
      guard !bytes.isEmpty else { throw .engine("data-failed", "\(path) was truncated while it was packed") }
      try DurableFile.write(all: bytes, to: target, at: file)
      left -= bytes.count
    }
  }

  /// Unpacks into a folder that doesn't exist yet. Files that aren't parcels, or that would leave the folder, are
  /// rejected.
  package static func unpack(_ file: String, to folder: String) throws(Fault) {
    let source = open(file, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw DurableFile.fault("read", file) }
    defer { close(source) }
    var (rest, end) = ([UInt8](), Int?.none)
    while end == nil, rest.count < longestLine {
      let bytes = try read(source, piece, file)
      guard !bytes.isEmpty else { break }
      end = bytes.firstIndex(of: 10).map { $0 + rest.count }
      rest += bytes
    }
    guard let end, let entries = try? JSONDecoder().decode([Entry].self, from: Data(rest[..<end])),
      entries.count <= mostFiles,
      entries.allSatisfy({ AbsolutePath.isPlain($0.path) && (0...mostBytes).contains($0.size) }),
      entries.reduce(0, { $0 + $1.size }) <= mostBytes
    else { throw broken }
    rest.removeFirst(end + 1)
    try make(folder)
    for entry in entries { try write(entry, from: source, &rest, folder, file) }
  }

  private static func write(
    _ entry: Entry, from source: Int32, _ rest: inout [UInt8], _ folder: String, _ file: String
  ) throws(Fault) {
    let path = "\(folder)/\(entry.path)"
    if let slash = entry.path.lastIndex(of: "/") { try make("\(folder)/\(entry.path[..<slash])") }
    let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw DurableFile.fault("write", path) }
    defer { close(target) }
    var left = entry.size
    while left > 0 {
      if rest.isEmpty { rest = try read(source, piece, file) }
      guard !rest.isEmpty else { throw broken }
      let count = min(left, rest.count)
      try DurableFile.write(all: Array(rest.prefix(count)), to: target, at: path)
      rest.removeFirst(count)
      left -= count
    }
  }

  private static func read(_ source: Int32, _ most: Int, _ path: String) throws(Fault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: most)
    while true {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(source, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw DurableFile.fault("read", path) }
      return Array(bytes[..<count])
    }
  }

  private static var broken: Fault { .engine("content-broken", "the stored files of a render are corrupt") }

  /// Paths of regular files below a folder, sorted.
  private static func list(_ folder: String, most: Int = mostFiles + 1) -> [String] {
    var (found, waiting) = ([String](), [""])
    while found.count < most, let part = waiting.popLast() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder + part)) ?? [] {
        var facts = stat()
        let path = "\(part)/\(name)"
        guard lstat(folder + path, &facts) == 0 else { continue }
        if facts.st_mode & S_IFMT == S_IFDIR { waiting.append(path) }
        if facts.st_mode & S_IFMT == S_IFREG { found.append(String(path.dropFirst())) }
      }
    }
    return found.sorted()
  }

  private static func make(_ folder: String) throws(Fault) {
    do {
      try PrivateFolder.make(folder)
    } catch {
      throw Fault.writing(folder, error)
    }
  }
}
