internal import Application
internal import ArgumentParser
internal import Core
internal import Creatives
internal import Terminal

/// Tests if this machine meets the requirements for rendering, and prints those it doesn't.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Report what this machine lacks, with a remedy for each problem.",
    discussion: """
      Starts a display and a sandbox, renders a small page, and checks fonts, codecs, drivers, time zones and disk \
      space. --bundle packs the data for a bug report: versions, the findings, limits, and the environment without \
      secrets.

      Exit codes: 0 creatives can be rendered, possibly with limitations, 2 wrong usage, 3 creatives can't be \
      rendered.
      """)

  @Option(help: "The output format of the findings.") var format = Format.text
  @Flag(help: "The same as --format json.") var json = false

  @Option(help: ArgumentHelp("Write the data for a bug report into this zip.", valueName: "file"))
  var bundle: String?

  @Option(help: ArgumentHelp("Render this creative, and add it with its results to the bundle.", valueName: "creative"))
  var creative: String?

  @Option(help: ArgumentHelp("Add the results in this folder to the bundle.", valueName: "folder"))
  var result: String?

  func validate() throws {
    if bundle == nil, creative != nil || result != nil {
      throw ValidationError("--creative and --result require --bundle")
    }
  }

  func run() async throws {
    if let bundle { try NamedOutput.check([bundle], apartFrom: inputs()) }
    let examination = try MachineExamination()
    let reporter = DoctorReporter(json: json || format == .json, console: .output)
    let report = await examination.run { reporter.handleProgress($0) }
    if let bundle {
      var packed = try await examination.bundle(report, creative: creative, spool: StandardInputSpool.fill)
      if let result { try packed.add(result, as: "earlier-result") }
      try packed.write(to: bundle)
    }
    try reporter.end(report, bundle: bundle)
    throw report.status
  }

  /// Returns the creative to render and the results to pack, as inputs of the call.
  private func inputs() -> CallInputs {
    let named = [creative].compactMap(\.self).filter { $0 != "-" }
    let found = CreativeFinder.find(named, recursive: false) { () throws(Fault) in "" }
    return CallInputs(found.compactMap { try? $0.result.get() }, results: [result].compactMap(\.self))
  }

  /// Format of the output: text for users or JSON for programs.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }
}
