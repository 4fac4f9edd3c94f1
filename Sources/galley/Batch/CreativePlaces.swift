internal import Bundles
internal import Jobs

/// Where the creatives of a call lie, so that no result is put among their own files.
struct CreativePlaces {
  /// Folders that are creatives, and for each folder that is or holds one, how the caller wrote that.
  private var folders: [String: String] = [:]
  private var holders: [String: String] = [:]

  init(_ creatives: some Sequence<CreativeReference>) {
    for creative in creatives where creative.argument != "-" {
      guard let path = creative.path.map(AbsolutePath.resolved) else { continue }
      let isFolder = AbsolutePath.isFolder(path)
      if isFolder { folders[path] = creative.argument }
      for holder in Self.ways(up: path).dropFirst(isFolder ? 0 : 1) where holders[holder] == nil {
        holders[holder] = creative.argument
      }
    }
  }

  /// - Throws: a request's fault when a folder of results is, holds or lies in a creative.
  func check(_ folder: String) throws(Fault) {
    let ways = Self.ways(up: AbsolutePath.resolved(folder))
    if let own = ways.first.flatMap({ holders[$0] }) { throw Self.fault(folder, own) }
    if let own = ways.lazy.compactMap({ folders[$0] }).first { throw Self.fault(folder, own) }
  }

  private static func fault(_ folder: String, _ creative: String) -> Fault {
    .request(
      "output-in-creative", "results in \(folder) would be mixed with the creative \(creative): choose another --out")
  }

  /// The path and all folders above it.
  private static func ways(up path: String) -> [String] {
    var ways = [path]
    while let slash = ways[ways.count - 1].utf8.lastIndex(of: UInt8(ascii: "/")) {
      let parent = String(Substring(ways[ways.count - 1].utf8[..<slash]))
      guard !parent.isEmpty else { break }
      ways.append(parent)
    }
    return ways
  }
}
