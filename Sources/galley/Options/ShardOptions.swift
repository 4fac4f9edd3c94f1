internal import ArgumentParser
internal import Checks

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
