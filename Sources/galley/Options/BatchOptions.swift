internal import ArgumentParser
internal import Checks
internal import Exploration

/// Options for the automatic exploration of creatives and its limits.
struct ExploreOptions: ParsableArguments {
  @Flag(help: "Find tap targets, try each one and follow every state it leads to.") var explore = false

  @Option(help: ArgumentHelp("Maximum number of actions per creative, each from a fresh load.", valueName: "number"))
  var exploreActions = Budget().actions

  @Option(
    help: ArgumentHelp("Maximum rendering time of an exploration; then no further action starts.", valueName: "seconds")
  )
  var exploreSeconds = Budget().seconds

  func validate() throws {
    guard (1...5_000).contains(exploreActions) else {
      throw ValidationError("--explore-actions must be from 1 to 5000")
    }
    guard exploreSeconds >= 1, exploreSeconds <= 86_400 else {
      throw ValidationError("--explore-seconds must be from 1 to 86400")
    }
  }

  var budget: Budget { Budget(actions: exploreActions, seconds: exploreSeconds) }
}

/// Option for the path of the project file.
struct ProjectOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The project file (default: galley.yaml beside the creatives).", valueName: "file"))
  var policy: String?
}

/// Option for the share of a batch that this machine renders.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Render only this share of the creatives; the share depends on the creative's name alone.",
      valueName: "number/count"),
    transform: ShardOptions.shard)
  var shard: Shard?

  private static func shard(_ text: String) throws -> Shard {
    guard let shard = Shard(text) else { throw ValidationError("'\(text)' isn't a shard: write it like 2/5") }
    return shard
  }
}

/// Errors for options that can't be combined with a feed, with their alternatives.
enum FeedRefusal {
  static let explore = ValidationError(
    "--explore takes one creative, not a feed: explore it in a slot of its feed's ad size (--size 300x250)")
  static let instants = ValidationError(
    "--at and --filmstrip can't be combined with --feed: use a scenario with advance: 5s, screenshot: name"
  )
  static let shard = ValidationError(
    "--shard can't split a feed, which is a single render: give each shard a feed of its own")
  static let backup = ValidationError(
    "--backup takes one ad, not a feed: render the creative in a slot of its feed's ad size (--size 300x250)")
  static let measure = ValidationError(
    "--measure takes one ad, not a feed: measure the creative in a slot of its feed's ad size (--size 300x250)")
}
