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
    let creative = job.feed?.asCreative ?? job.creative
    let store = BaselineStore(Self.store(creative, folder: folder))
    self.store = store
    key = try BaselineKey(creative, from: store.parent, variant: [job.device.name] + Self.ads(job) + asked)
    source =
      creative.path.map { BaselineKey.relative($0, from: store.parent).joined(separator: "/") } ?? creative.argument
  }

  /// The same feed with other ads in it is another thing to look at.
  private static func ads(_ job: RenderJob) -> [String] {
    job.feed.map { [$0.creatives.map(\.name).joined(separator: "+")] } ?? []
  }

  private static func store(_ creative: CreativeReference, folder: String?) -> String {
    if let folder { return AbsolutePath.resolved(folder) }
    guard let path = creative.path else { return AbsolutePath.resolved(Self.folderName) }
    // The last part may be a file, which has nothing above it as far as the file system goes.
    let parent = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
    return AbsolutePath.resolved(parent.isEmpty ? "/" : String(parent)) + "/" + Self.folderName
  }
}
