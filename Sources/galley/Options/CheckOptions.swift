internal import ArgumentParser

/// By which rules creatives are judged.
struct CheckOptions: ParsableArguments {
  @Option(
    name: .customLong("profile"),
    help: ArgumentHelp(
      "Networks whose rules to judge by, with commas between them, or all; a .json file describes one of your own.",
      valueName: "names"))
  var profiles: String?

  @Option(help: ArgumentHelp("What the team agreed on (default: galley.yaml beside the creatives).", valueName: "file"))
  var policy: String?

  /// The names asked for; nil when nobody asked.
  var profileNames: [String]? {
    profiles?.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace).description }
  }
}
