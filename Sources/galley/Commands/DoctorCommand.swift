internal import Application
internal import ArgumentParser
internal import Core
internal import Terminal

/// Tries what rendering takes of this machine and says what it lacks.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Say what this machine lacks, and how to mend it.",
    discussion: """
      Starts a display and a sandbox, renders a tiny page, and looks for fonts, codecs, drivers, time zones and room. \
      --bundle packs what a bug report needs: versions, the findings, limits, and the environment without secrets.

      Exit codes: 0 creatives can be rendered, be it with less than all, 2 wrong usage, 3 they can't be.
      """)

  @Option(help: "How findings are told.") var format = Format.text
  @Flag(help: "The same as --format json.") var json = false

  @Option(help: ArgumentHelp("Pack what a bug report needs into this zip.", valueName: "file"))
  var bundle: String?

  @Option(help: ArgumentHelp("Pack this creative too, and what comes of rendering it here.", valueName: "creative"))
  var creative: String?

  @Option(help: ArgumentHelp("Pack this folder of an earlier render's results too.", valueName: "folder"))
  var result: String?

  func validate() throws {
    if bundle == nil, creative != nil || result != nil {
      throw ValidationError("--creative and --result go with --bundle")
    }
  }

  func run() async throws {
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

  /// For people, or for programs.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }
}
