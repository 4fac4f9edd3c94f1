import CZip
internal import Core

/// Checks a zip's declarations about its entries before any of them is inflated.
struct ZipInspection {
  /// Name of the zip in messages.
  let zip: String
  let limits: BundleLimits

  /// Returns all files by normalised name; throws the first entry's fault.
  func entries(of handle: borrowing ZipHandle) throws(Fault) -> (entries: [ExactName: ZipEntry], hasBackslashes: Bool) {
    let count = zip_get_num_entries(handle.archive, 0)
    try Self.checkCount(Int(count), of: zip, limits: limits)
    var entries: [ExactName: ZipEntry] = [:]
    var hasBackslashes = false
    var total = 0
    for index in 0..<zip_uint64_t(max(count, 0)) {
      let entry = try inspect(index, of: handle)
      total += entry.size
      guard total <= limits.largestTotal else {
        throw bomb("inflates to more than \(limits.largestTotal.asMegabytes)")
      }
      let written = ZipEntryName.withSlashes(entry.name)
      hasBackslashes = hasBackslashes || written != entry.name
      let name = ResourcePath.normalise(written).joined(separator: "/")
      if !name.isEmpty, written.utf8.last != UInt8(ascii: "/") { entries[ExactName(name)] = entry }
    }
    return (entries, hasBackslashes)
  }

  /// Throws `zip-bomb` if there are more entries than allowed.
  static func checkCount(_ count: Int, of zip: String, limits: BundleLimits) throws(Fault) {
    guard count <= limits.mostEntries else {
      let counts = "\(count) entries, the limit is \(limits.mostEntries)"
      throw .creative("zip-bomb", "\(zip.printable) has \(counts)")
    }
  }

  private func inspect(_ index: zip_uint64_t, of handle: borrowing ZipHandle) throws(Fault) -> ZipEntry {
    var status = zip_stat_t()
    let needed = zip_uint64_t(ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE)
    guard zip_stat_index(handle.archive, index, 0, &status) == 0, status.valid & needed == needed,
      let raw = zip_get_name(handle.archive, index, 0)
    else { throw ZipHandle.broken(zip, String(cString: zip_strerror(handle.archive))) }
    let name = String(cString: raw)
    guard !ZipEntryName.isUnsafe(ZipEntryName.withSlashes(name).utf8) else {
      let why = "leads out of the zip, or names a drive or an absolute path"
      throw .creative("zip-path-unsafe", "\(zip.printable) has an unsafe entry name: \(name.printable) \(why)")
    }
    guard status.encryption_method == ZIP_EM_NONE else {
      let remedy = "pack it without a password, because ad servers unpack it"
      throw .creative("zip-encrypted", "\(zip.printable) is encrypted (\(name.printable)): \(remedy)")
    }
    let size = Int(clamping: status.size)
    let stored = Int(clamping: status.comp_size)
    try checkSize(size, stored: stored, name: name)
    return ZipEntry(index: index, name: name, size: size)
  }

  private func checkSize(_ size: Int, stored: Int, name: String) throws(Fault) {
    guard size <= limits.largestFile else {
      throw bomb("\(name.printable) has \(size.asMegabytes), the limit is \(limits.largestFile.asMegabytes)")
    }
    guard size <= limits.smallestRatioChecked || size / limits.highestRatio <= stored else {
      throw bomb("\(name.printable) is compressed more than \(limits.highestRatio) to 1")
    }
  }

  private func bomb(_ problem: String) -> Fault { .creative("zip-bomb", "\(zip.printable): \(problem)") }
}

/// First check of a zip's own directory for problems that libzip hides: NULs in names, and directories too long to
/// load.
struct ZipDirectory {
  /// Number of entries as declared.
  let count: Int
  private let offset: Int

