internal import ArgumentParser
internal import Baselines
internal import Jobs

/// Removes baselines of creatives that are gone, and files that no baseline refers to.
struct BaselinePruneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove what no creative and no baseline needs any more.",
    discussion: """
      Baselines whose creative is gone, then files that no baseline refers to. That a creative wasn't verified, or \
      failed, is no reason; baselines of addresses stay.
      """)

  @Argument(help: ArgumentHelp("Folders searched for baselines (default: this one).", valueName: "folder"))
  var folders: [String] = []

  @Flag(name: [.customShort("n"), .long], help: "Tell only what would be removed.") var dryRun = false
  @Flag(help: "Remove though CI is set.") var inCi = false
  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    if !dryRun { try ContinuousIntegration.check("prune", isMeant: inCi) }
    var removed: [String] = []
    var bytes = 0
    for store in try BaselineStores(folder: baselines.baselines, below: folders).stores {
      var kept: [BaselineManifest] = []
      for key in store.keys() {
        // One that can't be read throws: its files mustn't be taken for nobody's.
        guard let manifest = try store.manifest(key) else { continue }
        if store.hasCreative(manifest) {
          kept.append(manifest)
        } else {
          removed.append("\(store.path): \(key.text)")
          if !dryRun { try store.remove(key) }
        }
      }
      for orphan in store.orphans(of: kept) {
        removed.append(orphan.path)
        bytes += orphan.bytes
        if !dryRun { try store.remove(orphan) }
      }
    }
    let summary = removed.isEmpty ? "nothing to remove" : "\(removed.count) \(dryRun ? "to remove" : "removed")"
    try BaselineReporter(output: output, command: "prune").tell(
      BaselineStoreDocument(command: "prune", removed: removed, bytes: bytes),
      lines: removed + ["\(summary), \(BaselineReporter.size(bytes))"])
  }
}
