internal import ArgumentParser

/// Where reports go, and in which formats.
struct ReportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write JUnit XML, with pictures as attachments.", valueName: "file")) var junit: String?
  @Option(help: ArgumentHelp("Write SARIF 2.1.0.", valueName: "file")) var sarif: String?
  @Option(help: ArgumentHelp("Write a CTRF document.", valueName: "file")) var ctrf: String?
  @Option(help: ArgumentHelp("Write the requests as a HAR 1.2 archive.", valueName: "file")) var har: String?
  @Option(help: ArgumentHelp("Write one self-contained HTML page.", valueName: "file")) var html: String?

  @Flag(help: "Print annotations for GitHub Actions, and write the step's summary.") var github = false

  /// Whether any is asked for.
  var isEmpty: Bool { !github && [junit, sarif, ctrf, har, html].allSatisfy { $0 == nil } }
}
