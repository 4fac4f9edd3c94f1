internal import Application
internal import ArgumentParser
internal import Comparison
internal import Core
internal import FoundationEssentials
internal import Terminal

/// Keeps pictures and event logs that somebody was content with, and compares creatives with them.
struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Keep what creatives look like and do, and notice when that changes.",
    discussion: """
      Baselines lie in galley-baselines beside each creative, or in --baselines, and belong into version control. \
      'record' keeps what has none yet, 'verify' compares, 'approve' takes over what the last 'verify' found.
      """,
    subcommands: [
      BaselineRecordCommand.self, BaselineVerifyCommand.self, BaselineApproveCommand.self, BaselineListCommand.self,
      BaselinePruneCommand.self,
    ])
}

/// Lists baselines, with what drew them.
struct BaselineListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List baselines and what drew them.")

  @Argument(help: ArgumentHelp("Folders searched for baselines (default: this one).", valueName: "folder"))
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

/// Makes what the last verification found the baseline, without rendering again.
struct BaselineApproveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve", abstract: "Take over what the last 'verify' found, without rendering again.",
    discussion: """
      A pattern names creatives as 'verify' does, or their pictures: expand, 'banner/*', '*@pixel-8', \
      expand:002-expanded, 'expand:events'. A star stands for anything.

      What a job in CI verified is approved from its artifact: unpack it, and call this in the folder in which the job \
      called 'verify'.

      Exit codes: 0 approved, 2 nothing to approve, wrong usage, or verified against another baseline.
      """)

  @Argument(help: ArgumentHelp("Creatives, or their parts behind a colon.", valueName: "pattern"))
  var patterns: [String] = []

  @Flag(help: "Approve everything.") var all = false
  @Flag(help: "Accept changed pictures beside those of the baseline, which stays as it is.") var asVariant = false
  @Option(name: .shortAndLong, help: ArgumentHelp("The folder 'verify' wrote.", valueName: "folder"))
  var out = "galley-verified"
  @Flag(help: "Approve though CI is set.") var inCi = false
  @OptionGroup(title: "Baselines") var baselines: BaselineOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if patterns.isEmpty != all { throw ValidationError("say what to approve: patterns, or --all") }
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
    let lines = approved.map { "approved \($0.key.text): \($0.parts.joined(separator: ", "))" }
    try BaselineReporter(output: output, command: "approve").printMessage(
      document, lines: lines.isEmpty ? ["nothing had changed"] : lines)
  }
}

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
  var projectFile: String? { project.policy }
}

extension BaselinePruneCommand: ProjectCommand {
  static var takesDevices: Bool { false }
  var subjects: [String] { folders.isEmpty ? ["."] : folders }
  var projectFile: String? { project.policy }
}

/// Whether nobody is there to look at what would be recorded.
enum ContinuousIntegration {
  /// By the variable that every service sets.
  private static func isOn(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    !["", "0", "false"].contains(environment["CI", default: ""].lowercased())
  }

  /// Refuses to change baselines unless it was asked for in so many words.
  static func check(_ command: String, isMeant: Bool) throws(Fault) {
    guard isOn(), !isMeant else { return }
    throw .request(
      "baseline-in-ci", "'baseline \(command)' changes baselines, and CI is set: verify here, or say --in-ci")
  }
}
