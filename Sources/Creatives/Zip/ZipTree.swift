internal import Core

/// Files of a zip as a search for creatives sees them.
struct ZipTree: SearchedTree {
  private let archive: ZipArchive
  private var folders: [[String]: SearchedFolder] = [[]: SearchedFolder()]

  /// Maximum depth of folders that are searched.
  private static let deepest = 64
  /// Maximum size in bytes of a file that is inflated to examine it.
  private static let longestRead = 1_000_000

  init(_ archive: ZipArchive) {
    self.archive = archive
    let names = archive.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for way in names.map({ ResourcePath.split($0.utf8) }) where way.count <= Self.deepest && !ZipLayout.isJunk(way) {
      for depth in 1..<way.count {
        let folder = Array(way.prefix(depth))
        guard folders[folder] == nil else { continue }
        folders[folder] = SearchedFolder()
        folders[Array(folder.dropLast()), default: SearchedFolder()].folders.append(folder[depth - 1])
      }
      folders[Array(way.dropLast()), default: SearchedFolder()].files.append(way[way.count - 1])
    }
  }

  func content(of folder: [String]) -> SearchedFolder { folders[folder] ?? SearchedFolder() }

  func head(of file: [String], most: Int) -> [UInt8]? {
    guard let entry = archive.entry(file.joined(separator: "/")), entry.size <= Self.longestRead,
      let bytes = try? archive.bytes(of: entry)
    else { return nil }
    return Array(bytes.prefix(most))
  }
}

extension CreativeFindings {
  /// Returns the creatives of a zip that isn't one itself; nil for one that is, and for a file that can't be read.
  static func several(in path: String, name: String) -> CreativeFindings? {
    guard let file = try? OpenFile(path: path, name: name), (try? FileForm.of(file)) == .zip,
      let archive = try? ZipArchive(file, limits: .standard)
    else { return nil }
    guard (try? ZipLayout(archive.names, of: name)) == nil else { return nil }
    var findings = (try? CreativeTree(ZipTree(archive)).search()) ?? CreativeFindings()
    let isNested = { (leaf: CreativeTree.Leaf) in AbsolutePath.stem(leaf.components.last ?? "").fileExtension == "zip" }
    findings.leftOut += findings.leaves.filter(isNested).map(\.components)
    findings.leaves.removeAll(where: isNested)
    return findings.leaves.isEmpty ? nil : findings
  }
}

/// Creatives of a zip that isn't one itself.
package enum ZipEntries {
  /// Maximum number of creatives that are listed.
  private static let most = 200

  /// Returns the paths by which `CreativeReference.inner` names each; empty for a zip that is a creative itself, and for
  /// any other file.
  package static func creatives(in path: String) -> [String] {
    let leaves = CreativeFindings.several(in: path, name: path)?.leaves ?? []
    return leaves.prefix(most).map { $0.components.joined(separator: "/") }
  }
}
