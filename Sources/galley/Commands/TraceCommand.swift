internal import Application
internal import ArgumentParser
internal import Core
internal import RenderModel
internal import Terminal

/// Makes a trace from the results of a render; nothing is rendered again.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Write a trace for Playwright's trace viewer.",
    discussion: """
      The trace contains the render's load, steps, calls, events, requests, console and screenshots. Open it with npx \
      playwright show-trace trace.zip, or at trace.playwright.dev.
      """)

  @Argument(help: ArgumentHelp("A result's folder, or a folder that contains a single result.", valueName: "folder"))
  var folder: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file")) var output = "trace.zip"

  func run() throws {
    try NamedOutput.check([output], apartFrom: CallInputs(results: [folder]))
    try TraceArchive.write(try TraceArchive.result(in: folder), to: output)
    NamedOutput.tell(output)
  }
}

/// Option for a trace written by commands that render.
struct TraceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write a trace for Playwright's trace viewer; for one creative.", valueName: "file"))
  var trace: String?

  /// Rejects calls that would write several traces, before anything is rendered.
  func check(_ plan: BatchPlan) throws(Fault) {
    guard trace != nil, plan.items.count > 1 else { return }
    throw .request(
      "trace-of-several",
      "--trace takes one creative on one device, not \(plan.items.count): use galley trace for each result"
    )
  }

  /// Writes the trace if there is a result.
  func write(_ plan: BatchPlan) throws(Fault) {
    guard let trace, let job = plan.jobs.first, ResultFolder(job.output).holds("result.json") else { return }
    try TraceArchive.write(ResultFolder(job.output), to: trace)
    NamedOutput.tell(trace)
  }
}
