import Jobs

/// A zip's files below the folder its document lies in.
struct ZipStore: BundleStore {
  let archive: ZipArchive
  /// `""` or `folder/`.
  let prefix: String

  func bytes(at components: [String]) throws(Fault) -> [UInt8]? {
    guard let entry = archive.entries[prefix + components.joined(separator: "/")] else { return nil }
    return try archive.bytes(of: entry)
  }
}
