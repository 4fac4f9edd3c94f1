internal import ArgumentParser
internal import Baselines
internal import Jobs

/// Lists baselines, with what drew them.
struct BaselineListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List baselines and what drew them.")

  @Argument(help: ArgumentHelp("Folders searched for baselines (default: this one).", valueName: "folder"))
  var folders: [String] = []

  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let stores = try BaselineStores(folder: baselines.baselines, below: folders).stores
    var rows: [BaselineStoreDocument.Baseline] = []
    for store in stores {
      for key in store.keys() {
        guard let manifest = try store.manifest(key) else { continue }
        rows.append(try BaselineStoreDocument.Baseline(key, manifest, in: store))
      }
    }
    let size = stores.reduce(0) { $0 + $1.size }
    let lines = rows.map(\.line) + ["\(rows.count) baselines, \(BaselineReporter.size(size))"]
    try BaselineReporter(output: output, command: "list").tell(
      BaselineStoreDocument(command: "list", baselines: rows, bytes: size), lines: lines)
  }
}
