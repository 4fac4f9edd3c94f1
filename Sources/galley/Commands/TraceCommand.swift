internal import Application
internal import ArgumentParser
internal import Core
internal import RenderModel
internal import Terminal

/// Makes a trace of what a render left; nothing is rendered again.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Make a trace that Playwright's viewer opens.",
    discussion: """
      The trace has the render's load, steps, calls, events, requests, console and pictures. It is opened by \
      npx playwright show-trace trace.zip, or at trace.playwright.dev.
      """)

  @Argument(help: ArgumentHelp("A result's folder, or one that holds a single result.", valueName: "folder"))
  var folder: String

  @Option(name: .shortAndLong, help: ArgumentHelp("Where to write it.", valueName: "file")) var output = "trace.zip"

  func run() throws {
    try TraceArchive.write(try TraceArchive.result(in: folder), to: output)
  }
}

/// Whether a command that renders leaves a trace as well.
struct TraceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write a trace that Playwright's viewer opens; of one creative.", valueName: "file"))
  var trace: String?

  /// Refuses what would be several traces, before anything is rendered.
  func check(_ plan: BatchPlan) throws(Fault) {
    guard trace != nil, plan.items.count > 1 else { return }
    throw .request(
      "trace-of-several",
      "--trace takes one creative on one device, and here are \(plan.items.count): galley trace makes one of each result"
    )
  }

  /// Writes it, where there is a result to tell of.
  func write(_ plan: BatchPlan) throws(Fault) {
    guard let trace, let job = plan.jobs.first, ResultFolder(job.output).holds("result.json") else { return }
    try TraceArchive.write(ResultFolder(job.output), to: trace)
  }
}
