import Jobs

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
