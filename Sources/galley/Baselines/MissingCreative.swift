internal import Baselines
internal import Bundles
internal import FoundationEssentials
internal import Jobs

/// A baseline whose creative is gone from a folder that was verified as a whole.
struct MissingCreative: Encodable, Sendable {
  let key: BaselineKey
  let store: String
  /// The path the creative had, from the store's parent folder.
  let source: String

  var line: String { "\(key.text): \(source) is gone" }

  /// Those of creatives that lay in or below `folders`.
  ///
  /// Files aren't folders: who names creatives one by one may leave some out.
  static func found(below folders: [String], baselines: String?) -> [MissingCreative] {
    let roots = folders.filter { !$0.contains("://") && $0 != "-" }.map(AbsolutePath.resolved).filter(isFolder)
    guard !roots.isEmpty, let stores = try? BaselineStores(folder: baselines, below: roots).stores else { return [] }
    return stores.flatMap { store in
      store.keys().compactMap { key in
        // What is broken is told by 'list' and by verifying its creative.
        guard let manifest = try? store.manifest(key), !store.hasCreative(manifest) else { return nil }
        let path = URL(filePath: "\(store.parent)/\(manifest.source)").standardized.path(percentEncoded: false)
        guard roots.contains(where: { path.hasPrefix($0 == "/" ? $0 : $0 + "/") }) else { return nil }
        return MissingCreative(key: key, store: store.path, source: manifest.source)
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    return type == .typeDirectory
  }
}
