internal import ArgumentParser
internal import Planning

/// Where baselines are.
struct BaselineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of baselines (default: galley-baselines beside each creative).", valueName: "folder"))
  var baselines: String?

  /// The folder's name beside creatives.
  static let folderName = BaselinePlace.folderName
}
