internal import FoundationEssentials
internal import Jobs

/// A file of an earlier render, which anybody may have written since.
enum ResultFile {
  /// The most bytes read: well beyond what a render writes.
  private static let limit = 256 << 20

  /// - Throws: a request's fault for anything but a readable file of bounded size.
  static func read(_ path: String) throws(Fault) -> Data {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    let size = facts?[.size] as? UInt64 ?? 0
    guard facts?[.type] as? FileAttributeType == .typeRegular, size <= limit,
      let data = FileManager.default.contents(atPath: path)
    else { throw .request("diff-unreadable", "\(path) can't be read") }
    return data
  }
}
