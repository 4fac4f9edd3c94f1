internal import ArgumentParser
internal import Baselines
internal import Jobs

/// Makes what the last verification found the baseline, without rendering again.
struct BaselineApproveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve", abstract: "Take over what the last 'verify' found, without rendering again.",
    discussion: """
      A pattern names creatives as 'verify' does, or their pictures: expand, 'banner/*', '*@pixel-8', \
      expand:002-expanded, 'expand:events'. A star stands for anything.

      Exit codes: 0 approved, 2 nothing to approve, wrong usage, or verified against another baseline.
      """)

  @Argument(help: ArgumentHelp("Creatives, or their parts behind a colon.", valueName: "pattern"))
  var patterns: [String] = []

  @Flag(help: "Approve everything.") var all = false
  @Option(name: .shortAndLong, help: ArgumentHelp("The folder 'verify' wrote.", valueName: "folder"))
  var out = "galley-verified"
  @Flag(help: "Approve though CI is set.") var inCi = false
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if patterns.isEmpty != all { throw ValidationError("say what to approve: patterns, or --all") }
  }

  func run() async throws {
    try ContinuousIntegration.check("approve", isMeant: inCi)
    let choice = try BaselineChoice(patterns: all ? ["*"] : patterns, out: out)
    var approved: [BaselineStoreDocument.Approved] = []
    // All or nothing that can be known before: a pattern that misses leaves everything as it is.
    for (chosen, parts) in choice.chosen {
      var approval = chosen
      guard try approval.approve(parts) else { continue }
      let names = approval.candidate.parts.filter { $0.verdict != .unchanged && parts?.contains($0.name) != false }
      approved.append(BaselineStoreDocument.Approved(key: approval.candidate.key, parts: names.map(\.name)))
    }
    let document = BaselineStoreDocument(command: "approve", approved: approved)
    let lines = approved.map { "approved \($0.key.text): \($0.parts.joined(separator: ", "))" }
    try BaselineReporter(output: output, command: "approve").tell(
      document, lines: lines.isEmpty ? ["nothing had changed"] : lines)
  }
}
