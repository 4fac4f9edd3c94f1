internal import Baselines
internal import Bundles
internal import Jobs
internal import MRAID
internal import Stage

/// Where the baseline of a creative is, and under which key.
struct BaselinePlace: Hashable, Sendable {
  let store: BaselineStore
  let key: BaselineKey
  /// The creative's path from the store's parent folder, or its address.
  let source: String

  /// `folder` is the one asked for; without it baselines lie beside the creative.
  init(_ job: RenderJob, folder: String?, asked: [String]) throws(Fault) {
    let store = BaselineStore(Self.store(job.creative, folder: folder))
    self.store = store
    key = try BaselineKey(job.creative, from: store.parent, variant: [job.device.name] + asked)
    source =
      job.creative.path.map { BaselineKey.relative($0, from: store.parent).joined(separator: "/") }
      ?? job.creative.argument
  }

  private static func store(_ creative: CreativeReference, folder: String?) -> String {
    if let folder { return AbsolutePath.resolved(folder) }
    guard let path = creative.path else { return AbsolutePath.resolved(BaselineOptions.folderName) }
    return AbsolutePath.resolved(path + "/..") + "/" + BaselineOptions.folderName
  }
}

extension BaselinePlace {
  /// What of a call makes another baseline of the same creative on the same device.
  static func asked(
    orientation: AppOrientation?, placement: PlacementOptions, container: ContainerProfile?, variant: String?
  ) -> [String] {
    let size = placement.size.map { "\($0.width.plain)x\($0.height.plain)" }
    return [
      orientation?.rawValue, placement.placement?.rawValue, size, placement.position?.rawValue, container?.name,
      variant,
    ].compactMap(\.self)
  }
}
