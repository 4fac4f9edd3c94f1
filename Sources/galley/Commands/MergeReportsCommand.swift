internal import ArgumentParser
internal import Checks
internal import FoundationEssentials
internal import Reports

/// Joins what the shards of a batch left into what one run would have.
struct MergeReportsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-reports", abstract: "Join the folders that the shards of a batch left.",
    discussion: """
      The folder in --out gets every result and one report.json, as from an unsharded run. Exit codes are those of \
      galley check for the whole batch.
      """)

  @Argument(help: ArgumentHelp("The folders with report.json, one for each shard.", valueName: "folder"))
  var folders: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for the whole.", valueName: "folder")) var out: String
  @OptionGroup(title: "Reports") var reports: ReportOptions

  func run() async throws {
    let present = FileManager.default.currentDirectoryPath
    let parts = try folders.map { try ReportSource.read(folder: $0, workingFolder: present) }
    try ReportMerger(out: out).merge(parts)
    let whole = try ReportSource.read(folder: out, workingFolder: present)
    try Console.output.tell(CheckReporter.counts(whole.report, out: out) + "\n")
    try await ReportWriter(options: reports, console: .output).write(whole)
    throw ExitStatus(worstOf: whole.report.creatives.map { ExitStatus($0) })
  }
}
