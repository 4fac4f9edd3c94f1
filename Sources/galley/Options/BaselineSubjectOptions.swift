internal import ArgumentParser
internal import Jobs

/// Which creatives are rendered to be compared with their baselines, and how often; one group, since two commands do it alike.
struct BaselineSubjectOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("HTML files, folders, zips or http(s) URLs.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-verified"

  @Option(help: ArgumentHelp("The scenario every creative is put through.", valueName: "file"))
  var scenario: String?

  @Option(help: ArgumentHelp("A name for one of several baselines of a creative.", valueName: "name"))
  var variant: String?

  @Option(help: ArgumentHelp("Renders of a creative until two agree, at most.", valueName: "number"))
  var renders = 4

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false

  func validate() throws {
    guard (2...20).contains(renders) else { throw ValidationError("--renders must be from 2 to 20") }
  }
}
