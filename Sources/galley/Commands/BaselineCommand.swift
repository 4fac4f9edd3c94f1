internal import Application
internal import ArgumentParser
internal import Comparison
internal import Core
internal import FoundationEssentials
internal import Terminal

/// Stores approved pictures and event logs, and compares creatives with them.
struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Record how creatives look and behave, and report changes.",
    discussion: """
      Baselines are stored in galley-baselines beside each creative, or in --baselines; keep them in version control. \
      'record' creates missing baselines, 'verify' compares, 'approve' accepts the changes that the last 'verify' \
      found.
      """,
    subcommands: [
      BaselineRecordCommand.self, BaselineVerifyCommand.self, BaselineApproveCommand.self, BaselineListCommand.self,
      BaselinePruneCommand.self,
    ])
}

/// Lists baselines with the software and device that drew them.
struct BaselineListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List baselines and the environment that drew each one.")

  @Argument(help: ArgumentHelp("Folders to search for baselines (default: this one).", valueName: "folder"))
  var folders: [String] = []

  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @OptionGroup(title: "Project") var project: ProjectOptions
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
    try BaselineReporter(output: output, command: "list").printMessage(
      BaselineStoreDocument(command: "list", baselines: rows, bytes: size), lines: lines)
  }
}

/// Makes the results of the last verification the baseline, without rendering again.
struct BaselineApproveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve", abstract: "Accept the changes that the last 'verify' found, without rendering again.",
    discussion: """
      A pattern selects creatives by the names that 'verify' prints, or their parts: expand, 'banner/*', '*@pixel-8', \
      expand:002-expanded, 'expand:events'. A star matches any text.

      To approve results of a CI job, unpack its artifact and run this command in the folder in which the job ran \
      'verify'.

      Exit codes: 0 approved, 2 nothing to approve, wrong usage, or verified against another baseline.
      """)

  @Argument(help: ArgumentHelp("Creatives, or their parts after a colon.", valueName: "pattern"))
  var patterns: [String] = []

  @Flag(help: "Approve all changes.") var all = false
  @Flag(help: "Add changed screenshots as variants; the baseline's own stay.") var asVariant = false
  @Option(name: .shortAndLong, help: ArgumentHelp("The folder that 'verify' wrote.", valueName: "folder"))
  var out = "galley-verified"
  @Flag(help: "Approve even if CI is set.") var inCi = false
  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if patterns.isEmpty != all { throw ValidationError("choose changes to approve: give patterns, or --all") }
  }

  func run() async throws {
    try ContinuousIntegration.check("approve", isMeant: inCi)
    let choice = try ApprovalSelector(patterns: all ? ["*"] : patterns, out: out, baselines: baselines.baselines)
    var approved: [BaselineStoreDocument.Approved] = []
    // All or nothing that can be known before: a pattern that misses leaves everything as it is.
    for (chosen, parts) in choice.chosen {
      var approval = chosen
      guard asVariant ? try approval.approveVariants(parts) : try approval.approve(parts) else { continue }
      let names = approval.candidate.parts.filter { part in
        part.verdict != .unchanged && parts?.contains(part.name) != false
          && !(asVariant && (part.verdict != .changed || !PartName.isPicture(part.name)))
      }
      approved.append(BaselineStoreDocument.Approved(key: approval.candidate.key, parts: names.map(\.name)))
    }
    let document = BaselineStoreDocument(command: "approve", approved: approved)
    let lines = approved.map { approved in
      let parts = approved.parts.isEmpty ? "digests of its files" : approved.parts.joined(separator: ", ")
      return "approved \(approved.key.text): \(parts)"
    }
    try BaselineReporter(output: output, command: "approve").printMessage(
      document, lines: lines.isEmpty ? ["nothing has changed"] : lines)
  }
}

/// Removes baselines of creatives that are gone, and files that no baseline refers to.
struct BaselinePruneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove baselines and files that are no longer needed.",
    discussion: """
      Removes baselines whose creative no longer exists, then files that no baseline refers to. Baselines of creatives \
      that failed or weren't verified stay, and so do baselines of URLs.
      """)

  @Argument(help: ArgumentHelp("Folders to search for baselines (default: this one).", valueName: "folder"))
  var folders: [String] = []

  @Flag(name: [.customShort("n"), .long], help: "List what would be removed; remove nothing.") var dryRun = false
  @Flag(help: "Remove even if CI is set.") var inCi = false
  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @OptionGroup(title: "Project") var project: ProjectOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    if !dryRun { try ContinuousIntegration.check("prune", isMeant: inCi) }
    let stores = try BaselineStores(folder: baselines.baselines, below: folders)
    let pruning = try BaselinePruning(stores, isTrial: dryRun)
    let (removed, bytes) = (pruning.removed, pruning.bytes)
    let summary = removed.isEmpty ? "nothing to remove" : "\(removed.count) \(dryRun ? "to remove" : "removed")"
    try BaselineReporter(output: output, command: "prune").printMessage(
      BaselineStoreDocument(command: "prune", removed: removed, bytes: bytes),
      lines: removed + ["\(summary), \(BaselineReporter.size(bytes))"])
  }
}

extension BaselineListCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { folders.isEmpty ? ["."] : folders }
  var searches: Bool { true }
  var projectFile: String? { project.policy }
}

extension BaselinePruneCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { folders.isEmpty ? ["."] : folders }
  var searches: Bool { true }
  var projectFile: String? { project.policy }
}

/// Guard against changes of baselines in CI, where no user reviews the results.
enum ContinuousIntegration {
  /// Returns true if `CI` is set, as CI services do, to another value than 0 or false.
  private static func isOn(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    !["", "0", "false"].contains(environment["CI", default: ""].lowercased())
  }

  /// Refuses to change baselines in CI unless the call allows it by `--in-ci`.
  static func check(_ command: String, isMeant: Bool) throws(Fault) {
    guard isOn(), !isMeant else { return }
    throw .request(
      "baseline-in-ci",
      "'baseline \(command)' changes baselines, and CI is set: use 'baseline verify' in CI, or add --in-ci")
  }
}