  /// Throws `zip-bomb` and `zip-path-unsafe`; all other problems of the file are left to libzip.
  static func check(_ file: borrowing OpenFile, limits: BundleLimits) throws(Fault) {
    guard let directory = try ZipDirectory(file) else { return }
    try ZipInspection.checkCount(directory.count, of: file.name, limits: limits)
    for name in try directory.names(in: file) where name.contains(0) {
      let shown = String(decoding: name, as: UTF8.self).printable
      throw .creative("zip-path-unsafe", "\(file.name.printable) has a NUL in an entry name: \(shown)")
    }
  }

  /// Finds the directory by the last end record in the file; nil if there is none.
  private init?(_ file: borrowing OpenFile) throws(Fault) {
    let length = min(file.size, EndRecord.length + 0xFFFF)
    let tail = try file.bytes(from: file.size - length, count: length)
    guard
      let end = stride(from: tail.count - EndRecord.length, through: 0, by: -1).first(where: {
        tail[$0...].starts(with: EndRecord.signature)
      })
    else { return nil }
    if let large = try Self.largeRecord(before: file.size - length + end, in: file) {
      count = large.integer(at: 32, bytes: 8)
      offset = large.integer(at: 48, bytes: 8)
    } else {
      count = tail.integer(at: end + 10, bytes: 2)
      offset = tail.integer(at: end + 16, bytes: 4)
    }
  }

  /// Returns the zip64 end record, which replaces the plain one if its locator precedes it; nil if there is none.
  private static func largeRecord(before end: Int, in file: borrowing OpenFile) throws(Fault) -> [UInt8]? {
    guard end >= 20 else { return nil }
    let locator = try file.bytes(from: end - 20, count: 20)
    guard locator.starts(with: [0x50, 0x4B, 6, 7]) else { return nil }
    let start = locator.integer(at: 8, bytes: 8)
    guard start < file.size else { return nil }
    let record = try file.bytes(from: start, count: 56)
    return record.count == 56 && record.starts(with: [0x50, 0x4B, 6, 6]) ? record : nil
  }

  /// Returns the raw names, as far as the directory can be followed.
  private func names(in file: borrowing OpenFile) throws(Fault) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var position = offset
    while names.count < count, position < file.size {
      let header = try file.bytes(from: position, count: 46)
      guard header.count == 46, header.starts(with: [0x50, 0x4B, 1, 2]) else { break }
      let nameLength = header.integer(at: 28, bytes: 2)
      names.append(try file.bytes(from: position + 46, count: nameLength))
      position += 46 + nameLength + header.integer(at: 30, bytes: 2) + header.integer(at: 32, bytes: 2)
    }
    return names
  }

  /// Record at the end of a zip.
  private enum EndRecord {
    static let signature: [UInt8] = [0x50, 0x4B, 5, 6]
    /// Number of bytes, without its comment.
    static let length = 22
  }
}

extension [UInt8] {
  /// Returns a little-endian number, limited to `Int.max`.
  fileprivate func integer(at offset: Int, bytes: Int) -> Int {
    Int(clamping: self[offset..<offset + bytes].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

/// Checks of entry names that could lead out of the folder to which an archive is unpacked.
enum ZipEntryName {
  /// Replaces backslashes with slashes, which name the same folders.
  static func withSlashes(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "\\")) else { return name }
    let slash = UInt8(ascii: "/")
    return String(decoding: name.utf8.map { $0 == UInt8(ascii: "\\") ? slash : $0 }, as: UTF8.self)
  }

  /// Indicates if `name` is absolute, on a drive, leads upwards, or contains a backslash or NUL.
  static func isUnsafe(_ name: some Collection<UInt8>) -> Bool {
    let bytes = Array(name)
    if bytes.contains(0) || bytes.contains(UInt8(ascii: "\\")) || bytes.first == UInt8(ascii: "/") { return true }
    if bytes.count > 1, bytes[1] == UInt8(ascii: ":"), Unicode.Scalar(bytes[0]).properties.isAlphabetic { return true }
    return bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }
}
