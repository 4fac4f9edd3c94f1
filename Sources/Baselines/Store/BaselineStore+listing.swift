internal import Core
internal import FoundationEssentials
package import Jobs

extension BaselineStore {
  /// A file that no manifest refers to.
  package struct Orphan: Hashable, Sendable {
    package let path: String
    package let bytes: Int
  }

  /// Whether anything was ever recorded here.
  package var exists: Bool { FileManager.default.fileExists(atPath: "\(path)/manifests") }

  /// Every baseline's key, sorted.
  package func keys() -> [BaselineKey] {
    Self.files(below: "\(path)/manifests").compactMap { file in
      let parts = file.split(separator: "/")
      guard parts.count > 1, let name = parts.last, name.hasSuffix(".json") else { return nil }
      return BaselineKey(
        creative: parts.dropLast().joined(separator: "/"), variant: String(name.dropLast(".json".count)))
    }.sorted()
  }

  /// Whether the creative a baseline is of is there still; always so for an address.
  package func hasCreative(_ manifest: BaselineManifest) -> Bool {
    manifest.source.contains("://") || FileManager.default.fileExists(atPath: "\(parent)/\(manifest.source)")
  }

  /// Files that none of these manifests refers to.
  package func orphans(of manifests: [BaselineManifest]) -> [Orphan] {
    let known = manifests.reduce(into: Set<String>()) { $0.formUnion($1.objects.map(objectPath)) }
    return Self.files(below: "\(path)/objects").map { "\(path)/objects/\($0)" }.filter { !known.contains($0) }.sorted()
      .map { Orphan(path: $0, bytes: Self.size($0)) }
  }

  package func remove(_ orphan: Orphan) throws(Fault) { try remove(orphan.path) }

  /// Bytes of all files.
  package var size: Int { Self.files(below: path).reduce(0) { $0 + Self.size("\(path)/\($1)") } }

  private static func size(_ path: String) -> Int {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    return (facts?[.size] as? UInt64).map(Int.init) ?? 0
  }

  /// Paths below a folder; hidden files aren't ours, and links aren't followed.
  private static func files(below folder: String) -> [String] {
    var found: [String] = []
    var waiting = [""]
    while let name = waiting.popLast() {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
      for entry in entries where !entry.hasPrefix(".") {
        let path = name.isEmpty ? entry : "\(name)/\(entry)"
        let type = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.type] as? FileAttributeType
        if type == .typeDirectory { waiting.append(path) }
        if type == .typeRegular { found.append(path) }
      }
    }
    return found
  }
}
