package import Baselines
internal import Bundles
package import Jobs
internal import Stage

/// Where the baseline of a creative is, and under which key.
package struct BaselinePlace: Hashable, Sendable {
  package let store: BaselineStore
  package let key: BaselineKey
  /// The creative's path from the store's parent folder, or its address.
  package let source: String

  /// The name of the folder of baselines beside creatives.
  package static let folderName = "galley-baselines"

  package init(store: BaselineStore, key: BaselineKey, source: String) {
    (self.store, self.key, self.source) = (store, key, source)
  }

  /// `folder` is the one asked for; without it baselines lie beside the creative.
  package init(_ job: RenderJob, folder: String?, asked: [String]) throws(Fault) {
    let store = BaselineStore(Self.store(job.creative, folder: folder))
    self.store = store
    key = try BaselineKey(job.creative, from: store.parent, variant: [job.device.name] + asked)
    source =
      job.creative.path.map { BaselineKey.relative($0, from: store.parent).joined(separator: "/") }
      ?? job.creative.argument
  }

  private static func store(_ creative: CreativeReference, folder: String?) -> String {
    if let folder { return AbsolutePath.resolved(folder) }
    guard let path = creative.path else { return AbsolutePath.resolved(Self.folderName) }
    return AbsolutePath.resolved(path + "/..") + "/" + Self.folderName
  }
}
