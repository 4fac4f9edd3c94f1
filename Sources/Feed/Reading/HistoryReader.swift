internal import Jobs

/// Reads what happened before the feed is looked at.
enum HistoryReader {
  static func history(_ node: YAMLNode) throws(Fault) -> FeedHistory {
    let members = try node.members(
      of: "history", allowed: ["day", "launches", "version", "registered", "notification"])
    let launches = try members["launches"]?.wholeNumber("launches", in: 1...100_000) ?? 1
    let day = try members["day"]?.number("day", in: 0...100_000) ?? 0
    let version = try members["version"]?.word("version") ?? "1.0"
    let met = try members["notification"].map { node throws(Fault) in
      try encounter(node, launches: launches, day: day, version: version)
    }
    return FeedHistory(
      day: day, launches: launches, version: version,
      isRegistered: try members["registered"]?.bool("registered") ?? false, encounter: met)
  }

  private static func encounter(
    _ node: YAMLNode, launches: Int, day: Double, version: String
  ) throws(Fault) -> Encounter {
    let members = try node.members(of: "notification", allowed: ["outcome", "launch", "day", "version"])
    guard let outcome = members["outcome"] else { throw node.fault("notification needs an outcome: dismissed") }
    let launch = try members["launch"]?.wholeNumber("launch", in: 1...launches) ?? launches
    return Encounter(
      try outcome.choice(Encounter.Outcome.self, "outcome"), launch: launch,
      day: try members["day"]?.number("day", in: 0...day) ?? day,
      version: try members["version"]?.word("version") ?? version)
  }
}
