internal import Core
import CZip

/// Checks what a zip declares about its entries before any of them is inflated.
struct ZipInspection {
  /// What messages call the zip.
  let zip: String
  let limits: BundleLimits

  /// Every file by normalised name; throws the first entry's fault.
  func entries(of handle: borrowing ZipHandle) throws(Fault) -> [String: ZipEntry] {
    let count = zip_get_num_entries(handle.archive, 0)
    try Self.checkCount(Int(count), of: zip, limits: limits)
    var entries: [String: ZipEntry] = [:]
    var total = 0
    for index in 0..<zip_uint64_t(max(count, 0)) {
      let entry = try inspect(index, of: handle)
      total += entry.size
      guard total <= limits.largestTotal else {
        throw bomb("inflates to more than \(limits.largestTotal.asMegabytes)")
      }
      let name = ResourcePath.normalise(entry.name).joined(separator: "/")
      if !name.isEmpty, entry.name.utf8.last != UInt8(ascii: "/") {
        entries[name] = entry
      }
    }
    return entries
  }

  /// Throws `zip-bomb` when there are more entries than allowed.
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
    guard !ZipEntryName.isUnsafe(name.utf8) else {
      throw .creative("zip-path-unsafe", "\(zip.printable) has an unsafe entry name: \(name.printable)")
    }
    guard status.encryption_method == ZIP_EM_NONE else {
      throw .creative("zip-encrypted", "\(zip.printable) is encrypted: \(name.printable)")
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
      throw bomb("\(name.printable) compresses more than \(limits.highestRatio) to 1")
    }
  }

  private func bomb(_ problem: String) -> Fault { .creative("zip-bomb", "\(zip.printable): \(problem)") }
}

/// A first look at a zip's own table of contents, for what libzip hides: NUL in names, and tables too long to load.
struct ZipDirectory {
  /// As declared.
  let count: Int
  private let offset: Int

  /// Throws `zip-bomb` and `zip-path-unsafe`; leaves everything else wrong with the file to libzip.
  static func check(_ file: borrowing OpenFile, limits: BundleLimits) throws(Fault) {
    guard let directory = try ZipDirectory(file) else { return }
    try ZipInspection.checkCount(directory.count, of: file.name, limits: limits)
    for name in try directory.names(in: file) where name.contains(0) {
      let shown = String(decoding: name, as: UTF8.self).printable
      throw .creative("zip-path-unsafe", "\(file.name.printable) has a NUL in an entry name: \(shown)")
    }
  }

  /// Finds the table by the last end record in the file; nil when there is none.
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

  /// The zip64 end record, which replaces the plain one where its locator stands before it.
  private static func largeRecord(before end: Int, in file: borrowing OpenFile) throws(Fault) -> [UInt8]? {
    guard end >= 20 else { return nil }
    let locator = try file.bytes(from: end - 20, count: 20)
    guard locator.starts(with: [0x50, 0x4B, 6, 7]) else { return nil }
    let start = locator.integer(at: 8, bytes: 8)
    guard start < file.size else { return nil }
    let record = try file.bytes(from: start, count: 56)
    return record.count == 56 && record.starts(with: [0x50, 0x4B, 6, 6]) ? record : nil
  }

  /// Raw names, as far as the table can be followed.
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

  /// The record at a zip's end.
  private enum EndRecord {
    static let signature: [UInt8] = [0x50, 0x4B, 5, 6]
    /// Without its comment.
    static let length = 22
  }
}

extension [UInt8] {
  /// A little-endian number, held below `Int.max`.
  fileprivate func integer(at offset: Int, bytes: Int) -> Int {
    Int(clamping: self[offset..<offset + bytes].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

/// Which entry names could lead out of the folder an archive is unpacked to.
enum ZipEntryName {
  /// Whether `name` is absolute, on a drive, goes up, or holds a backslash or NUL.
  static func isUnsafe(_ name: some Collection<UInt8>) -> Bool {
    let bytes = Array(name)
    if bytes.contains(0) || bytes.contains(UInt8(ascii: "\\")) || bytes.first == UInt8(ascii: "/") { return true }
    if bytes.count > 1, bytes[1] == UInt8(ascii: ":"), Unicode.Scalar(bytes[0]).properties.isAlphabetic { return true }
    return bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }
}
