import CZip
import Core
import Jobs

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
      throw .creative("zip-unsafe-path", "\(zip.printable) has an unsafe entry name: \(name.printable)")
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
