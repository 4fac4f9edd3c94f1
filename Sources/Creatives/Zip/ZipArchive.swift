internal import Core
import CZip
import Synchronization

/// A zip held open through libzip; entries are inflated on demand, never beyond what was checked on opening.
final class ZipArchive: Sendable {
  /// By name, normalised; folders left out; of two entries with one name the last, as when unpacking.
  let entries: [String: ZipEntry]
  private let handle: Mutex<ZipHandle>

  /// Throws `zip-too-large`, `zip-bomb`, `zip-path-unsafe`, `zip-encrypted` and `zip-broken`.
  init(_ file: borrowing OpenFile, limits: BundleLimits) throws(Fault) {
    guard file.size <= limits.largestTotal else {
      let sizes = "\(file.size.asMegabytes), the limit is \(limits.largestTotal.asMegabytes)"
      throw .creative("zip-too-large", "\(file.name.printable) has \(sizes)")
    }
    try ZipDirectory.check(file, limits: limits)
    let handle = try ZipHandle(file)
    entries = try ZipInspection(zip: file.name, limits: limits).entries(of: handle)
    self.handle = Mutex(handle)
  }

  /// The inflated bytes; throws `zip-bomb` when there are more than declared, and `zip-broken`.
  func bytes(of entry: ZipEntry) throws(Fault) -> [UInt8] {
    try handle.withLock { (handle) throws(Fault) -> [UInt8] in try handle.inflate(entry) }
  }
}

/// One file in a zip, as its directory declares it.
struct ZipEntry: Hashable, Sendable {
  let index: UInt64
  let name: String
  /// Bytes inflated; a claim until inflated.
  let size: Int
}

/// libzip's open archive, closed with its owner.
struct ZipHandle: ~Copyable {
  /// Bytes inflated at a time, so how far past its declared size an entry can get.
  private static let chunk = 1 << 16

  let archive: OpaquePointer
  /// What messages call the zip.
  private let name: String

  /// Throws `zip-broken` with libzip's reason.
  init(_ file: borrowing OpenFile) throws(Fault) {
    var code: Int32 = 0
    guard let archive = zip_open(file.path, ZIP_RDONLY, &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      throw Self.broken(file.name, String(cString: zip_error_strerror(&error)))
    }
    self.archive = archive
    name = file.name
  }

  deinit { zip_discard(archive) }

  /// The whole entry, stopped as soon as it holds more than it declares.
  func inflate(_ entry: ZipEntry) throws(Fault) -> [UInt8] {
    guard let file = zip_fopen_index(archive, entry.index, 0) else {
      throw broken(entry, String(cString: zip_strerror(archive)))
    }
    defer { zip_fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      let count = buffer.withUnsafeMutableBytes { zip_fread(file, $0.baseAddress, zip_uint64_t($0.count)) }
      guard count >= 0 else { throw broken(entry, String(cString: zip_file_strerror(file))) }
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer[..<Int(count)])
      guard bytes.count <= entry.size else {
        let problem = "\(entry.name.printable) inflates beyond the \(entry.size) bytes it declares"
        throw .creative("zip-bomb", "\(name.printable): \(problem)")
      }
    }
    guard bytes.count == entry.size else { throw broken(entry, "shorter than the \(entry.size) bytes it declares") }
    return bytes
  }

  private func broken(_ entry: ZipEntry, _ reason: String) -> Fault {
    Self.broken(name, "\(entry.name.printable): \(reason)")
  }

  /// The fault for an archive libzip can't read.
  static func broken(_ zip: String, _ reason: String) -> Fault {
    .creative("zip-broken", "\(zip.printable) is no readable zip: \(reason)")
  }
}

/// A zip's files below the folder its document lies in.
struct ZipStore: BundleStore {
  let archive: ZipArchive
  /// `""` or `folder/`.
  let prefix: String

  func bytes(at components: [String]) throws(Fault) -> [UInt8]? {
    guard !SideFile.isSideFile(components) else { return nil }
    guard let entry = archive.entries[prefix + components.joined(separator: "/")] else { return nil }
    return try archive.bytes(of: entry)
  }

  /// What archivers add on their own doesn't count, as it doesn't on opening.
  func listing() -> [[String]] {
    archive.entries.keys.filter { $0.hasPrefix(prefix) }.sorted().map {
      ResourcePath.split($0.dropFirst(prefix.count).utf8)
    }
    .filter { way in
      !SideFile.isSideFile(way) && way.first != "__MACOSX" && !way.contains { $0.utf8.first == UInt8(ascii: ".") }
        && !way.isEmpty
    }
  }
}
