internal import ArgumentParser
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
