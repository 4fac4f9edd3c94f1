internal import Baselines
internal import Bundles
internal import FoundationEssentials
internal import Jobs

/// The stores that a call is about.
struct BaselineStores {
  let stores: [BaselineStore]
  /// The most folders looked into.
  private static let most = 20_000

  /// The one in `folder`, or all that lie below others.
  /// - Throws: a request's fault when there is none.
  init(folder: String?, below folders: [String]) throws(Fault) {
    let places = folder.map { [AbsolutePath.resolved($0)] } ?? Self.found(below: folders.isEmpty ? ["."] : folders)
    stores = places.map(BaselineStore.init).filter(\.exists)
    guard !stores.isEmpty else {
      let place = folder ?? (folders.isEmpty ? "here" : folders.joined(separator: ", "))
      throw .request("no-baselines", "there are no baselines in or below \(place)")
    }
  }

  private static func found(below folders: [String]) -> [String] {
    var (found, waiting, looked) = (Set<String>(), folders.map(AbsolutePath.resolved), 0)
    while let folder = waiting.popLast(), looked < most {
      looked += 1
      if folder.hasSuffix("/" + BaselineOptions.folderName) {
        found.insert(folder)
        continue
      }
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !name.hasPrefix(".") {
        let path = "\(folder)/\(name)"
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        if type == .typeDirectory { waiting.append(path) }
      }
    }
    return found.sorted()
  }
}
