import CZip
internal import Core
import Synchronization

/// Zip held open through libzip; entries are inflated on demand, never beyond the sizes checked on opening.
final class ZipArchive: Sendable {
  /// Files by normalised name, without folders; of two entries with one name the last, as when unpacking.
  let entries: [ExactName: ZipEntry]
  /// Indicates if backslashes separate its folders, as some Windows tools write them.
  let hasBackslashes: Bool
  private let handle: Mutex<ZipHandle>

  /// Opens and checks a zip; throws `zip-too-large`, `zip-bomb`, `zip-path-unsafe`, `zip-encrypted` and `zip-broken`.
  init(_ file: borrowing OpenFile, limits: BundleLimits) throws(Fault) {
    guard file.size <= limits.largestTotal else {
      let sizes = "\(file.size.asMegabytes), the limit is \(limits.largestTotal.asMegabytes)"
      throw .creative("zip-too-large", "\(file.name.printable) has \(sizes)")
    }
    try ZipDirectory.check(file, limits: limits)
    let handle = try ZipHandle(file)
    let found = try ZipInspection(zip: file.name, limits: limits).entries(of: handle)
    (entries, hasBackslashes) = (found.entries, found.hasBackslashes)
    self.handle = Mutex(handle)
  }

  /// Returns the entry of a normalised name; nil if there is none.
  func entry(_ name: String) -> ZipEntry? { entries[ExactName(name)] }

  /// Names of all files.
  var names: [String] { entries.keys.map(\.text) }

  /// Returns the inflated bytes; throws `zip-bomb` if there are more than declared, and `zip-broken`.
  func bytes(of entry: ZipEntry) throws(Fault) -> [UInt8] {
    try handle.withLock { (handle) throws(Fault) -> [UInt8] in try handle.inflate(entry) }
  }
}

/// File in a zip, as its directory declares it.
struct ZipEntry: Hashable, Sendable {
  let index: UInt64
  let name: String
  /// Number of inflated bytes as declared, which is verified when they are inflated.
  let size: Int
}

/// Open archive of libzip, closed with its owner.
struct ZipHandle: ~Copyable {
  /// Number of bytes inflated at a time, by which an entry can exceed its declared size at most.
  private static let chunk = 1 << 16

  private static let cutOff = "its end is missing; the file is incomplete, as after an interrupted download"

  let archive: OpaquePointer
  /// Name of the zip in messages.
  private let name: String

  /// Opens an archive; throws `zip-broken` with libzip's reason.
  init(_ file: borrowing OpenFile) throws(Fault) {
    var code: Int32 = 0
    guard let archive = zip_open(file.path, ZIP_RDONLY, &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      // What begins as a zip has lost its end, where the table of its files is.
      let isCutOff = code == ZIP_ER_NOZIP && (try? file.head(4)) == [0x50, 0x4B, 3, 4]
      let reason = isCutOff ? Self.cutOff : String(cString: zip_error_strerror(&error))
      throw Self.broken(file.name, reason)
    }
    self.archive = archive
    name = file.name
  }

  deinit { zip_discard(archive) }

  /// Returns the whole entry; stops as soon as it contains more than it declares.
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
        let problem = "\(entry.name.printable) inflates to more than the \(entry.size) bytes it declares"
        throw .creative("zip-bomb", "\(name.printable): \(problem)")
      }
    }
    guard bytes.count == entry.size else { throw broken(entry, "shorter than the \(entry.size) bytes it declares") }
    return bytes
  }

  private func broken(_ entry: ZipEntry, _ reason: String) -> Fault {
    Self.broken(name, "\(entry.name.printable): \(reason)")
  }

  /// Returns the fault for an archive that libzip can't read.
  static func broken(_ zip: String, _ reason: String) -> Fault {
    .creative("zip-broken", "\(zip.printable) isn't a readable zip: \(reason)")
  }
}

/// Files of a zip below the folder that contains its document.
struct ZipStore: BundleStore {
  let archive: ZipArchive
  /// Path of that folder in the zip, `""` or `folder/`.
  let prefix: String

  func bytes(at components: [String]) throws(Fault) -> [UInt8]? {
    guard !SideFile.isSideFile(components) else { return nil }
    guard let entry = archive.entry(prefix + components.joined(separator: "/")) else { return nil }
    return try archive.bytes(of: entry)
  }

  /// Returns all files, sorted, except those that archivers add on their own, which don't count on opening either.
  func listing() -> [[String]] {
    archive.names.filter { $0.utf8.starts(with: prefix.utf8) }.sorted().map {
      ResourcePath.split($0.utf8.dropFirst(prefix.utf8.count))
    }
    .filter { way in
      !SideFile.isSideFile(way) && way.first != "__MACOSX" && !way.contains { $0.utf8.first == UInt8(ascii: ".") }
        && !way.isEmpty
    }
  }
}
