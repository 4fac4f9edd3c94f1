import CZip
import Core
import Jobs
import Synchronization

/// A zip held open through libzip; entries are inflated on demand, never beyond what was checked on opening.
final class ZipArchive: Sendable {
  /// By name, normalised; folders left out; of two entries with one name the last, as when unpacking.
  let entries: [String: ZipEntry]
  private let handle: Mutex<ZipHandle>

  /// Throws `zip-too-large`, `zip-bomb`, `zip-unsafe-path`, `zip-encrypted` and `zip-broken`.
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
