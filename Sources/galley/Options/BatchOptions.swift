internal import ArgumentParser
internal import Checks
internal import Exploration

/// Whether and how far Galley finds its own way through the creatives.
struct ExploreOptions: ParsableArguments {
  @Flag(help: "Find what can be tapped, try it all and follow every state it leads to.") var explore = false

  @Option(help: ArgumentHelp("Things to try in a creative, each from a fresh load.", valueName: "number"))
  var exploreActions = Budget().actions

  @Option(help: ArgumentHelp("Rendering time an exploration may take before it stops trying.", valueName: "seconds"))
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

/// Where the project's file is.
struct ProjectOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The project's file (default: galley.yaml beside the creatives).", valueName: "file"))
  var policy: String?
}

/// Which share of a batch this machine does.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Do only this share of the creatives; a creative's share depends on its name alone.", valueName: "number/count"),
    transform: ShardOptions.shard)
  var shard: Shard?

  private static func shard(_ text: String) throws -> Shard {
    guard let shard = Shard(text) else { throw ValidationError("'\(text)' is no shard: write it like 2/5") }
    return shard
  }
}

/// What can't be done with a feed, and what does it instead.
enum FeedRefusal {
  static let explore = ValidationError(
    "--explore finds a way through one creative: explore it alone, in a slot of its feed's ad size (--size 300x250)")
  static let instants = ValidationError(
    "--at and --filmstrip show an ad that is left alone; in a feed a scenario goes there: advance: 5s, screenshot: name"
  )
  static let shard = ValidationError(
    "--shard shares creatives out, and a feed is one render of all of them: give each share a feed of its own")
  static let backup = ValidationError(
    "--backup is of one ad alone: render the creative in a slot of its feed's ad size (--size 300x250)")
  static let measure = ValidationError(
    "--measure watches one ad alone: measure the creative in a slot of its feed's ad size (--size 300x250)")
}
